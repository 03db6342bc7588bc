/** Ten endpoints, of which one takes requests and never answers: what the other nine notice of it. */
import { machineTime } from '../../src/time/host.js';
import { startReceiver, startSandboxProcess } from '../support/servers.js';
import { call } from '../support/load.js';
import { approveTemplate, fill } from '../support/messages.js';
import { pause } from '../support/process.js';
import type { Figure } from '../support/figure.js';
import type { Settings } from '../support/settings.js';

const messages = 1_000;
const endpoints = 10;
/** Longer than the ten-second cap of an attempt: whoever waited for the hung endpoint would show it. */
const patienceMs = 120_000;

type Tenth = 'answers' | 'hangs' | 'is not there';

/**
 * Every message has one event, `sent`, owed to each endpoint at once on a real clock. Timed is how long the nine wait for
 * all of theirs, from the first send on; the tenth answers, hangs, or is not registered.
 */
export async function hungEndpoint({ rounds }: Settings): Promise<Figure[]> {
  const times: Record<Tenth, number[]> = { answers: [], hangs: [], 'is not there': [] };
  const order: Tenth[] = ['answers', 'hangs', 'is not there'];
  for (let round = 0; round < rounds; round += 1) {
    for (const tenth of round % 2 === 0 ? order : [...order].reverse()) times[tenth].push(await nine(tenth));
  }
  const what = `${(messages * (endpoints - 1)).toLocaleString('en')} deliveries to nine endpoints while a tenth hangs`;
  return [
    {
      what,
      unit: 'ms',
      values: times.hangs,
      against: { what: 'while the tenth answers', values: times.answers },
      goal: { of: 'ratio', most: 1.1 },
    },
    {
      what: 'the same',
      unit: 'ms',
      values: times.hangs,
      against: { what: 'without a tenth', values: times['is not there'] },
    },
  ];
}

/** Machine milliseconds until the nine have all their deliveries. A new sandbox each time: nothing is left over. */
async function nine(tenth: Tenth): Promise<number> {
  const [receiver, other] = [await startReceiver(), await startReceiver()];
  const server = await startSandboxProcess();
  const { url } = server;
  try {
    await approveTemplate(url);
    await call(`${url}/_sandbox/scenario`, 'PUT', {
      version: 1,
      name: 'sent',
      defaults: { lifecycle: [{ sent: '0s' }] },
    });
    for (let n = 1; n < endpoints; n += 1) await register(url, `${receiver.url}/${n}`);
    if (tenth !== 'is not there') await register(url, `${other.url}/${tenth === 'hangs' ? 'hang' : 'ok'}`);
    const owed = messages * (endpoints - 1);
    const from = machineTime.monotonic();
    await fill(url, messages);
    for (let had = 0; had < owed; had = await call<number>(`${receiver.url}/count`)) {
      if (machineTime.monotonic() - from > patienceMs)
        throw new Error(`the nine had ${had} of ${owed} after two minutes`);
      await pause(5);
    }
    return machineTime.monotonic() - from;
  } finally {
    // What hangs would hold an orderly stop for its five seconds.
    await Promise.all([server, receiver, other].map((each) => each.stop('SIGKILL')));
  }
}

async function register(url: string, receiver: string): Promise<void> {
  // https as the document asks for; a local receiver that speaks no TLS is spoken to in plain HTTP.
  await call(`${url}/v1/webhooks`, 'POST', { url: receiver.replace('http:', 'https:'), events: ['message.status'] });
}
