/**
 * A dialect, compiled: how the sandbox writes errors, responses and events. Everywhere else, its records have our names.
 * Null stands for the default form, which is written without a template.
 */
import { errorTable, type ErrorCode } from '../domain/errors.js';
import { isoTime } from '../domain/instant.js';
import type { Event } from '../domain/rows.js';
import { type EventType, eventTypes } from '../domain/words.js';
import { defaultDialect } from './default.js';
import { timestampForms } from './words.js';
import type { Dialect } from './description.js';
import { shapes, type ShapeKey } from './names.js';
import { compile, type Fill, type Json, type Values } from './template.js';

export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly [more: string]: unknown;
}

export type EventParts = Pick<Event, 'id' | 'type' | 'createdAtMs' | 'data'>;
type Body = Readonly<Record<string, unknown>>;

export interface Wire {
  readonly error: (error: WireError, status: number) => object;
  /** The status of a code; undefined if the table has none. */
  readonly statusOf: (code: string) => number | undefined;
  /** Keys are operationIds. */
  readonly success: Readonly<Record<string, (body: Body) => unknown>>;
  readonly deleted: { readonly status: number; readonly body: ((body: Body) => unknown) | null };
  /** `type` is the type that the text names; default: its own. */
  readonly event: ((event: EventParts, type?: string) => string) | null;
  /** Null: not sent. */
  readonly headers: Dialect['webhooks']['headers'];
  /** Deliveries have the trace of the call that caused them. */
  readonly traces: boolean;
}

const none = { event: null, id: null, delivery: null, attempt: null } as const;
const wires = new WeakMap<Dialect, Wire>();

export function wireOf(dialect: Dialect): Wire {
  const known = wires.get(dialect);
  if (known) return known;
  const wire = compiled(dialect);
  wires.set(dialect, wire);
  return wire;
}

function compiled({ http, errors, webhooks, events, shapes: own }: Dialect): Wire {
  const form = own['ids.timestamp'];
  const write = form === timestampForms[0] ? (instant: string) => instant : writerOf(form);
  const fillOf = (key: ShapeKey, template: Json | undefined): Fill | null =>
    template === undefined ? null : compile(template, shapes[key].names, write);
  const theirs = (code: string) => errors.codes[code as ErrorCode] ?? code;
  const statusOf = (code: string) =>
    Object.hasOwn(errorTable, code)
      ? (errors.status[code as ErrorCode] ?? errorTable[code as ErrorCode].status)
      : undefined;
  const errorShape = fillOf('errors.shape', errors.shape);
  const messageError = fillOf('shapes.message.error', own['message.error']);
  const parts: Parts = {
    write,
    failure: (error) => (error === null || messageError === null ? error : messageError(error as Values)),
    theirs,
    entry: fillOf('shapes.batch.failed', own['batch.failed']),
    item: fillOf('shapes.webhooks.item', own['webhooks.item']),
    list: fillOf('shapes.webhooks.list', own['webhooks.list']),
  };
  const isTimed = form !== timestampForms[0];
  const removal = fillOf('http.deleted.body', http.deleted.body);
  return {
    error: (error, status) => {
      const said = { ...error, code: theirs(error.code) };
      if (errorShape) return errorShape({ ...said, status }) as object;
      return errors.envelope === 'flat' ? said : { error: said };
    },
    statusOf,
    success: successes(parts, {
      times: isTimed,
      failures: messageError !== null,
      batch: parts.entry !== null || messageError !== null || Object.keys(errors.codes).length > 0,
      list: parts.item !== null || parts.list !== null || isTimed,
    }),
    deleted: { status: http.deleted.status, body: removal },
    event: eventWriter(fillOf('webhooks.shape', webhooks.shape), events, parts, isTimed || messageError !== null),
    headers: webhooks.extra_headers ? webhooks.headers : none,
    traces: webhooks.extra_headers,
  };
}

interface Parts {
  readonly write: (instant: string) => string;
  readonly failure: (error: unknown) => unknown;
  readonly theirs: (code: string) => string;
  readonly entry: Fill | null;
  readonly item: Fill | null;
  readonly list: Fill | null;
}

