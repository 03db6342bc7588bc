/** Signed deliveries a second to one endpoint on loopback, each recorded as an attempt. */
import { machineTime } from '../../src/time/host.js';
import { startReceiver, startSandboxProcess } from '../support/servers.js';
import { call, load } from '../support/load.js';
import { approveTemplate, fill } from '../support/messages.js';
import { median, ratios, whole, type Line } from '../support/stats.js';

const messages = 2_000;
const rounds = 5;

interface Page {
  readonly items: readonly { readonly state: string }[];
}

export async function deliveries(): Promise<Line[]> {
  const receiver = await startReceiver();
  const server = await startSandboxProcess('--clock', 'frozen');
  const { url } = server;
  try {
    await approveTemplate(url);
    // https as the document asks for; a local receiver that speaks no TLS is spoken to in plain HTTP.
    const registration = { url: receiver.url.replace('http:', 'https:'), events: ['message.status'] };
    await call(`${url}/v1/webhooks`, 'POST', registration);
    const rates: number[] = [];
    const posts: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await fill(url, messages);
      await call(`${url}/_sandbox/idle?timeout=60s`, 'POST');
      // Two deliveries a message are ahead: delivered and read.
      const from = machineTime.monotonic();
      const { deliveries: made } = await call<{ deliveries: number }>(`${url}/_sandbox/clock/advance`, 'POST', {
        by: '1h',
      });
      rates.push((made * 1_000) / (machineTime.monotonic() - from));
      if (made !== 2 * messages) throw new Error(`${made} attempts were made, not ${2 * messages}`);
      posts.push((await load({ url: receiver.url, body: registration, seconds: 1 })).rate);
    }
    const failed = await call<Page>(`${url}/_sandbox/deliveries?state=retrying`);
    if (failed.items.length > 0) throw new Error('some deliveries failed');
    return [
      {
        what: 'signed deliveries to one endpoint',
        measured: `${whole(median(rates))}/s`,
        against: `the same receiver under plain POSTs ${whole(median(posts))}/s`,
        ratio: ratios(rates, posts),
      },
    ];
  } finally {
    await server.stop();
    await receiver.stop();
  }
}
