/**
 * Expectations are loose enough that another run of the same application meets them, and strict enough that a run
 * without it does not.
 */
import { compileFields, type Evidence, type EvidenceRecord } from '../rules/evidence.js';
import { judge } from '../rules/expectations.js';
import type { Steps } from './recording.js';
import type { Expectation } from '../language/expect.js';
import type { Matcher } from '../language/match.js';

type Where = Record<string, Matcher>;

/** A number is more useful than a longer list. */
const mostNamed = 5;

/** Expectations that the recording itself does not meet, such as a status that was only temporary, are omitted. */
export function* expectationsOf(evidence: Evidence): Steps<Expectation[]> {
  const gathered = yield* gather(evidence);
  const all = [
    ...calls(gathered),
    ...sent(gathered),
    ...conversations(gathered),
    ...codes(gathered),
    ...answers(gathered),
    ...restraint(gathered),
  ];
  const again = { ...evidence };
  for (const subject of subjects) again[subject] = () => gathered[subject];
  const met: Expectation[] = [];
  for (const expectation of all) {
    if (judge(expectation, again).passed) met.push(expectation);
    yield;
  }
  return met;
}

const subjects = ['requests', 'messages', 'otps', 'attempts', 'deliveries'] as const;
type Gathered = Readonly<Record<(typeof subjects)[number], readonly EvidenceRecord[]>>;

function* gather(evidence: Evidence): Steps<Gathered> {
  const gathered: Partial<Record<keyof Gathered, readonly EvidenceRecord[]>> = {};
  for (const subject of subjects) {
    gathered[subject] = evidence[subject]();
    yield;
  }
  return gathered as Gathered;
}

const finish = (expectation: Omit<Expectation, 'at'>): Expectation => ({ at: 'finish', ...expectation });

/** The prerequisites of everything else: webhooks that the application registers, templates that it submits. */
function calls({ requests }: Gathered): Expectation[] {
  const made = requests.filter(({ status }) => typeof status === 'number' && status < 300);
  const registers = made.some(({ operation }) => operation === 'webhook.create');
  const names = made.filter(({ operation }) => operation === 'template.create').flatMap(nameOf);
  return [
    ...(registers ? [finish({ that: 'requests', where: { operation: 'webhook.create', status: '2xx' }, min: 1 })] : []),
    ...(names.length > 0
      ? [finish({ that: 'templates', where: { name: oneOrAll(unique(names)) }, min: unique(names).length })]
      : []),
  ];
}

function nameOf({ request }: EvidenceRecord): string[] {
  const body = (request as { body?: { name?: unknown } | null } | undefined)?.body;
  return typeof body?.name === 'string' ? [body.name] : [];
}

/** One for each kind of message. Texts and variables differ from run to run, so they are not asked for. */
function sent({ messages }: Gathered): Expectation[] {
  const outbound = messages.filter(({ direction }) => direction === 'outbound');
  return groups(outbound, ({ type, template }) => `${String(type)} ${String(template)}`).map((group) => {
    const { type, template } = group[0] ?? {};
    const to = unique(group.map((record) => String(record['to'])));
    const where: Where = {
      direction: 'outbound',
      type: String(type),
      ...(typeof template === 'string' && { template }),
      ...(to.length <= mostNamed && { to: oneOrAll(to) }),
    };
    return finish({ that: 'messages', where, count: group.length });
  });
}

/** The maximum of a scenario file. */
const mostInOrder = 1_000;

/** A customer who wrote got the reply after the message. */
function conversations({ messages }: Gathered): Expectation[] {
  return groups(messages, ({ to }) => String(to))
    .flatMap((group): Expectation[] => {
      const turns = group
        .map(({ direction }) => String(direction))
        .filter((direction, index, list) => direction !== list[index - 1]);
      const first = turns.indexOf('inbound');
      const order = turns.slice(first, first + mostInOrder).map((direction) => ({ direction }));
      if (first === -1 || order.length < 2) return [];
      return [finish({ that: 'messages', where: { to: String(group[0]?.['to']) }, in_order: order })];
    })
    .slice(0, mostNamed);
}

function codes({ otps }: Gathered): Expectation[] {
  const verified = otps.filter(({ state }) => state === 'verified');
  return [
    ...(otps.length > 0 ? [finish({ that: 'otps', count: otps.length })] : []),
    ...(verified.length > 0 ? [finish({ that: 'otps', where: { state: 'verified' }, min: verified.length })] : []),
  ];
}

/** Responses that a rule changed are separate. The responses of a sink are not the application's. */
function answers({ attempts, deliveries }: Gathered): Expectation[] {
  const own = attempts.filter(({ url }) => !isSink(url));
  const where: Where = own.length < attempts.length ? { url: { not: 'https://sink.sandbox/*' } } : {};
  const noRule: Where = own.some(({ rule }) => rule !== undefined) ? { rule: { not: '*' } } : {};
  return groups(own, ({ rule, event }) => JSON.stringify([rule, rule === undefined && event])).flatMap((group) => {
    const { rule, event } = group[0] ?? {};
    if (typeof rule === 'string') return answered(group, { ...where, rule }) ?? [];
    const usual = { ...where, ...noRule, event: String(event) };
    return answered(group, usual) ?? takenInTheEnd(deliveries, usual);
  });
}

/** Null if a response is missing or a failure: the retries after it show more. */
function answered(group: readonly EvidenceRecord[], where: Where): Expectation[] | null {
  const hundreds = group.map(({ status }) => (typeof status === 'number' ? `${Math.floor(status / 100)}xx` : ''));
  const classes = unique(hundreds).sort();
  if (classes.some((each) => each === '' || each === '5xx')) return null;
  return [finish({ that: 'attempts', where, has: { status: oneOrAll(classes) } })];
}

function takenInTheEnd(deliveries: readonly EvidenceRecord[], where: Where): Expectation[] {
  const some = deliveries.some(({ url }) => !isSink(url));
  return some ? [finish({ that: 'deliveries', where, has: { state: 'delivered' } })] : [];
}

/**
 * Actions that a careless application repeats. Without any call these expectations pass, so they are never the only
 * ones.
 */
function restraint({ requests, messages, otps }: Gathered): Expectation[] {
  if (requests.length === 0) return [];
  // The rules of a scenario decide how often a call fails; a magic number fails each call that is made.
  const unprovoked: Where = { error: '*', rule: [{ not: '*' }, 'magic-*'] };
  const refused = requests.filter(compileFields(unprovoked, 0)).length;
  const sent = messages.filter(({ direction }) => direction === 'outbound').length;
  return [
    finish({ that: 'requests', where: unprovoked, max: refused }),
    finish({ that: 'messages', where: { direction: 'outbound' }, max: sent, ...(sent > 0 && { duplicate: 0 }) }),
    ...(otps.length === 0 ? [finish({ that: 'otps', max: 0 })] : []),
  ];
}

function isSink(url: unknown): boolean {
  return String(url).startsWith('https://sink.sandbox/');
}

function groups(records: readonly EvidenceRecord[], key: (record: EvidenceRecord) => string): EvidenceRecord[][] {
  const found = new Map<string, EvidenceRecord[]>();
  for (const record of records) {
    const group = found.get(key(record)) ?? [];
    group.push(record);
    found.set(key(record), group);
  }
  return [...found.values()];
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

function oneOrAll(values: readonly string[]): Matcher {
  return values.length === 1 ? (values[0] ?? '') : [...values];
}
