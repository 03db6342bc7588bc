/**
 * A message at rest: one JSON array without what can be told from the rest of it. Exact: what is made of the text is the
 * message that it was made of.
 */
import type { Message, MessageContent, MessageStatus, StatusEntry, TemplateCopy } from '../../domain/message.js';
import { serialOf, wamidOf } from '../../random/wamid.js';
import { fieldCount } from './field-count.js';
import { LatestTemplate } from './latest-template.js';
import { Settled, type Settling } from './settled.js';
import type { SharedParts } from './shared-parts.js';

/** The way of nearly every message: its history is then the distances between the instants. */
const usualWay = ['accepted', 'sent', 'delivered', 'read'] as const;

/** What the text begins with, for the indexes. */
const keys = /^\["([^"\\]*)","([^"\\]*)","([^"\\]*)","([^"\\]*)",/;

/** A template copy without its variables is a shared part. */
type PackedContent = MessageContent | { readonly template: number; readonly variables: readonly string[] };

type Packed = [
  origin: string,
  customer: string,
  type: string,
  status: string,
  /** Of the channel's id what does not follow from the customer; null where that is no part of it. */
  serial: string | null,
  createdAtMs: number,
  history: readonly number[] | readonly StatusEntry[],
  content: PackedContent,
  explain: number | Message['explain'],
  rest?: Rest,
];

interface Rest {
  readonly error?: Message['error'];
  readonly batch?: number;
  readonly wamid?: string;
  readonly [field: string]: unknown;
}

export function messageSettling(parts: SharedParts, newest: number): Settling<Message> {
  const templates = new LatestTemplate(parts);
  return {
    newest,
    parts,
    isSettled: ({ status }) => status === 'read' || status === 'failed' || status === 'received',
    pack: (message) => new Settled(message.id, message.seq, JSON.stringify(packed(message, parts, templates))),
    unpack: unpacked,
    keysOf: (settled) => keysOf(settled) ?? unpacked(settled, parts.values),
  };
}

/** The origin, customer, type and status, without the rest. */
function keysOf({ id, seq, text }: Settled): Message | null {
  const [, origin, customer, type, status] = keys.exec(text) ?? [];
  return origin === undefined ? null : ({ id, seq, origin, customer, type, status } as Message);
}

function packed(message: Message, parts: SharedParts, templates: LatestTemplate): Packed {
  const { id: _id, seq: _seq, wamid, origin, customer, type, content, status, error, createdAtMs, ...more } = message;
  const { history, batchId, explain, ...unknown } = more;
  const batch = batchId === undefined ? null : parts.numberOf(batchId);
  const serial = serialOf(customer, wamid);
  const rest: Rest = {
    ...unknown,
    ...(serial === null && { wamid }),
    ...(error !== null && { error }),
    ...(batch !== null ? { batch } : batchId !== undefined && { batchId }),
  };
  const usual: Packed = [
    origin,
    customer,
    type,
    status,
    serial,
    createdAtMs,
    distances(history, createdAtMs) ?? history,
    packedContent(content, templates),
    parts.numberOf(explain) ?? explain,
  ];
  if (fieldCount(rest) > 0) usual.push(rest);
  return usual;
}

function unpacked({ id, seq, text }: Settled, parts: readonly unknown[]): Message {
  const row = JSON.parse(text) as Packed;
  const [origin, customer, type, status, serial, createdAtMs, history, content, explain, rest = {}] = row;
  const { error = null, batch, wamid = wamidOf(customer, serial ?? ''), ...more } = rest;
  return {
    id,
    seq,
    wamid,
    origin: origin as Message['origin'],
    customer,
    type,
    content: unpackedContent(content, parts),
    status: status as Message['status'],
    error,
    createdAtMs,
    history: typeof history[0] === 'object' ? (history as StatusEntry[]) : usual(history as number[], createdAtMs),
    ...(batch !== undefined && { batchId: parts[batch] as string }),
    ...more,
    explain: typeof explain === 'number' ? (parts[explain] as Message['explain']) : explain,
  };
}

function packedContent(content: MessageContent, templates: LatestTemplate): PackedContent {
  if (!content.template || fieldCount(content) > 1) return content;
  const { variables, ...same } = content.template;
  const template = templates.numberOf(same);
  return template === null ? content : { template, variables };
}

function unpackedContent(content: PackedContent, parts: readonly unknown[]): MessageContent {
  if (!('template' in content) || typeof content.template !== 'number') return content as MessageContent;
  const { buttons, ...same } = parts[content.template] as Omit<TemplateCopy, 'variables'>;
  const { variables } = content as { variables: readonly string[] };
  return { template: { ...same, variables, ...(buttons && { buttons }) } };
}

/** Null for a history that went another way or says more. */
function distances(history: readonly StatusEntry[], createdAtMs: number): number[] | null {
  const found: number[] = [];
  for (let i = 0; i < history.length; i += 1) {
    const entry = history[i] as StatusEntry;
    const distance = entry.atMs - createdAtMs;
    // A sum of fractions is not what it was taken apart from.
    if (entry.status !== usualWay[i] || fieldCount(entry) > 2 || !Number.isInteger(entry.atMs)) return null;
    if (!Number.isInteger(createdAtMs)) return null;
    found.push(distance);
  }
  return found;
}

function usual(distances: readonly number[], createdAtMs: number): StatusEntry[] {
  return distances.map((distance, i) => ({ status: usualWay[i] as MessageStatus, atMs: createdAtMs + distance }));
}
