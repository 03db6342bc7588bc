/** Ten endpoints, of which one takes requests and never answers: what the other nine notice of it. */
import { machineTime } from '../../src/time/system-clock.js';
import { startReceiver } from '../support/receiver.js';
import { startSandboxProcess, type Server } from '../support/servers.js';
import { call } from '../support/load.js';
import { approveTemplate, fill } from '../support/messages.js';
import { pause } from '../support/process.js';
import type { Figure } from '../support/figure.js';
import type { Settings } from '../support/settings.js';

/** Some seconds of work a round, so that a pause of the machine does not decide. */
const messages = 2_000;
const nine = 9;
/** Longer than the ten-second cap of an attempt: whoever waited for the hung endpoint would show it. */
const patienceMs = 120_000;

type Tenth = 'answers' | 'hangs' | 'is not there';
const tenths: readonly Tenth[] = ['answers', 'hangs', 'is not there'];

/** A sandbox with its endpoints, at `receiver` the nine, at `other` the tenth. */
interface Arrangement {
  readonly sandbox: Server;
  readonly receiver: Server;
  readonly other: Server;
}

/**
 * Every message has one event, `sent`, owed to each endpoint at once on a real clock. Timed is how long the nine wait for
 * all of theirs, from the first send on. Three sandboxes, each with a tenth endpoint of another kind, take turns; while one
 * is measured, the others are idle, but for the attempts that hang.
 */
export async function hungEndpoint({ rounds }: Settings): Promise<Figure[]> {
  const arrangements = new Map<Tenth, Arrangement>();
  const times: Record<Tenth, number[]> = { answers: [], hangs: [], 'is not there': [] };
  try {
    for (const tenth of tenths) arrangements.set(tenth, await arrange(tenth));
    // The first time code is compiled and connections are opened.
    for (const each of arrangements.values()) await waitOfNine(each, 0);
    for (let round = 1; round <= rounds; round += 1) {
      for (const [tenth, each] of round % 2 === 0 ? arrangements : [...arrangements].reverse()) {
        times[tenth].push(await waitOfNine(each, round));
      }
    }
  } finally {
    // What hangs would hold an orderly stop for its five seconds.
    await Promise.all(
      [...arrangements.values()].flatMap(({ sandbox, receiver, other }) =>
        [sandbox, receiver, other].map((each) => each.stop('SIGKILL')),
      ),
    );
  }
  const goal = { of: 'ratio', most: 1.1 } as const;
  const what = `${(messages * nine).toLocaleString('en')} deliveries to nine endpoints while a tenth hangs`;
  return [
    {
      what,
      unit: 'ms',
      values: times.hangs,
      against: { what: 'while the tenth answers', values: times.answers },
      goal,
    },
    {
      what: 'the same',
      unit: 'ms',
      values: times.hangs,
      against: { what: 'without a tenth', values: times['is not there'] },
      goal,
    },
  ];
}

async function arrange(tenth: Tenth): Promise<Arrangement> {
  const [receiver, other, sandbox] = [await startReceiver(), await startReceiver(), await startSandboxProcess()];
  await approveTemplate(sandbox.url);
  await call(`${sandbox.url}/_sandbox/scenario`, 'PUT', {
    version: 1,
    name: 'sent',
    defaults: { lifecycle: [{ sent: '0s' }] },
  });
  for (let n = 1; n <= nine; n += 1) await register(sandbox, `${receiver.url}/${n}`);
  if (tenth !== 'is not there') await register(sandbox, `${other.url}/${tenth === 'hangs' ? 'hang' : 'ok'}`);
  return { receiver, other, sandbox };
}

/** Machine milliseconds until the nine have all deliveries of this round. */
async function waitOfNine({ sandbox, receiver }: Arrangement, round: number): Promise<number> {
  const owed = (round + 1) * messages * nine;
  const from = machineTime.monotonic();
  await fill(sandbox.url, messages, round * messages);
  for (let had = 0; had < owed; had = await call<number>(`${receiver.url}/count`)) {
    if (machineTime.monotonic() - from > patienceMs)
      throw new Error(`the nine had ${had} of ${owed} after two minutes`);
    await pause(5);
  }
  return machineTime.monotonic() - from;
}

async function register({ url }: Server, receiver: string): Promise<void> {
  // https as the document asks for; a local receiver that speaks no TLS is spoken to in plain HTTP.
  await call(`${url}/v1/webhooks`, 'POST', { url: receiver.replace('http:', 'https:'), events: ['message.status'] });
}
