/** Signed deliveries a second to one endpoint on loopback, each recorded as an attempt. */
import { machineTime } from '../../src/time/system-clock.js';
import { startReceiver } from '../support/receiver.js';
import { startSandboxProcess, type Server } from '../support/servers.js';
import { call, load } from '../support/load.js';
import { approveTemplate, fill } from '../support/messages.js';
import type { Figure } from '../support/figure.js';
import type { Settings } from '../support/settings.js';

const messages = 2_000;

interface Page {
  readonly items: readonly { readonly state: string }[];
}

interface Taken {
  readonly rate: number;
  /** Processor microseconds of the sandbox for one delivery; null where the system does not tell. */
  readonly processorUs: number | null;
}

export async function deliveries({ rounds, seconds }: Settings): Promise<Figure[]> {
  const receiver = await startReceiver();
  const server = await startSandboxProcess('--clock', 'frozen');
  const { url } = server;
  try {
    await approveTemplate(url);
    // https as the document asks for; a local receiver that speaks no TLS is spoken to in plain HTTP.
    const registration = { url: receiver.url.replace('http:', 'https:'), events: ['message.status'] };
    await call(`${url}/v1/webhooks`, 'POST', registration);
    // The first time code is compiled and connections are opened.
    await deliver(server);
    const taken: Taken[] = [];
    const posts: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      taken.push(await deliver(server));
      posts.push((await load({ url: receiver.url, body: registration, seconds: Math.min(seconds, 2) })).rate);
    }
    const failed = await call<Page>(`${url}/_sandbox/deliveries?state=retrying`);
    if (failed.items.length > 0) throw new Error('some deliveries failed');
    const processorUs = taken.flatMap((each) => each.processorUs ?? []);
    return [
      {
        what: 'signed and recorded deliveries to one endpoint',
        unit: '/s',
        values: taken.map(({ rate }) => rate),
        against: { what: 'the same receiver under plain POSTs', values: posts },
        goal: { of: 'value', least: 10_000 },
      },
      ...(processorUs.length === rounds
        ? [{ what: 'processor time of the sandbox for one of them', unit: 'µs', values: processorUs } as const]
        : []),
    ];
  } finally {
    await server.stop();
    await receiver.stop();
  }
}

/** Sends messages and makes the two deliveries of each that lie ahead: delivered and read. */
async function deliver(server: Server): Promise<Taken> {
  const { url } = server;
  await fill(url, messages);
  await call(`${url}/_sandbox/idle?timeout=60s`, 'POST');
  const [from, before] = [machineTime.monotonic(), server.cpuMs()];
  const { deliveries: made } = await call<{ deliveries: number }>(`${url}/_sandbox/clock/advance`, 'POST', {
    by: '1h',
  });
  const [till, after] = [machineTime.monotonic(), server.cpuMs()];
  if (made !== 2 * messages) throw new Error(`${made} attempts were made, not ${2 * messages}`);
  return {
    rate: (made * 1_000) / (till - from),
    processorUs: before === null || after === null ? null : ((after - before) * 1_000) / made,
  };
}
