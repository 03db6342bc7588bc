/**
 * Stories, told in lines: rules, then calls with their outcomes. A row is its name, and below it
 *
 * - `- ID HOOK REST` for a rule, which responds 503 `down` if it has no `then`, and `with KEY: …` for other parts;
 * - `+1h` to advance, `VERB ARGS ⇒ OUTCOME, …` for calls, also several on a line. Equal outcomes in a row are one: `200 x3`.
 *
 * An outcome is status, Retry-After, error code and rule of a response, or the fields of each record that was asked for.
 */
import { expect } from 'vitest';
import { parse } from 'yaml';
import type { Sandbox } from '../../../src/sandbox.js';
import { formatDuration } from '../../../src/time/duration.js';
import { newWorld, type Answer, type Api, type Control, type Refusal, type World } from '../../support/client.js';
import { latestCall, ruleOf, startMs, trySend, usual } from '../../support/scenes.js';

const people = { ada: '+12025550110', bob: '+12025550111', grace: '+12025550112' } as const;
const named = (text: string, quote = ''): string =>
  text.replace(/(?<![\w-])(?:ada|bob|grace)\b/g, (name) => quote + people[name as keyof typeof people] + quote);

/** The id in the latest response that has one, for `$id`. */
interface Told {
  readonly world: World;
  id: string;
  body: unknown;
}
const inYaml = { 'content-type': 'application/yaml' };

type Verb = (told: Told, args: string) => Promise<string[] | undefined>;

function outcomeOf(told: Told, { status, headers, body }: Answer<Partial<Refusal>>): string {
  told.body = body;
  const { items: [one = body] = [] } = body as { items?: object[] };
  const [, id = told.id] = Object.entries(one).find(([key]) => key.endsWith('_id') || key === 'id') ?? [];
  told.id = id as string;
  const after = headers.get('retry-after');
  const results = (body as Partial<Api['BatchResult']>).results?.map((entry) => (entry.ok ? 'ok' : entry.error?.code));
  const { valid } = body as { valid?: boolean };
  const parts = [status, after && `after ${after}`, body.error?.code, results?.join(' '), valid, ruleOf({ headers })];
  return parts.filter((part) => part !== null && part !== undefined).join(' ');
}

/** One call for each word, or several: `ada*3`. */
const each =
  (call: (world: World, word: string) => Promise<Answer>): Verb =>
  async (told, args) => {
    const outcomes: string[] = [];
    for (const [word = '', count = 1] of args.split(' ').map((one) => named(one).split('*'))) {
      for (let turn = 0; turn < Number(count); turn += 1) {
        outcomes.push(outcomeOf(told, (await call(told.world, word)) as Answer<Refusal>));
      }
    }
    return outcomes;
  };

const shown = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '-' : JSON.stringify(value);
function fieldOf(record: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => {
    if (Array.isArray(value) && !/^\d+$/.test(key)) return value.map((one) => fieldOf(one, key));
    return (value as Record<string, unknown> | null | undefined)?.[key];
  }, record);
}
/** The fields of a record, by a list of paths; a path through a list is that of each entry. */
const fieldsOf = (record: unknown, paths: string) =>
  paths
    .split(' ')
    .map((path) => shown(fieldOf(record, path)))
    .join(' ');

