/** Compares status, keys and forms of values. */
import type { Pair } from './account-play.js';
import { isPropertyName } from './privacy.js';
import { formOf } from './values.js';

/** One difference. Forms stand for values, so that nothing of a capture is shown. */
export interface Difference {
  readonly place: string;
  readonly what: string;
  /** `status`, `header x-event-type`, or the path in the body. */
  readonly at: string;
  readonly theirs: string;
  readonly ours: string;
}

export function differencesIn(pair: Pair): Difference[] {
  const { place, what, theirs, ours } = pair;
  const about = { place, what };
  const status =
    theirs.status === ours.status
      ? []
      : [{ ...about, at: 'status', theirs: String(theirs.status), ours: String(ours.status) }];
  const headers = theirs.headers && ours.headers ? headerDifferences(pair) : [];
  const body = bodyDifferences(theirs.body, ours.body).map((each) => ({ ...about, ...each }));
  return [...status, ...headers, ...body];
}

/** The headers of a delivery that a service adds by itself. */
const isOwn = (name: string): boolean =>
  /^x-/.test(name) && !/^x-(?:forwarded|real-ip|request-id|amzn|cloud|vercel|b3)/.test(name);

function headerDifferences({ place, what, theirs, ours }: Pair): Difference[] {
  const [own, other] = [theirs.headers ?? {}, ours.headers ?? {}];
  const names = [...new Set([...Object.keys(own), ...Object.keys(other)].map((name) => name.toLowerCase()))].filter(
    isOwn,
  );
  return names.flatMap((name) => {
    const [here, there] = [name in own, name in other].map((has) => (has ? 'sent' : 'not sent'));
    return here === there ? [] : [{ place, what, at: `header ${name}`, theirs: here ?? '', ours: there ?? '' }];
  });
}

type BodyDifference = Pick<Difference, 'at' | 'theirs' | 'ours'>;

function bodyDifferences(theirs: unknown, ours: unknown, at = 'body'): BodyDifference[] {
  const bothObjects = [theirs, ours].every((each) => typeof each === 'object' && each !== null);
  if (!bothObjects || Array.isArray(theirs) !== Array.isArray(ours)) {
    const [one, other] = [theirs, ours].map((each) => (each === undefined ? 'nothing' : formOf(each)));
    if (isWording(ours) && typeof theirs === 'string' && /^(?:text|word )/.test(one ?? '')) return [];
    return one === other ? [] : [{ at, theirs: one ?? '', ours: other ?? '' }];
  }
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    // A list of details has as many entries as the validator of the service finds.
    const shared = Math.min(theirs.length, ours.length);
    const length =
      theirs.length !== ours.length && shared === 0
        ? [{ at, theirs: `${theirs.length} entries`, ours: `${ours.length} entries` }]
        : [];
    return [
      ...length,
      ...theirs.slice(0, shared).flatMap((each, index) => bodyDifferences(each, ours[index], `${at}[${index}]`)),
    ];
  }
  const [one, other] = [theirs as Readonly<Record<string, unknown>>, ours as Readonly<Record<string, unknown>>];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
    bodyDifferences(one[key], other[key], `${at}.${isPropertyName(key) ? key : '*'}`),
  );
}

/** A sentence of the sandbox: the service has its own words for it, or a single one. */
const isWording = (value: unknown): boolean => typeof value === 'string' && / /.test(value) && formOf(value) === 'text';
