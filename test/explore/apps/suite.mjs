// A suite with an account for each test. BUG: no-retry, insists.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { useSandbox } from 'messaging-sandbox/node-test';

const { BUG } = process.env;
const accountOf = useSandbox();

const to = '+12025550110';

/** The application: repeats what was rejected for now. Returns the status of the last response, and 0 if it got none. */
async function send({ url, apiKey }, text, attempts = 6) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ to, type: 'text', text }),
      signal: AbortSignal.timeout(3000),
    }).catch(() => ({ status: 0, headers: new Headers() }));
    const { status, headers } = response;
    const isRepeated = status === 429 || status >= 500 ? BUG !== 'no-retry' : status >= 400 && BUG === 'insists';
    if (!isRepeated || attempt === attempts) return status;
    await sleep(1000 * Number(headers.get('retry-after')) || 20);
  }
}

for (const text of ['Hello', 'Thanks', 'Goodbye']) {
  void test(`says ${text}`, async (context) => {
    const account = await accountOf(context);
    await account.customer(to).says('Hi');
    const status = await send(account, text);
    const messages = await account.messages({ to, direction: 'outbound' });
    // A rejected message is the business of its caller.
    if (status < 400) assert.equal(messages.length, 1);
    else assert.equal(status, 400);
  });
}