function successes(
  { write, failure, theirs, entry, item, list }: Parts,
  differs: Readonly<Record<'times' | 'failures' | 'batch' | 'list', boolean>>,
): Wire['success'] {
  const timed = (body: Body, ...names: string[]): Body => ({
    ...body,
    ...Object.fromEntries(names.map((name) => [name, write(String(body[name]))])),
  });
  const template = (body: Body) => timed(body, 'created_at');
  const result = (each: Body): unknown => {
    if (each['ok'] !== false) return each;
    const error = each['error'] as WireError;
    const said = { ...error, code: theirs(error.code) };
    return (entry ?? plain)(withError(each, said, failure));
  };
  const listed = (each: Body): unknown => (item ? item(each) : timed(each, 'created_at', 'updated_at'));
  return {
    ...((differs.times || differs.failures) && {
      getMessage: (body) => ({ ...timed(body, 'created_at'), error: failure(body['error']) }),
    }),
    ...(differs.batch && {
      sendMessage: (body) => ('results' in body ? { ...body, results: (body['results'] as Body[]).map(result) } : body),
    }),
    ...(differs.times && {
      sendOtp: (body) => timed(body, 'expires_at'),
      getTemplate: template,
      listTemplates: (body) => ({ templates: (body['templates'] as Body[]).map(template) }),
    }),
    ...(differs.list && {
      listWebhooks: (body) => {
        const items = (body['webhooks'] as Body[]).map(listed);
        return list ? list({ items, count: items.length }) : { webhooks: items };
      },
    }),
  };
}

/** Fills in nothing: the properties of the values themselves, without the names with a dot. */
const plain: Fill = (values) => Object.fromEntries(Object.entries(values).filter(([name]) => !name.includes('.')));

/** `{error}` is the error as the dialect writes it; `{error.code}` is part of ours. */
function withError(values: Values, error: unknown, failure: Parts['failure']): Values {
  const own = Object.entries(error ?? {}).map(([name, value]) => [`error.${name}`, value] as const);
  return { ...values, error: failure(error), ...Object.fromEntries(own) };
}

function eventWriter(
  envelope: Fill | null,
  events: Dialect['events'],
  { write, failure }: Parts,
  changesData: boolean,
): Wire['event'] {
  if (envelope === null && !changesData && eventTypes.every((type) => events[type] === undefined)) return null;
  const fills = new Map<EventType, Fill>();
  for (const type of eventTypes) {
    const template = events[type];
    if (template !== undefined) fills.set(type, compile(template, shapes[`events.${type}`].names, write));
  }
  return (event, type = event.type) => {
    const { id, createdAtMs, data } = event;
    const createdAt = isoTime(createdAtMs);
    const error = data['error'];
    // Most events have no error, and no name with a dot is needed for null.
    const values = error === undefined || error === null ? data : withError(data, error, failure);
    const fill = fills.get(event.type);
    const shaped = fill ? fill(values, { id, type, created_at: createdAt }) : plain(withTimes(values, write));
    if (envelope) return JSON.stringify(envelope({ id, type, created_at: createdAt, data: shaped }));
    return JSON.stringify({ id, type, created_at: write(createdAt), data: shaped });
  };
}

/** The event is not stored. */
export function eventText({ event: write }: Wire, event: EventParts, type: string = event.type): string {
  if (write) return write(event, type);
  const { id, createdAtMs, data } = event;
  return JSON.stringify({ id, type, created_at: isoTime(createdAtMs), data });
}

function withTimes(values: Values, write: Parts['write']): Values {
  const times = ['timestamp', 'verified_at'].flatMap((name) =>
    typeof values[name] === 'string' ? [[name, write(values[name])] as const] : [],
  );
  return { ...values, ...Object.fromEntries(times) };
}

/** The form is such as `YYYY-MM-DDTHH:mm:ssZ`. */
function writerOf(form: string): (instant: string) => string {
  const [, digits = '', zone = 'Z'] = /ss(?:\.(s+))?(Z|\+00:00)$/.exec(form) ?? [];
  return (instant) => {
    const fraction = digits === '' ? '' : `.${instant.slice(20, 23).padEnd(digits.length, '0')}`;
    return instant.slice(0, 19) + fraction + zone;
  };
}

/** The control plane, whose forms no dialect changes. */
export const defaultWire = wireOf(defaultDialect);
