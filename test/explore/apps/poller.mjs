/**
 * A sender without webhooks, as a story in one process: it submits a template, polls for the review, sends, polls for the
 * outcome, and signs somebody in. FAULT in the environment plants one mistake; without it the application is right.
 */
const { MESSAGING_BASE_URL: base, MESSAGING_API_KEY: key, SANDBOX_URL: control, FAULT: fault = '' } = process.env;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };

/** @returns {Promise<{ status: number, body: any, unsure?: boolean }>} */
async function call(method, path, body) {
  for (let tries = 1; ; tries += 1) {
    let response, text;
    try {
      const signal = fault === 'no-timeout' ? undefined : AbortSignal.timeout(3000);
      response = await fetch(base + path, { method, headers, signal, ...(body && { body: JSON.stringify(body) }) });
      text = await response.text();
    } catch {
      if ((method === 'GET' || fault === 'blind-retry') && tries < 6) continue;
      return { status: 0, body: null, unsure: true };
    }
    const again = response.status === 429 || response.status === 503 || (method === 'GET' && response.status >= 500);
    if (again && tries < 6 && fault !== 'no-retry') {
      await sleep(fault === 'hammer' ? 0 : 1000 * Number(response.headers.get('retry-after') ?? 0.2));
      continue;
    }
    if (response.status >= 500) {
      if (fault === 'blind-retry' && tries < 6) continue;
      return { status: response.status, body: null, unsure: true };
    }
    try {
      return { status: response.status, body: text === '' ? null : JSON.parse(text) };
    } catch {
      return { status: response.status, body: null, unsure: true };
    }
  }
}

const bodies = { utility: { body: 'Order {{1}}.' }, authentication: {} };

async function templateIsApproved(name, category) {
  for (let looks = 0; looks < 60; looks += 1) {
    const { body } = await call('GET', '/v1/templates');
    const status = body?.templates?.find((template) => template.name === name)?.status;
    if (status === 'approved') return true;
    if (status === 'rejected' || status === 'paused') return false;
    // Its name is unique: submitting it again after a lost response changes nothing.
    if (status === undefined)
      await call('POST', '/v1/templates', { name, category, language: 'en', ...bodies[category] });
    await sleep(150);
  }
  return false;
}

async function outcomeOf(id) {
  for (let looks = 0; looks < 60; looks += 1) {
    const { body } = await call('GET', `/v1/messages/${id}`);
    if (body?.status === 'read' || body?.status === 'failed') return body.status;
    await sleep(150);
  }
  return 'open';
}

async function signIn(phone) {
  for (let codes = 0; codes < 3; codes += 1) {
    const sent = await call('POST', '/v1/otp/send', { to: phone });
    const id = sent.body?.otp_id;
    if (!id) continue;
    const otps = await (await fetch(`${control}/_sandbox/otps?to=${encodeURIComponent(phone)}`, { headers })).json();
    const { code } = otps.items.find((otp) => otp.otp_id === id);
    const typed = fault === 'number-code' ? String(Number(code)) : code;
    for (let tries = 0; tries < 3; tries += 1) {
      const { body, unsure } = await call('POST', '/v1/otp/verify', { otp_id: id, code: typed });
      if (body?.valid === true) return 'signed in';
      // Nobody can say whether the code is spent; a new one is the way.
      if (unsure) break;
      if (body?.error) break;
    }
  }
  return 'not signed in';
}

const usable = await templateIsApproved('order_update', 'utility');
await templateIsApproved('login', 'authentication');
const orders = {};
for (const [number, to] of [
  ['1', '+12025550110'],
  ['2', '+12025550111'],
  ['3', '+12025550112'],
]) {
  if (!usable) continue;
  const template = { name: 'order_update', language: 'en', variables: [number] };
  const { body, unsure } = await call('POST', '/v1/messages', { to, type: 'template', template });
  orders[number] = unsure ? 'unknown' : body?.message_id ? await outcomeOf(body.message_id) : 'refused';
}
console.log(JSON.stringify({ orders, login: await signIn('+12025550115') }));
