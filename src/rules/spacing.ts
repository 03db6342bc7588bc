import type { Spacing } from '../language/expect.js';
import { formatDuration, parseDuration } from '../time/duration.js';
import { fieldOf, momentOf, type EvidenceRecord } from './evidence.js';

/** Timers of clients, and the network, are not exact to the millisecond. */
const GRACE_MS = 20;
/**
 * A step of a timeline repeats a call at its minute, although the response came some milliseconds after the first one.
 */
const graceOf = (waitMs: number): number => Math.max(GRACE_MS, Math.min(1000, waitMs / 20));

/**
 * With `retry_after`, the gap between a request and the earlier request that it repeats, if that got a Retry-After
 * header. `identityOf` is the same for both.
 */
export function spaced(
  spacing: Spacing,
  found: readonly EvidenceRecord[],
  identityOf: (record: EvidenceRecord) => string,
): SpacingResult {
  if (spacing.per !== 'phone') return spacedAll(spacing, found, identityOf);
  const phones = new Set(found.flatMap(phonesOf));
  const results = [...phones].map((phone) => {
    const about = found.filter((record) => phonesOf(record).includes(phone));
    return { phone, ...spacedAll(spacing, about, identityOf) };
  });
  const wrong = results.find(({ passed }) => !passed);
  const { expected } = spacedAll(spacing, [], identityOf);
  if (wrong === undefined)
    return { passed: true, expected: `${expected}, for each number`, found: `all ${found.length} are` };
  const records = results.flatMap((result) => result.records ?? []);
  return {
    passed: false,
    expected: `${expected}, for each number`,
    found: `to ${wrong.phone}: ${wrong.found}`,
    records,
  };
}

interface SpacingResult {
  readonly passed: boolean;
  readonly expected: string;
  readonly found: string;
  readonly records?: readonly EvidenceRecord[];
}

function phonesOf({ to, from }: EvidenceRecord): string[] {
  return [to ?? from].flat().filter((phone) => typeof phone === 'string');
}

function spacedAll(
  { min, max }: Spacing,
  found: readonly EvidenceRecord[],
  identityOf: (record: EvidenceRecord) => string,
): SpacingResult {
  const asked = new Map<string, { readonly fromMs: number; readonly realMs: number; readonly waitMs: number }>();
  const minMs = min === undefined || min === 'retry_after' ? 0 : parseDuration(min);
  const maxMs = max === undefined ? Infinity : parseDuration(max);
  const wrong: { record: EvidenceRecord; gapMs: number; wantedMs: number }[] = [];
  for (const [index, record] of found.entries()) {
    const { atMs } = momentOf(record);
    const before = found[index - 1];
    const gapMs = before === undefined ? undefined : atMs - momentOf(before).atMs;
    if (gapMs !== undefined && (gapMs + GRACE_MS < minMs || gapMs > maxMs)) {
      wrong.push({ record, gapMs, wantedMs: minMs });
    }
    if (min !== 'retry_after') continue;
    const identity = identityOf(record);
    const last = asked.get(identity);
    // An application that sleeps in real time while a test holds the account's clock has waited as well.
    const waitedMs = last && Math.max(atMs - last.fromMs, realOf(record, 'realMs') - last.realMs || 0);
    if (last && waitedMs !== undefined && waitedMs + graceOf(last.waitMs) < last.waitMs) {
      wrong.push({ record, gapMs: waitedMs, wantedMs: last.waitMs });
    }
    const seconds = retryAfterOf(record);
    if (Number.isFinite(seconds)) {
      asked.set(identity, { fromMs: atMs, realMs: realOf(record, 'realEndMs'), waitMs: seconds * 1000 });
    } else asked.delete(identity);
  }
  const least = min === 'retry_after' ? 'as long apart as Retry-After says' : `${min} apart`;
  const expected = [
    ...(min === undefined ? [] : [`at least ${least}`]),
    ...(max === undefined ? [] : [`at most ${max} apart`]),
  ].join(', ');
  const [first] = wrong;
  if (first === undefined) return { passed: true, expected, found: `all ${found.length} are` };
  const instead = min === 'retry_after' ? ` instead of ${formatDuration(first.wantedMs)}` : '';
  return {
    passed: false,
    expected,
    found: `${wrong.length} are not, the first comes after ${formatDuration(first.gapMs)}${instead}`,
    records: wrong.map(({ record }) => record),
  };
}

/** NaN if it is unknown. */
function realOf(record: EvidenceRecord, name: 'realMs' | 'realEndMs'): number {
  const value = record[name];
  return typeof value === 'number' ? value : NaN;
}

function retryAfterOf(record: EvidenceRecord): number {
  const headers = Object.entries((fieldOf(record, 'response.headers') ?? {}) as Record<string, unknown>);
  return Number(headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1] ?? NaN);
}
