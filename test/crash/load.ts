/** Generates load until the sandbox is killed: sends, batches, codes, inbound messages, and moves of the clock. */
import { below, type Stream } from '../../src/random/ids.js';
import type { Connection } from '../../src/client/connection.js';
import { SandboxError } from '../../src/client/sandbox-error.js';

/** What the sandbox has confirmed, to be checked later. */
export interface Ledger {
  readonly messages: Set<string>;
  readonly codes: Set<string>;
  /** The latest account time of a completed advance. */
  clock: string;
}

const template = { name: 'order_shipped', language: 'en', variables: ['1042'] };
const moves = ['300ms', '1s', '20s', '1m', '5m'];
const lanes = 6;

/** Prepares the account: templates approved, two endpoints registered. Returns their secrets by path. */
export async function prepare(account: Connection, urlOf: (path: string) => string): Promise<Map<string, string>> {
  const utility = { name: template.name, category: 'utility', language: 'en', body: 'Order {{1}} left' };
  await account.call('POST', '/v1/templates', utility);
  await account.call('POST', '/v1/templates', { name: 'login', category: 'authentication', language: 'en' });
  await account.call('POST', '/_sandbox/clock/advance', { by: '1m' });
  const events = ['message.received', 'message.status', 'otp.verified', 'template.status'];
  const secrets = new Map<string, string>();
  for (const path of ['/good', '/flaky']) {
    const { secret } = await account.call<{ secret: string }>('POST', '/v1/webhooks', { url: urlOf(path), events });
    secrets.set(path, secret);
  }
  return secrets;
}

/** Makes calls until the server is killed, which `answered` causes; it is called after each response. */
export async function loadUntilGone(
  account: Connection,
  stream: Stream,
  ledger: Ledger,
  answered: () => void,
): Promise<void> {
  const lane = async (number: number): Promise<void> => {
    try {
      for (;;) {
        await step(account, stream, ledger, number === 0);
        answered();
      }
    } catch (error) {
      if (!(error instanceof SandboxError) || error.code !== 'unreachable') throw error;
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
}

async function step(account: Connection, stream: Stream, ledger: Ledger, moving: boolean): Promise<void> {
  const to = recipient(stream);
  const what = below(stream, 10);
  if (moving && what < 5) {
    const by = moves[below(stream, moves.length)];
    const moved = await account.call<{ now: string }>('POST', '/_sandbox/clock/advance', { by });
    ledger.clock = moved.now;
  } else if (what === 0) {
    const { otp_id: id } = await account.call<{ otp_id: string }>('POST', '/v1/otp/send', { to });
    ledger.codes.add(id);
  } else if (what === 1) {
    await account.call('POST', '/_sandbox/inbound', { from: to, text: 'Where is it?' });
  } else if (what === 2) {
    const many = { to: Array.from({ length: 5 }, () => recipient(stream)), type: 'template', template };
    const { results } = await account.call<{ results: { message_id: string }[] }>('POST', '/v1/messages', many);
    for (const { message_id: id } of results) ledger.messages.add(id);
  } else {
    const sent = await account.call<{ message_id: string }>('POST', '/v1/messages', { to, type: 'template', template });
    ledger.messages.add(sent.message_id);
  }
}

/** Outside of the magic numbers. */
function recipient(stream: Stream): string {
  return `+4915${String(200_000_000 + below(stream, 100_000))}`;
}
