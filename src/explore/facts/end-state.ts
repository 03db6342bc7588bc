import { isDeepStrictEqual } from 'node:util';
import { agreed } from './differences.js';
import { linesOf, normalForm, numberless, plain, type Json } from './state.js';
import type { Facts, Message } from './facts.js';
import type { Return, Run } from './types.js';

/** A part of the end state: how often something happened, or the state of something. */
export interface Part {
  /** The records among which an expectation finds it, and their conditions. */
  readonly about: 'messages' | 'otps' | 'templates' | 'webhooks';
  readonly where: Readonly<Record<string, string>>;
  readonly what: string;
  readonly value: number | string;
  /** The text of a message, if it is the same in every run, and a condition can have it. */
  readonly text?: string;
}

/** Closeness of the comparison of messages: as close as runs without faults agree. */
export type Closeness = 'text' | 'template';

export function partsOf({ messages, otps, templates, endpoints }: Facts, closeness: Closeness): Map<string, Part> {
  // An extra code is unavoidable when a response is lost, so only verified ones count.
  const codes = new Set(otps.map(({ message_id: id }) => id));
  const verified = otps.filter(({ state }) => state === 'verified');
  const active = endpoints.filter(({ status }) => status === 'active');
  const all = [
    ...messages.filter(({ id }) => !codes.has(id)).map((message) => sent(message, closeness)),
    ...verified.map(({ to, state }) => part('otps', { to, state }, `A code of ${to}`)),
    ...templates.map(({ name, status }) => part('templates', { name, status }, `The template ${name}`, status)),
    // An endpoint with another port or id is the same one.
    ...active.map(({ url, events, status }) =>
      part('webhooks', { status }, `The endpoint ${new URL(url).pathname} for ${[...events].sort().join(', ')}`),
    ),
  ];
  const parts = new Map<string, Part>();
  for (const one of all) {
    const { value } = parts.get(one.what) ?? {};
    parts.set(one.what, typeof value === 'number' ? { ...one, value: value + 1 } : one);
  }
  return parts;
}

const part = (about: Part['about'], where: Part['where'], what: string, value: Part['value'] = 1): Part => ({
  ...{ about, where, what, value },
});

/** A condition with such a text stands for several texts. */
const special = /\*|^\/|^[1-5]xx$/i;

function sent(message: Message, closeness: Closeness): Part {
  const { to, type, text, media_url: url, interactive } = message;
  const template = message.template?.name ?? null;
  const kind = template === null ? type : `template ${template}`;
  const words = plain(text ?? url ?? interactive?.body ?? '');
  const content = closeness === 'template' ? kind : `${kind}${template === null ? '' : ':'} "${words}"`;
  const where = { direction: 'outbound', to, ...(template === null ? { type } : { template }) };
  const isFixed = closeness === 'text' && words !== '' && words === text && !special.test(text);
  return { ...part('messages', where, `${content} to ${to}`), ...(isFixed && { text }) };
}

/** Returns what a scenario can expect of a part. Conditions without a text may include several messages. */
export function expectationOf({ about, what, where, text }: Part, expected: ReturnType<typeof partsOf>) {
  const wanted = Number(expected.get(what)?.value ?? 0);
  if (about !== 'messages') return { that: about, where, min: wanted || 1 };
  if (text !== undefined) return { that: about, where: { ...where, text }, count: wanted };
  const same = [...expected.values()].filter((part) => isDeepStrictEqual(part.where, where));
  return { that: about, where, count: same.reduce((sum, { value }) => sum + Number(value), 0) };
}

export const copiesOf = ({ messages }: Facts, { what }: Part, closeness: Closeness): Message[] =>
  messages.filter((message) => sent(message, closeness).what === what);

const verbs = { messages: 'was sent', otps: 'was verified', templates: 'is', webhooks: 'is active' };

export const timesOf = (value: number | string): string =>
  typeof value === 'string' ? value : value === 1 ? 'once' : value === 2 ? 'twice' : `${value} times`;

export const told = ({ about, what, value }: Part): string => `${what} ${verbs[about]} ${timesOf(value)}`;

export const factLines = (facts: Facts, closeness: Closeness, about?: Part['about']): string[] =>
  [...partsOf(facts, closeness).values()]
    .filter((part) => about === undefined || part.about === about)
    .map(told)
    .sort();

export const customersOf = ({ messages, otps }: Facts): string[] => [
  ...new Set([...messages, ...otps].map(({ to }) => to)),
];

/** Returns the number of tests that a runner reports as skipped. */
export function skippedIn(output = ''): number {
  const counts = [...output.matchAll(/\b(\d+) (?:tests? )?(?:skipped|pending)\b|\bskipped[=: ]+(\d+)\b/gi)];
  return Math.max(output.split('--- SKIP: ').length - 1, ...counts.map(([, before, after]) => Number(before ?? after)));
}

export interface Reference {
  readonly run: Run;
  readonly closeness: Closeness;
  readonly said: Json;
  /** The lines that it writes without faults, without their numbers if these differ between runs. */
  readonly lines: ReadonlySet<string>;
  readonly returns: Map<string, Return>;
  /** Ended controls of cells, by the names of the cells; null for one that could not be played. */
  readonly controls: Map<string, Run | null>;
}

export const sentIn = (facts: Facts) => factLines(facts, 'text', 'messages');

export function referenceOf(runs: readonly Run[]): Reference {
  const [run, ...others] = runs;
  if (run === undefined) throw new Error('a reference needs at least one run');
  const isSame = others.every(({ facts }) => isDeepStrictEqual(sentIn(facts), sentIn(run.facts)));
  const lines = runs.map(({ output = '' }) => new Set(linesOf(output)));
  const known = lines.flatMap((own) =>
    [...own].flatMap((line) => (lines.every((all) => all.has(line)) ? [line] : [line, numberless(line)])),
  );
  return {
    run,
    closeness: isSame ? 'text' : 'template',
    said: others.reduce<Json>((said, other) => agreed(said, normalForm(other.said)), normalForm(run.said)),
    lines: new Set(known),
    ...{ returns: new Map(), controls: new Map() },
  };
}
