/** What is kept takes memory: an idle account, and a message with its events. */
import { call } from '../support/load.js';
import { approveTemplate, fill } from '../support/messages.js';
import { pause } from '../support/process.js';
import { startSandboxProcess, type Server } from '../support/servers.js';
import { whole, type Line } from '../support/stats.js';

const accounts = 2_000;
const messages = 20_000;
/** The slope between two fillings, so that what is taken once for all (compiled code, a larger heap) is not counted. */
const fillings = 3;

export async function memory(): Promise<Line[]> {
  return [await perAccount(), await perMessage()];
}

/** An account that was called once: a customer has written to it, and nothing is due. */
async function perAccount(): Promise<Line> {
  const server = await startSandboxProcess();
  try {
    const idle = await atRest(server);
    const bytes = await slope(server, accounts, async (first) => {
      for (let i = 0; i < accounts; i += 1) {
        const headers = { authorization: `Bearer account-${first + i}`, 'content-type': 'application/json' };
        const body = JSON.stringify({ from: '+12025550150', text: 'Hello?' });
        const answer = await fetch(`${server.url}/_sandbox/inbound`, { method: 'POST', headers, body });
        if (!answer.ok) throw new Error(`inbound answered ${answer.status}: ${await answer.text()}`);
        await answer.arrayBuffer();
      }
    });
    return {
      what: `memory per idle account (${whole(fillings * accounts)} of them)`,
      measured: `${(bytes / 1_000).toFixed(1)} kB`,
      against: `a process without accounts ${whole(idle)} MB`,
      ratio: '',
    };
  } finally {
    await server.stop();
  }
}

async function perMessage(): Promise<Line> {
  const server = await startSandboxProcess('--clock', 'frozen');
  try {
    await approveTemplate(server.url);
    const bytes = await slope(server, messages, async (first) => {
      await fill(server.url, messages, first);
      await call(`${server.url}/_sandbox/clock/advance`, 'POST', { by: '1h' });
    });
    return {
      what: `memory per message with its three events (${whole(fillings * messages)} of them, sent in batches)`,
      measured: `${(bytes / 1_000).toFixed(1)} kB`,
      against: '',
      ratio: '',
    };
  } finally {
    await server.stop();
  }
}

/** Bytes of resident memory per thing, between the first filling and the last. */
async function slope(server: Server, size: number, addFrom: (first: number) => Promise<void>): Promise<number> {
  const sizes: number[] = [];
  for (let filling = 0; filling < fillings; filling += 1) {
    await addFrom(filling * size);
    sizes.push(await atRest(server));
  }
  return (((sizes.at(-1) ?? 0) - (sizes[0] ?? 0)) * 1e6) / ((fillings - 1) * size);
}

/** Megabytes, once what is garbage had time to go. */
async function atRest(server: Server): Promise<number> {
  await pause(3_000);
  return server.rssMb() ?? Number.NaN;
}
