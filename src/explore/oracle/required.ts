/** A message that its user requires of the application after a fault, such as the fallback to a template. */
import { stringify } from 'yaml';
import { cellsNamed, readCells } from '../faults/cell-names.js';
import { counted } from '../../domain/text.js';
import { ExploreError } from '../facts/error.js';
import { rulePrefix, type Facts, type Message } from '../facts/facts.js';
import type { Raw } from '../facts/raw.js';
import type { Cell, Deviation, Placed, Required, Run } from '../facts/types.js';

const requirement = "'message.send*/window-closed': { template: order_update }";
const conditions = ['to', 'type', 'template'];

/** @throws ExploreError */
export function parseRequirements(text: string, file: string) {
  const entries = readCells(text, file, 'messages', requirement);
  for (const [cell, message] of entries) {
    const isMapping = typeof message === 'object' && message !== null && !Array.isArray(message);
    const fields = Object.entries(isMapping ? message : {});
    const wrong = fields.find(([name, value]) => !conditions.includes(name) || typeof value !== 'string');
    if (fields.length === 0 || wrong !== undefined) {
      const found = wrong === undefined ? JSON.stringify(message) : `${wrong[0]}: ${JSON.stringify(wrong[1])}`;
      throw new ExploreError(
        `${file}: "${cell}" has ${found}. Expected a message, with one or more of to, type and template, which are text: ${requirement}`,
      );
    }
  }
  const messages = new Map(entries as [string, Required][]);
  const { nameOf, notes } = cellsNamed([...messages.keys()], '--require');
  const messageAfter = (id: string): Required | undefined => messages.get(nameOf(id) ?? '');
  const demanding = (cells: readonly Cell[]) => cells.filter(({ id }) => messageAfter(id) !== undefined);
  return { messageAfter, notes: (cells: readonly Cell[]) => [...triedOf(demanding(cells)), ...notes()] };
}

/** Says that nothing is missing after the cells that were tried, or which were not. */
function triedOf(demanding: readonly Cell[]): string[] {
  const left = demanding.filter(({ state }) => state === 'not tried' || state === 'not reached');
  const others = left.map(({ id, state }) => `${id}: ${state}`).join(', ');
  if (demanding.length === 0) return [];
  const tried = `${demanding.length - left.length} of ${counted(demanding.length, 'cell')}`;
  return [`--require: tried ${tried} that must lead to a message${left.length === 0 ? '' : ` (${others})`}.`];
}

/** Returns those first of which its user demands something. */
export function requiring(all: readonly Placed[], messageAfter?: (id: string) => Required | undefined): Placed[] {
  if (messageAfter === undefined) return [...all];
  const demanded = all.flatMap((placed) => {
    const required = messageAfter(placed.id);
    return required === undefined ? [] : [{ ...placed, required }];
  });
  const ids = new Set(demanded.map(({ id }) => id));
  return [...demanded, ...all.filter(({ id }) => !ids.has(id))];
}

/** True if a message is missing that somebody requires; a failed check of a story has its own expectation. */
export const isRequired = ({ kind, expect }: Deviation): boolean => kind === 'check failed' && expect !== null;

/** True for a message that nobody gets. One that fails by a rule of the story would also fail without the fault. */
const failsByFault = ({ status, explain }: Message): boolean =>
  status === 'failed' && !(explain.by === 'rule' && explain.id?.startsWith(rulePrefix) !== true);

const timesIn = ({ messages }: Facts, { to = '*', type, template }: Required): number =>
  messages.filter(
    (message) =>
      !failsByFault(message) &&
      [message.to, '*'].includes(to) &&
      [message.type, undefined].includes(type as Message['type'] | undefined) &&
      [message.template?.name, undefined].includes(template),
  ).length;

/** Account milliseconds after which a message does not replace another one: it may go to those who did not answer. */
const fallbackMs = 600_000;

/**
 * Returns the messages that were sent only after the message at this point failed, in the terms of `--require`.
 * @param group all faults of the run, of which each may have led to a message to another customer. Of two faults that concern the same
 * customer, the later one counts as the cause of what is sent after it
 */
export function sentInstead(usual: Facts, facts: Facts, { point }: Placed, group: readonly Placed[]): Required[] {
  if (point.kind !== 'message.send' || point.isRejected === true) return [];
  const others = group.filter((one) => one.point !== point && one.point.to === point.to);
  const later = others.map((one) => one.point.atMs).filter((atMs) => atMs > point.atMs);
  const untilMs = Math.min(point.atMs + fallbackMs, ...later);
  const isInTime = (atMs: number) => atMs <= untilMs && (others.length === 0 || atMs >= point.atMs);
  const own = facts.messages.filter(
    ({ to, created_at: at }) =>
      (to === point.to || group.length === 1) && isInTime(Date.parse(at) - Date.parse(facts.startedAt)),
  );
  const all = own.map(({ to, type, template }) => ({
    ...(to !== point.to && { to }),
    ...(template ? { template: template.name } : { type }),
  }));
  const additional = all.filter((one) => {
    const meant = { to: point.to ?? '*', ...one };
    return timesIn(facts, meant) > timesIn(usual, meant);
  });
  return [...new Map(additional.map((one) => [JSON.stringify(one), one])).values()];
}

const insteadHead = `# After these faults, your application sent these messages in addition to the usual ones.
# To demand them, copy this file, and pass the copy with --require.
`;

/** Returns a file for `--require`. */
export const insteadText = (cells: readonly Cell[]): string =>
  insteadHead +
  stringify(Object.fromEntries(cells.flatMap(({ id, instead: [first] }) => (first ? [[id, first]] : []))));

/** Finds that no such message was sent in addition to those without the fault. Nobody gets a message that failed. */
export function requiredMessage({ facts: usual }: Run, { facts }: Pick<Run, 'facts'>, placed: Placed | null): Raw[] {
  const { required, point } = placed ?? {};
  // The service rejects such a call without the fault as well, and the message follows it there.
  if (required === undefined || !point || point.isRejected === true) return [];
  const { to = point.to ?? '*', ...content } = required;
  const where = { direction: 'outbound', ...(to !== '*' && { to }), ...content };
  const before = timesIn(usual, { ...required, to });
  if (timesIn(facts, { ...required, to }) > before) return [];
  const what = Object.entries(content).map(([name, value]) => `${name} ${value}`);
  const words = [
    'a message',
    ...(what.length > 0 ? [`(${what.join(', ')})`] : []),
    ...(to === '*' ? [] : [`to ${to}`]),
  ];
  const others = before === 0 ? '' : `, besides the ${before} without the fault`;
  const sentence = `--require demands ${words.join(' ')} after this fault. None was sent${others}.`;
  const customers = point.to === null ? [] : [point.to];
  return [
    {
      kind: 'check failed',
      sentence,
      customers,
      expect: { that: 'messages', where, min: before + 1 },
      doubt: null,
    },
  ];
}
