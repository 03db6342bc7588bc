/** Reads HTTP Archives, and webhooks as raw requests or NDJSON. */
import { decoded, json } from './capture-bytes.js';
import {
  type CapturedCall,
  type CapturedEvent,
  entryOf,
  eventOf,
  type Headers,
  isFields,
  lowerCase,
  type ReadEntry,
  UnreadableEntry,
} from './capture-entry.js';

export type { CapturedCall, CapturedEvent } from './capture-entry.js';

export interface Capture {
  readonly calls: readonly CapturedCall[];
  readonly events: readonly CapturedEvent[];
  /** Entries that cannot be read, with the reason. */
  readonly skipped: readonly { readonly place: string; readonly why: string }[];
}

/** A file that holds no traffic in a known form. */
export class CaptureError extends Error {
  override readonly name = 'CaptureError';
}

export function readCapture(files: readonly { readonly name: string; readonly bytes: Buffer }[]): Capture {
  const parts = files.map(({ name, bytes }) => partOf(name, bytes));
  return {
    calls: parts
      .flatMap(({ calls }) => calls)
      .map((call, index) => ({ call, index }))
      .sort((a, b) => (a.call.atMs ?? 0) - (b.call.atMs ?? 0) || a.index - b.index)
      .map(({ call }) => call),
    events: parts.flatMap(({ events }) => events),
    skipped: parts.flatMap(({ skipped }) => skipped),
  };
}

const inEachLine = '{"headers", "body"} or {"request", "response"} in each line';

function partOf(name: string, bytes: Buffer): Capture {
  const text = decoded(bytes, '')
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  const whole = json(text);
  const entries = (whole as { log?: { entries?: unknown } } | null | undefined)?.log?.entries;
  if (Array.isArray(entries))
    return archive(
      name,
      entries.map((value: unknown, index) => ({ place: `${name}#${index + 1}`, value })),
    );
  const raw = /^((?:[^\r\n]+\r?\n)+)\r?\n([\s\S]*)$/.exec(text);
  const headers = raw && headersOfLines(raw[1] ?? '');
  if (headers) return { calls: [], events: [eventOf(name, null, headers, raw[2] ?? '')], skipped: [] };
  const rows = isRow(whole) ? [{ line: 1, value: whole }] : rowsOf(text);
  if (rows.some(({ value }) => isRow(value))) {
    const broken = rows.filter(({ value }) => value === undefined).map(({ line }) => line);
    if (broken.length === 0)
      return archive(
        name,
        rows.map(({ line, value }) => ({ place: `${name}#${line}`, value })),
      );
    throw new CaptureError(
      `${name} has lines that are not JSON: ${broken.slice(0, 5).join(', ')}${broken.length > 5 ? ', …' : ''}. NDJSON has ${inEachLine}. Repair these lines, or remove them.`,
    );
  }
  const cut =
    whole === undefined && /^\s*[[{]/.test(text) ? ' It begins as JSON and is none; it may have been cut off.' : '';
  throw new CaptureError(
    `${name} is neither an HTTP Archive ({"log": {"entries": […]}}), nor NDJSON (${inEachLine}), nor a request with headers, an empty line and its body.${cut} Export the traffic as HAR, or save each webhook with its headers.`,
  );
}

/** Undefined is a line that is not JSON. */
function rowsOf(text: string): { line: number; value: unknown }[] {
  return text
    .split(/\r?\n/)
    .flatMap((row, index) => (row.trim() === '' ? [] : [{ line: index + 1, value: json(row) }]));
}

const isRow = (value: unknown): boolean =>
  isFields(value) && ['request', 'response', 'headers', 'body'].some((key) => key in value);

/** Entries of an HTTP Archive, or of the lines that a proxy of the user's own writes. */
function archive(name: string, entries: readonly { readonly place: string; readonly value: unknown }[]): Capture {
  const read: ReadEntry[] = [];
  const skipped: { place: string; why: string }[] = [];
  for (const { place, value } of entries)
    try {
      read.push(entryOf(value, place));
    } catch (error) {
      if (!(error instanceof UnreadableEntry)) throw error;
      skipped.push({ place, why: error.message });
    }
  const hasKeys = read.some((entry) => 'call' in entry && entry.authorization !== '');
  return {
    calls: read.flatMap((entry) =>
      'call' in entry && entry.call !== null
        ? [{ ...entry.call, account: hasKeys ? accountOf(entry.authorization, name) : name }]
        : [],
    ),
    events: read.flatMap((entry) => ('event' in entry ? [entry.event] : [])),
    skipped,
  };
}

/** Without its keys, as browsers and journals save it, an archive is of one account. */
function accountOf(authorization: string, file: string): string {
  return /redacted|removed|hidden|\*\*|[…[<]/i.test(authorization) ? file : authorization;
}

/** A request line can come first. */
function headersOfLines(text: string): Headers | null {
  const lines = text.split(/\r?\n/).filter(Boolean);
  const own = /^[A-Z]+ \S+ HTTP\//.test(lines[0] ?? '') ? lines.slice(1) : lines;
  const pairs = own.map((line) => /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)$/.exec(line));
  if (pairs.some((pair) => pair === null)) return null;
  return lowerCase(pairs.map((pair) => ({ name: pair?.[1] ?? '', value: pair?.[2] ?? '' })));
}
