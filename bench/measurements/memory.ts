/** What is kept takes memory: an idle account, and a message with its events. */
import type { Figure } from '../support/figure.js';
import { approveTemplate, fill, settled } from '../support/messages.js';
import { startProbedSandbox, type ProbedServer } from '../support/probed.js';
import type { Settings } from '../support/settings.js';
import { whole } from '../support/stats.js';

const accounts = 2_000;
/** Fillings alike; memory is told by the slope of the later half, when what is there once for all is there. */
const fillings = 4;

export async function memory({ messages }: Settings): Promise<Figure[]> {
  return [...(await perAccount()), ...(await perMessage(messages))];
}

/** An account that was called once: a customer has written to it, and nothing is due. */
async function perAccount(): Promise<Figure[]> {
  const server = await startProbedSandbox();
  try {
    const idle = server.rssMb();
    const bytes = await slope(server, accounts, async (first) => {
      for (let i = 0; i < accounts; i += 1) {
        const headers = { authorization: `Bearer account-${first + i}`, 'content-type': 'application/json' };
        const body = JSON.stringify({ from: '+12025550150', text: 'Hello?' });
        const answer = await fetch(`${server.url}/_sandbox/inbound`, { method: 'POST', headers, body });
        if (!answer.ok) throw new Error(`inbound answered ${answer.status}: ${await answer.text()}`);
        await answer.arrayBuffer();
      }
    });
    return [
      ...(idle === null ? [] : [{ what: 'resident memory of a fresh process', unit: 'MB' as const, values: [idle] }]),
      { what: `heap of an idle account, with ${whole(fillings * accounts)} of them`, unit: 'bytes', values: bytes },
    ];
  } finally {
    await server.stop();
  }
}

async function perMessage(messages: number): Promise<Figure[]> {
  const server = await startProbedSandbox();
  try {
    await approveTemplate(server.url);
    const share = Math.ceil(messages / fillings);
    const bytes = await slope(server, share, async (first) => {
      await fill(server.url, share, first);
      await settled(server.url);
    });
    const what = `heap of a message, with ${whole(messages)} of them, each to a number of its own`;
    const resident = server.rssMb();
    return [
      { what, unit: 'bytes', values: bytes, goal: { of: 'value', most: 600 } },
      ...(resident === null
        ? []
        : [{ what: `resident memory with ${whole(messages)} messages`, unit: 'MB' as const, values: [resident] }]),
    ];
  } finally {
    await server.stop();
  }
}

/** Bytes per thing, of each filling in the later half. */
async function slope(server: ProbedServer, size: number, addFrom: (first: number) => Promise<void>): Promise<number[]> {
  const sizes: number[] = [];
  for (let filling = 0; filling < fillings; filling += 1) {
    await addFrom(filling * size);
    sizes.push(await server.memory());
  }
  return sizes.slice(fillings / 2).map((bytes, i) => (bytes - (sizes[fillings / 2 - 1 + i] ?? Number.NaN)) / size);
}
