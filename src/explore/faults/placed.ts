import { meaningOf, unlike } from '../facts/alike.js';
import { rulePrefix } from '../facts/facts.js';
import { formatDuration } from '../../time/duration.js';
import { faultsAt, later, outOfOrder } from './faults.js';
import type { Fault, Placed, Point, RuleInput, Run } from '../facts/types.js';

export function place(point: Point, fault: Fault): Placed {
  return { id: `${point.id}/${fault.id}`, title: `${point.title} ${fault.words}`, point, fault };
}

const sizeOf = ({ recipients = [] }: Point): number => recipients.length;

/** Customers who write in the same second may come in another order in the next exploration. A larger batch shows more. */
const byTime = (a: Point, b: Point): number =>
  Math.floor(a.atMs / 1000) - Math.floor(b.atMs / 1000) ||
  sizeOf(b) - sizeOf(a) ||
  (a.to ?? '').localeCompare(b.to ?? '');

/**
 * Orders tries: in each round every fault at one point of each kind.
 * @param more further faults of this story
 * Each test of a suite, which has its own account, is a separate story. The order depends on the story alone; of customers to
 * whom the same happens, only two are tried.
 */
export function inOrder(points: readonly Point[], steered: boolean, more: readonly Placed[] = []): Placed[] {
  const seen = new Map<string, number>();
  const before = (...names: string[]): number => {
    const key = names.join(' ');
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    return times;
  };
  // An event that comes after the last one shows most.
  const isLast = ({ account, to, match: { status } }: Point) => {
    const further = later[later[String(status)] ?? ''];
    return (
      further === undefined ||
      points.every((one) => one.account !== account || one.to !== to || one.match['status'] !== further)
    );
  };
  const all = unlike(points.toSorted(byTime)).flatMap((point) => {
    const { account } = point;
    // A later outage is another one.
    const kind = point.kind === 'service' && account === '' ? point.id : meaningOf(point);
    const faults = faultsAt(point, steered).filter(({ id }) => id !== outOfOrder || isLast(point));
    const others = faults.filter((fault) => {
      const shown = sameAt(point, fault);
      return shown === null || before(fault.id, account, shown) === 0;
    });
    return others.map((fault) => {
      const nth = before('nth', account, kind, fault.id);
      // Of several statuses of messages, one is enough for the first round; and of several tests as well.
      const ofOthers = before('others', meaningOf({ ...point, match: { ...point.match, status: null } }), fault.id);
      return { placed: place(point, fault), round: nth + (ofOthers > 0 ? 1 : 0) };
    });
  });
  // A restart may lose only messages of one way.
  const kindOfMore = ({ point: at, fault }: Placed) => (fault.restart === undefined ? at.kind : wayOf(at));
  const others = more.map((placed) => ({ placed, round: before('more', kindOfMore(placed), placed.fault.id) }));
  return [...others, ...all]
    .sort((a, b) => a.round - b.round || a.placed.fault.rank - b.placed.fault.rank)
    .map(({ placed }) => placed);
}

/** Returns what an application sends in the same part of its code: messages of a template, free texts, or codes. */
export const wayOf = ({ kind, template, match }: Point): string => `${kind} ${template} ${String(match['type'])}`;

/** The same for a fault at all points of a kind. */
export const kindOf = ({ point, fault }: Placed): string => `${point.kind}/${fault.id}`;

/** True for the same fault at two similar points. */
export const isAlike = (a: Placed, b: Placed): boolean =>
  a.fault.id === b.fault.id && meaningOf(a.point) === meaningOf(b.point) && a.point.account === b.point.account;

/** Returns whether a fault takes the place of no rule of the story for the codes of its customer. */
export const keepsCodes =
  (setsCode: (to: string | null) => boolean) =>
  ({ point, fault: { rule } }: Placed): boolean =>
    rule?.then.otp === undefined || !setsCode(point.to);

/** Returns what points have in common at which a fault shows the same; null if it does so at no two points. */
function sameAt({ kind, template, match, outcome }: Point, { once, rule }: Fault): string | null {
  if (once === true) return `${kind} ${template} ${String(match['type'])} ${outcome ?? ''}`;
  // A fault of each call is the same one at the next call.
  const isOfEach = rule?.pick !== undefined && Object.keys(rule.pick).length === 0 && rule.active === undefined;
  return isOfEach ? JSON.stringify(match) : null;
}

/** Returns the id of the rule that injects a fault, for scenario files, which limit its length and characters. */
export function ruleIdOf({ point: { kind, nth, to }, fault: { id } }: Pick<Placed, 'point' | 'fault'>): string {
  return `${rulePrefix}${kind}-${nth}-${id}${to === null ? '' : to.replace('+', '-')}`;
}

/** A pause comes so long after a step, and a restart a little later, in milliseconds. */
const [pausesMs, restartsMs] = [900, 1_000];

/** Returns the timeline of a story with what a fault adds to it: an event, or a restart of the application. */
export function withFault(timeline: readonly unknown[], placed: Placed): readonly unknown[] {
  const { restart, emit, inbound, pauses, replaced, steps } = placed.fault;
  const { kind, atMs } = placed.point;
  if (inbound) return [...timeline, { at: `+${formatDuration(atMs)}`, inbound }];
  if (steps || replaced)
    return [...timeline.map((entry, i) => (i === replaced?.index ? replaced.step : entry)), ...(steps ?? [])];
  if (emit) return [...timeline, { at: { after: 'first webhook.create', by: '1s' }, emit }];
  if (restart === undefined && pauses !== true) return timeline;
  // Between steps, an application first finishes its calls.
  const at =
    kind === 'application' ? `+${formatDuration(atMs + restartsMs)}` : { after: ruleIdOf(placed), by: restart };
  const pausing = pauses === true ? [{ at: `+${formatDuration(atMs + pausesMs)}`, webhook: { status: 'paused' } }] : [];
  return [...timeline, ...pausing, ...(restart === undefined ? [] : [{ at, restart: true }])];
}

/** The form of a scenario file; null for a fault that no rule injects. */
export function ruleOf(placed: Placed): RuleInput | null {
  const { point, fault } = placed;
  if (fault.rule === undefined) return null;
  const { match, pick = { calls: point.nth }, active, then } = fault.rule;
  // The number is counted per recipient, so a rule for one recipient of a batch could apply to another call.
  const conditions = { ...point.match, ...match };
  return {
    id: ruleIdOf(placed),
    // A review has another hook, after the call that asks for it.
    when: then.review === undefined ? point.when : 'template.review',
    ...(Object.keys(conditions).length > 0 && { match: conditions }),
    ...(Object.keys(pick).length > 0 && { pick }),
    ...(active && { active }),
    then,
  };
}

/** True for a restart while a call has no response yet. */
export const cutsOff = ({ restart, rule }: Fault): boolean =>
  restart !== undefined && rule?.then.respond?.['latency_real'] !== undefined;

/** Returns the attempts of what a fault adds to the story: an event, or a message of a customer. */
export function addedIn({ facts }: Pick<Run, 'facts'>, { fault: { inbound } }: Placed) {
  const isAdded = ({ faults, payload }: Run['facts']['deliveries'][number]) => {
    if (inbound === undefined) return faults?.includes('unknown_type') === true;
    const parts = [inbound['phone'], inbound['url'] ?? inbound['text']];
    return parts.every((part) => payload?.includes(JSON.stringify(part)) === true);
  };
  return facts.deliveries.flatMap((one) => (isAdded(one) ? one.attempts : []));
}
