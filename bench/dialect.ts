/**
 * Measures what a dialect that sets every form of a send costs. Two sandboxes differ by more than that in their processor
 * time, so the forms are measured without a server, and their time is added to the time of a send.
 */
import { type DialectFile, dialectOf } from '../src/dialect/index.js';
import { defaultWire, eventText, wireOf, type EventParts, type Wire } from '../src/dialect/wire.js';
import { call, load } from './load.js';
import type { Settings } from './settings.js';
import { approveTemplate, recipient, startSandbox, templateSend } from './sandbox.js';
import { figureTable, type Figure } from './table.js';

const everyForm: DialectFile = {
  http: { created: 201 },
  errors: { shape: { status: 'error', error_code: '{code}', message: '{message}', errors: '{details?}' } },
  webhooks: {
    headers: { event: 'X-Event-Type', id: 'X-Event-Id', delivery: 'X-Event-Delivery', attempt: 'X-Event-Attempt' },
    shape: { event: '{type}', id: '{id}', ts: '{created_at:unix_ms}', payload: '{data}' },
  },
  events: {
    'message.status': {
      message: { id: '{message_id}', channel_id: '{wamid}', kind: '{type}' },
      ...{ recipient: '{to}', status: '{status}', error: '{error?}', changed_at: '{timestamp:unix_ms}' },
    },
  },
  shapes: {
    'message.error': { code: '{channel_code}', title: '{message}' },
    'ids.timestamp': 'YYYY-MM-DDTHH:mm:ss.ssssss+00:00',
  },
};

const sends = 1_000;
const shaped = wireOf(dialectOf(everyForm));

export async function dialects({ rounds }: Settings): Promise<string> {
  return figureTable([await costOf(rounds, false), await costOf(rounds, true)]);
}

/** @param deliver whether the status reports go to the built-in receiver */
async function costOf(rounds: number, deliver: boolean): Promise<Figure> {
  // On a frozen clock, all that the sends cause happens in one advance, which nobody has to wait or ask for.
  const { url, cpuMs, stop } = await startSandbox('--clock', 'frozen');
  try {
    const plain: number[] = [];
    const values: number[] = [];
    for (let round = -2; round < rounds * 2; round += 1) {
      await call(`${url}/_sandbox/reset`, 'POST');
      await approveTemplate(url);
      const endpoint = { url: 'https://sink.sandbox/bench', events: ['message.status'] };
      if (deliver) await call(`${url}/v1/webhooks`, 'POST', endpoint);
      const before = await cpuMs();
      await load({ url: `${url}/v1/messages`, body: templateSend(recipient(1)), amount: sends, connections: 10 });
      await call(`${url}/_sandbox/clock/advance`, 'POST', { by: '1m' });
      const ms = (await cpuMs()) - before;
      const moreMs = formsMs(shaped) - (deliver ? formsMs(defaultWire) : 0);
      if (round < 0) continue;
      plain.push(ms);
      values.push(ms + moreMs);
    }
    return {
      what: `processor time of 1,000 sends${deliver ? ' and the deliveries of their status reports' : ''}, every form set`,
      unit: 'ms',
      values,
      against: { what: 'the default dialect', values: plain },
      goal: { most: 1.03 },
    };
  } finally {
    await stop();
  }
}

/**
 * Returns milliseconds for the forms of 1,000 sends, from many more, as code in a server is compiled. A default event
 * without an endpoint is not written at all.
 */
function formsMs(wire: Wire): number {
  const times = 20;
  const bodies = Array.from({ length: sends }, (_, send) => ({ message_id: `msg_${send}`, status: 'queued' }));
  const events = bodies.flatMap((_, send) => ['sent', 'delivered'].map((status) => eventOf(send, status)));
  const from = performance.now();
  for (let time = 0; time < times; time += 1) {
    for (const body of bodies) wire.success['sendMessage']?.(body);
    for (const event of events) eventText(wire, event);
  }
  return (performance.now() - from) / times;
}

function eventOf(send: number, status: string): EventParts {
  const message_id = `msg_${send}`;
  const data = { message_id, wamid: `wamid.${send}`, to: recipient(1), type: 'template', status, error: null };
  const createdAtMs = 1_800_000_000_000 + send;
  const timestamp = new Date(createdAtMs).toISOString();
  return { id: `evt_${send}`, type: 'message.status', createdAtMs, data: { ...data, timestamp } };
}
