/**
 * A campaign as a script: submits its template, sends to two batches, looks up what became of each message, and ends. It
 * hears no events. FAULT plants one mistake; without it the application is right.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const { MESSAGING_BASE_URL: base, MESSAGING_API_KEY: key, FAULT: fault = '' } = process.env;

async function request(path, init = {}) {
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    const isRead = init.method === undefined;
    let response;
    try {
      response = await fetch(new URL(path, base), {
        ...init,
        headers: { authorization: `Bearer ${key}`, ...(init.body && { 'content-type': 'application/json' }) },
        signal: AbortSignal.timeout(4000),
      });
      if (response.ok || (response.status >= 400 && response.status < 500 && response.status !== 429))
        return { status: response.status, body: await response.json() };
    } catch (error) {
      if (isRead || init.isSafe || fault === 'blind-retry') continue;
      throw new Error('no response', { cause: error });
    }
    if (fault === 'no-retry') throw new Error(`HTTP ${response.status}`);
    if (response.status === 429 || response.status === 503)
      await sleep(fault === 'hammer' ? 1 : 1000 * Number(response.headers.get('retry-after') ?? attempt / 4));
    else if (!isRead && !init.isSafe && fault !== 'blind-retry') throw new Error(`HTTP ${response.status}`);
    else await sleep(100);
  }
  throw new Error('gave up');
}

const post = (path, body, isSafe = false) => request(path, { method: 'POST', body: JSON.stringify(body), isSafe });

async function approved(name) {
  await post('/v1/templates', { name, category: 'marketing', language: 'en', body: 'Sale until {{1}}.' }, true);
  for (let looks = 0; looks < 100; looks += 1, await sleep(100)) {
    const { body } = await request('/v1/templates');
    const status = body.templates.find((one) => one.name === name)?.status;
    if (status !== undefined && status !== 'pending') return status === 'approved';
  }
  return false;
}

const batches = [
  ['+12025550111', '+12025550112', '+12025550113'],
  ['+12025550114', '+12025550115'],
];
const outcome = {};
if (await approved('sale')) {
  const template = { name: 'sale', language: 'en', variables: ['Sunday'] };
  const messages = [];
  for (const to of batches) {
    try {
      const { status, body } = await post('/v1/messages', { to, type: 'template', template });
      for (const { to: phone, ok, message_id: id } of body.results ?? []) {
        if (ok) messages.push([phone, id]);
        else outcome[phone] = 'refused';
      }
      if (status !== 200) for (const phone of to) outcome[phone] = 'refused';
      if (body.failed_count > 0 && fault === 'stops') break;
      if (body.failed_count > 0 && fault === 'throws') throw new Error('a recipient was refused');
      if (body.failed_count > 0 && fault === 'whole-batch-again')
        await post('/v1/messages', { to, type: 'template', template });
    } catch (error) {
      if (fault === 'throws') throw error;
      for (const phone of to) outcome[phone] = 'unknown';
    }
  }
  for (const [phone, id] of messages) {
    for (let looks = 0; looks < 60; looks += 1, await sleep(60)) {
      const { body } = await request(`/v1/messages/${id}`);
      outcome[phone] = body.status === 'failed' && fault === 'failed-as-sent' ? 'sent' : body.status;
      if (['read', 'failed'].includes(body.status)) break;
    }
  }
}
console.log(JSON.stringify({ outcome }));
