/**
 * Sign-in as a server, with its own table of logins: /start sends a code, /check verifies it. FAULT plants one mistake;
 * without it the application is right.
 */
import { createServer } from 'node:http';

const { MESSAGING_BASE_URL: base, MESSAGING_API_KEY: key, PORT: port, FAULT: fault = '' } = process.env;
const logins = new Map();

async function call(path, body) {
  for (let tries = 1; tries <= 6; tries += 1) {
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(3000),
    }).catch(() => null);
    const text = await response?.text().catch(() => null);
    if (response && text && [429, 503].includes(response.status) && fault !== 'no-retry')
      await new Promise((go) => setTimeout(go, 1000 * Number(response.headers.get('retry-after') ?? 0.4)));
    else if (response && text && response.status < 500) {
      try {
        return { status: response.status, body: JSON.parse(text) };
      } catch {
        return null;
      }
    } else return null;
  }
  return null;
}

async function start(phone) {
  const login = logins.get(phone) ?? { codes: [], state: 'started' };
  logins.set(phone, login);
  for (let tries = 1; tries <= 3; tries += 1) {
    const sent = await call('/v1/otp/send', { to: phone });
    if (sent?.body.otp_id) login.codes.push(sent.body.otp_id);
    // The first code may have arrived; a second one is harmless as long as its id is the one that is checked.
    if (sent) return sent.status;
    if (fault === 'wrong-code') login.codes.push('00000000-0000-4000-8000-000000000000');
  }
  return 503;
}

async function check(phone, code) {
  const login = logins.get(phone);
  const id = fault === 'wrong-code' ? login?.codes[0] : login?.codes.at(-1);
  if (!id) return 404;
  const answer = await call('/v1/otp/verify', { otp_id: id, code });
  if (answer === null) {
    // Nobody knows whether it was taken. The person is asked to try again with a new code.
    if (fault === 'open-door') login.state = 'signed in';
    else await start(phone);
    return 503;
  }
  if (answer.body.valid) login.state = 'signed in';
  return answer.body.valid ? 200 : 401;
}

createServer(async (request, response) => {
  let raw = '';
  for await (const chunk of request) raw += chunk;
  const body = raw === '' ? {} : JSON.parse(raw);
  if (request.url === '/start') response.statusCode = await start(body.phone);
  else if (request.url === '/check') response.statusCode = await check(body.phone, body.code);
  else if (request.url !== '/logins') response.statusCode = request.url === '/' ? 200 : 404;
  response.end(JSON.stringify(Object.fromEntries([...logins].map(([phone, { state }]) => [phone, state]))));
}).listen(Number(port));