const verbs: Readonly<Record<string, Verb>> = {
  send: each((world, to) => trySend(world, to)),
  text: each((world, to) => world.call('POST', '/v1/messages', { to, type: 'text', text: 'Hi' })),
  code: each((world, to) => world.call('POST', '/v1/otp/send', { to })),
  batch: async (told, args) => [outcomeOf(told, await trySend(told.world, named(args).split(' ')))],
  /** `prefer HEADER: WHO` */
  prefer: async (told, args) => {
    const [, value = '', to = ''] = /^(.*): (\w+)$/.exec(args) ?? [];
    return [outcomeOf(told, await trySend(told.world, named(to), { 'x-sandbox-prefer': value }))];
  },
  submit: each((world, name) =>
    world.call('POST', '/v1/templates', { name, category: 'utility', language: 'en', body: 'Order {{1}} left' }),
  ),
  hook: each((world, name) =>
    world.call('POST', '/v1/webhooks', { url: `https://sink.sandbox/${name}`, events: ['message.received'] }),
  ),
  says: async ({ world }, args) => {
    const [to = '', ...words] = args.split(' ');
    await world.inbound(named(to), { text: words.join(' ') });
    return undefined;
  },
  /** `fails N`: the receiver responds 500 to its first N requests. */
  fails: async ({ world }, times) => {
    await world.put('/_sandbox/sink/app', { respond: [{ status: 500, times: Number(times) }, { status: 200 }] });
    return undefined;
  },
  rule: async ({ world }, args) => {
    await world.call('POST', '/_sandbox/rules', ruleIn(args), inYaml);
    return undefined;
  },
  /** `call METHOD PATH {BODY} preferring HEADER` */
  call: async (told, args) => {
    const [, method = '', path = '', body, prefer] =
      /^(\S+) (\S+)(?: (\{.*\}))?(?: preferring (.*))?$/.exec(args.replace('$id', told.id)) ?? [];
    const json = body && (parse(named(body, '"')) as object);
    return [
      outcomeOf(told, await told.world.call(method, named(path), json, prefer ? { 'x-sandbox-prefer': prefer } : {})),
    ];
  },
  /** `see PATH FIELD …`: the fields of a record, or of each record of a list. */
  see: async ({ world, id }, args) => {
    const [, path = '', fields = ''] = /^(\S+) (.*)$/.exec(args.replace('$id', id)) ?? [];
    const record = await world.get<{ items?: unknown[] }>(`/${named(path).replaceAll('+', '%2B')}`);
    return (record.items ?? [record]).map((one) => fieldsOf(one, fields));
  },
  /** `events TYPE`: what each says, and when. */
  events: async ({ world }, type) =>
    (await world.events(`?limit=1000&type=${type}`)).map(({ data, created_at }) => {
      const { status, interactive, text } = data as { status?: string; interactive?: { id: string }; text?: string };
      return `${status ?? interactive?.id ?? text} ${formatDuration(Date.parse(created_at) - startMs)}`;
    }),
  history: async ({ world }, to) => {
    const all = await world.items<Control['Message']>(`/_sandbox/messages?to=${encodeURIComponent(named(to))}`);
    return all.at(-1)?.history.map(({ status, at }) => `${status} ${formatDuration(Date.parse(at) - startMs)}`) ?? [];
  },
  /** `called FIELD …`: the fields of the latest call in the journal. */
  called: async ({ world }, args) => [fieldsOf(await latestCall(world), args)],
  /** `told FIELD …`: the fields of the latest response. */
  told: ({ body }, args) => Promise.resolve([fieldsOf(body, args)]),
};

/** Joins outcomes, equal ones in a row as one. */
function joined(outcomes: readonly string[]): string {
  const runs: [string, number][] = [];
  for (const one of outcomes) {
    const last = runs.at(-1);
    if (last?.[0] === one) last[1] += 1;
    else runs.push([one, 1]);
  }
  return runs.map(([one, count]) => (count === 1 ? one : `${one} x${count}`)).join(', ') || 'nothing';
}

function ruleIn(line: string): string {
  const [, id = '', hook = '', rest = ''] = /^(\S+) (\S+) ?(.*)$/.exec(line) ?? [];
  const then = /\bthen:/.test(rest) ? '' : ', then: { respond: { status: 503, code: down } }';
  return `{ id: ${id}, when: ${hook}${rest && `, ${named(rest)}`}${then} }`;
}

/** The stories of a table. */
export function storiesOf(table: string): [name: string, lines: string[]][] {
  return table
    .trim()
    .split(/\n(?=\S)/)
    .map((row) => row.split('\n').map((line) => line.trim()))
    .map(([name = '', ...lines]) => [name, lines]);
}

/** Plays a story in a new account, and checks its outcomes. */
export async function playStory(sandbox: Pick<Sandbox, 'url'>, lines: readonly string[]): Promise<void> {
  const rules = lines.flatMap((line) => (line.startsWith('- ') ? [`  - ${ruleIn(line.slice(2))}`] : []));
  const parts = lines.flatMap((line) => (line.startsWith('with ') ? [named(line.slice(5))] : []));
  const told: Told = { world: newWorld(sandbox), id: '', body: {} };
  const text = [
    'version: 1',
    `given: ${JSON.stringify(usual)}`,
    ...parts,
    ...(rules.length > 0 ? ['rules:', ...rules] : []),
  ];
  expect(await told.world.call('PUT', '/_sandbox/scenario', text.join('\n'), inYaml)).toMatchObject({ status: 200 });
  const played: string[] = [];
  const steps = lines.filter((line) => !/^(?:- |with )/.test(line)).flatMap((line) => line.split(' | '));
  for (const step of steps) {
    const [, verb = '', args = ''] = /^(\S+) ?(.*?)(?: ?⇒.*)?$/.exec(step) ?? [];
    const isAdvance = verb.startsWith('+');
    if (isAdvance) await told.world.advance(verb.slice(1));
    const outcomes = isAdvance ? undefined : await verbs[verb]!(told, args);
    played.push(outcomes === undefined ? step : `${verb} ${args}`.trimEnd() + ` ⇒ ${joined(outcomes)}`);
  }
  expect(played).toEqual(steps);
}
