/** Signed deliveries a second to one endpoint on loopback, each recorded as an attempt. */
import { machineTime } from '../../src/time/host.js';
import { startReceiver, startSandboxProcess } from '../support/servers.js';
import { call, load } from '../support/load.js';
import { approveTemplate, fill } from '../support/messages.js';
import type { Figure } from '../support/figure.js';
import type { Settings } from '../support/settings.js';

const messages = 2_000;

interface Page {
  readonly items: readonly { readonly state: string }[];
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
      posts.push((await load({ url: receiver.url, body: registration, seconds: Math.min(seconds, 2) })).rate);
    }
    const failed = await call<Page>(`${url}/_sandbox/deliveries?state=retrying`);
    if (failed.items.length > 0) throw new Error('some deliveries failed');
    return [
      {
        what: 'signed and recorded deliveries to one endpoint',
        unit: '/s',
        values: rates,
        against: { what: 'the same receiver under plain POSTs', values: posts },
        goal: { of: 'value', least: 10_000 },
      },
    ];
  } finally {
    await server.stop();
    await receiver.stop();
  }
}
