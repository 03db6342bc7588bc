/** The end state of a run, in the form in which two runs are compared. */
import { agreed, linesOf, normalForm, numberless, plain, type Json } from './state.js';
import type { Facts, Message, Run } from './types.js';

/** A content that was sent to a customer, and the times in milliseconds from the start. */
export interface Sent {
  readonly to: string;
  readonly content: string;
  readonly template: string | null;
  readonly atMs: readonly number[];
  /** The conditions with which an expectation finds it. */
  readonly where: Readonly<Record<string, string>>;
}

/** How closely the content of messages is compared: as closely as runs without faults agree. */
export type Closeness = 'text' | 'template';

/** One-time codes are left out: an extra code is unavoidable when a response is lost. */
export function sentMessages({ messages, startedAt, otps }: Facts, closeness: Closeness): Map<string, Sent> {
  const codes = new Set(otps.map(({ message_id: id }) => id));
  const found = new Map<string, Omit<Sent, 'atMs'> & { readonly atMs: number[] }>();
  for (const message of messages) {
    if (codes.has(message.id)) continue;
    const template = message.template?.name ?? null;
    const content = contentOf(message, closeness);
    const key = `${message.to} ${content}`;
    const where = {
      direction: 'outbound',
      to: message.to,
      ...(template === null ? { type: message.type } : { template }),
    };
    const known = found.get(key) ?? { to: message.to, content, template, atMs: [] as number[], where };
    known.atMs.push(Date.parse(message.created_at) - Date.parse(startedAt));
    found.set(key, known);
  }
  return found;
}

function contentOf({ type, template, text, media_url: url, interactive }: Message, closeness: Closeness): string {
  if (closeness === 'template') return template ? `template ${template.name}` : type;
  const words = plain(text ?? url ?? interactive?.body ?? '');
  return template ? `template ${template.name}: "${words}"` : `${type} "${words}"`;
}

export const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** Counts the names that items have; null leaves an item out. */
function tally<T>(items: readonly T[], nameOf: (item: T) => string | null): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of items.map(nameOf)) if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** The states that are compared apart from the messages, each as a map from what has the state. */
export const states = {
  /** How many codes of each number were verified. */
  codes: ({ otps }: Facts) => tally(otps, ({ to, state }) => (state === 'verified' ? to : null)),
  templates: ({ templates }: Facts) => new Map(templates.map(({ name, status }) => [name, status])),
  /** Active endpoints by path and events. An endpoint with another port or id is the same one. */
  endpoints: ({ endpoints }: Facts) =>
    tally(endpoints, ({ url, events, status }) =>
      status === 'active' ? `${new URL(url).pathname} for ${[...events].sort().join(', ')}` : null,
    ),
};

/** How long an application waited before it repeated a call that failed. */
export interface Return {
  /** Machine milliseconds; a guess if it was not seen to recover. */
  readonly realMs: number;
  /** Account milliseconds, 0 if it never repeats the call; null if it was not seen to recover. */
  readonly accountMs: number | null;
}

/** What all runs without faults have in common. */
export interface Reference {
  readonly run: Run;
  readonly closeness: Closeness;
  readonly said: Json;
  /** The lines that it writes without faults, without their numbers if these differ between runs. */
  readonly lines: ReadonlySet<string>;
  /** When the application repeats a failed call, by the kind of its point. */
  readonly returns: ReadonlyMap<string, Return>;
}

const counts = (facts: Facts) =>
  JSON.stringify([...sentMessages(facts, 'text')].map(([key, { atMs }]) => [key, atMs.length]).sort());

export function referenceOf(runs: readonly Run[]): Reference {
  const [run, ...others] = runs;
  if (run === undefined) throw new Error('a reference needs at least one run');
  const isSame = others.every(({ facts }) => counts(facts) === counts(run.facts));
  const lines = runs.map(({ output = '' }) => new Set(linesOf(output)));
  const known = lines.flatMap((own) =>
    [...own].flatMap((line) => (lines.every((all) => all.has(line)) ? [line] : [line, numberless(line)])),
  );
  return {
    run,
    closeness: isSame ? 'text' : 'template',
    said: others.reduce<Json>((said, other) => agreed(said, normalForm(other.said)), normalForm(run.said)),
    lines: new Set(known),
    returns: new Map(),
  };
}
