/** What a client notices of a server, however much that has stored: sends, look-ups, and filtered pages. */
import type { Figure } from '../../support/figure.js';
import { call, load } from '../../support/load.js';
import { recipient, settled, templateSend } from '../../support/messages.js';
import type { Server } from '../../support/servers.js';

/** Requests of one run: a number and not a time, so that the servers grow alike. */
const sends = 3_000;
const reads = 4_000;
const pageSize = 20;
/** Whose messages are asked for: some more than a page, among however many others. */
const needle = '+4915100000000';
const needles = 30;

/** What is asked for in turn, once a server is prepared. */
export interface Questions {
  readonly lookup: string;
  /** The first page of everything read, one from far behind, and the first of one number. */
  readonly firstPage: string;
  readonly deepPage: string;
  readonly ofOne: string;
}

export interface Sample {
  /** Processor microseconds of a send with all that comes of it; NaN where the system does not tell. */
  readonly sendCpuUs: number;
  readonly sendP99Ms: number;
  readonly lookupRate: number;
  readonly firstPageRate: number;
  readonly deepPageRate: number;
  readonly ofOneRate: number;
}

interface Page {
  readonly items: readonly { readonly message_id: string; readonly seq: number }[];
}

/** Sends what is to be found again, and runs everything once, so that the first sample finds compiled code. */
export async function prepareSamples({ url }: Server): Promise<void> {
  for (let i = 0; i < needles; i += 1) await call(`${url}/v1/messages`, 'POST', templateSend(needle));
  await load({ url: `${url}/v1/messages`, body: templateSend(recipient(1)), amount: sends });
  await settled(url);
  for (const path of Object.values(await questions(url)))
    await load({ url, paths: [path], method: 'GET', amount: reads });
}

/** @throws Error when a page is not full, or lies elsewhere than it should */
export async function questions(url: string): Promise<Questions> {
  const path = (query: string) => `/_sandbox/messages?${query}&limit=${pageSize}`;
  const [last] = (await call<Page>(`${url}${path('order=desc')}`)).items;
  const behind = Math.floor((last?.seq ?? 0) * 0.9);
  const asked = {
    firstPage: path('status=read&type=template'),
    deepPage: path(`status=read&type=template&after=${behind}`),
    ofOne: path(`to=${encodeURIComponent(needle)}&status=read`),
  };
  for (const [name, each] of Object.entries(asked)) {
    const { items } = await call<Page>(url + each);
    const deepEnough = name !== 'deepPage' || items.every(({ seq }) => seq > behind);
    if (items.length !== pageSize || !deepEnough) throw new Error(`${each} gave ${items.length} messages`);
  }
  const [first] = (await call<Page>(url + asked.ofOne)).items;
  return { ...asked, lookup: `/v1/messages/${first?.message_id ?? ''}` };
}

export async function sample(server: Server, asked: Questions): Promise<Sample> {
  const { url } = server;
  const before = server.cpuMs() ?? Number.NaN;
  const { p99Ms } = await load({ url: `${url}/v1/messages`, body: templateSend(recipient(1)), amount: sends });
  await settled(url);
  const after = server.cpuMs() ?? Number.NaN;
  const rate = async (path: string) => (await load({ url, paths: [path], method: 'GET', amount: reads })).rate;
  return {
    sendCpuUs: ((after - before) * 1_000) / sends,
    sendP99Ms: p99Ms,
    lookupRate: await rate(asked.lookup),
    firstPageRate: await rate(asked.firstPage),
    deepPageRate: await rate(asked.deepPage),
    ofOneRate: await rate(asked.ofOne),
  };
}

/** Samples of a full server beside those that were taken of a nearly empty one in the same rounds. */
export function sampleFigures(at: string, full: readonly Sample[], empty: readonly Sample[]): Figure[] {
  const figure = (what: string, unit: Figure['unit'], part: keyof Sample, goal?: Figure['goal']): Figure => ({
    what: `${what}, ${at}`,
    unit,
    values: full.map((each) => each[part]),
    against: { what: 'nearly empty', values: empty.map((each) => each[part]) },
    ...(goal && { goal }),
  });
  const page = { of: 'value', least: 2_000 } as const;
  return [
    figure('processor time of a send with all its events', 'µs', 'sendCpuUs', { of: 'ratio', most: 1.1 }),
    figure('p99 of sends', 'ms', 'sendP99Ms'),
    figure('look-ups', '/s', 'lookupRate', { of: 'ratio', least: 0.9 }),
    figure('first page of 20 that are read templates', '/s', 'firstPageRate', page),
    figure('the same from a cursor at nine tenths', '/s', 'deepPageRate', page),
    figure('first page of 20 to one number', '/s', 'ofOneRate', page),
  ];
}
