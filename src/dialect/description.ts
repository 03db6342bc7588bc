/** The types, the reader, the JSON Schema and the table in docs/assumptions.md are made from this description. */
import { createRequire } from 'node:module';
import type { z as Zod } from 'zod';
import type { ErrorCode } from '../domain/errors.js';
import { apiCodes, codesWithStatus, timestampForms } from './words.js';
import { shapes, type Shape, type ShapeKey } from './names.js';
import { faultsOfShape } from './shape-faults.js';
import type { Json } from './template.js';

/** Loaded with the first dialect file. */
let loaded: typeof Zod | undefined;
const zod = () => (loaded ??= (createRequire(import.meta.url)('zod') as { z: typeof Zod }).z);

const errorStatus = { least: 400, most: 599 } as const;
const statusText = `a whole number from ${errorStatus.least} to ${errorStatus.most}`;

/** A choice, the default first. */
function choice<const Value extends string | number | boolean>(about: string, ...allowed: [Value, ...Value[]]) {
  const words = allowed.map((value) => JSON.stringify(value)).join(' or ');
  return zod().literal(allowed, words).default(allowed[0]).meta({ description: about });
}

function shape(key: ShapeKey) {
  const it: Shape = shapes[key];
  return zod()
    .custom<Json>(() => true)
    .superRefine((value, context) => {
      for (const { path, message } of faultsOfShape(key, value))
        context.addIssue({ code: 'custom', path: [...path], message });
    })
    .optional()
    .meta({ description: it.about });
}

/** Headers of a delivery that no dialect names: the sandbox sends them itself, or HTTP has a meaning for them. */
const taken = new Set([
  ...['x-service-signature', 'content-type', 'user-agent', 'traceparent', 'tracestate', 'baggage'],
  ...['host', 'connection', 'keep-alive', 'proxy-connection', 'upgrade', 'te', 'trailer', 'transfer-encoding'],
  ...['content-length', 'content-encoding', 'expect', 'date', 'accept', 'accept-encoding', 'authorization', 'cookie'],
]);
const headerText =
  'the name of a header (1 to 100 letters, digits or hyphens) other than X-Service-Signature (section 5), Content-Type, traceparent and the headers of HTTP, or null to send none';

function header(name: string, about: string) {
  const z = zod();
  return z
    .union([z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, headerText), z.null()], headerText)
    .refine((value) => value === null || !taken.has(value.toLowerCase()), headerText)
    .default(name)
    .meta({ description: about });
}

function describe() {
  const z = zod();
  const theirCode = z
    .string('a text of 1 to 100 characters without spaces')
    .regex(/^[^\s{}]{1,100}$/, 'a text of 1 to 100 characters without spaces');

  const enumOf = (codes: readonly ErrorCode[]) => z.enum(codes as [ErrorCode, ...ErrorCode[]]);

  return z.strictObject({
    http: z
      .strictObject({
        created: choice('Status of a created template or a registered endpoint', 200, 201),
        deleted: z
          .strictObject({
            status: choice('Status of the response to a removal', 204, 200, 202),
            body: shape('http.deleted.body'),
          })
          .prefault({}),
      })
      .prefault({}),
    errors: z
      .strictObject({
        envelope: choice(
          'Short form of `errors.shape`. `nested`: the error is in an object `error`. `flat`: the body is the error object',
          'nested',
          'flat',
        ),
        shape: shape('errors.shape'),
        status: z
          .partialRecord(
            enumOf(codesWithStatus),
            z.int(statusText).min(errorStatus.least, statusText).max(errorStatus.most, statusText),
          )
          .default({})
          .meta({ description: 'Status of an error' }),
        codes: z.partialRecord(enumOf(apiCodes), theirCode).default({}).meta({ description: 'Code of an error' }),
      })
      .prefault({}),
    otp: z
      .strictObject({
        lock: choice(
          'Call that is the first to get the error `otp_max_attempts`. `next_call`: the last allowed wrong code still gets `valid: false`, and the call after it gets the error. `same_call`: the last allowed wrong code gets the error',
          'next_call',
          'same_call',
        ),
      })
      .prefault({}),
    webhooks: z
      .strictObject({
        extra_headers: choice('Headers of deliveries in addition to the signature', true, false),
        headers: z
          .strictObject({
            event: header('X-Service-Event', 'Header with the type of the event'),
            id: header('X-Service-Event-Id', 'Header with the id of the event'),
            delivery: header('X-Service-Delivery', 'Header with the id of the delivery'),
            attempt: header('X-Service-Attempt', 'Header with the number of the attempt'),
          })
          .prefault({}),
        resume: choice(
          'Events that a paused endpoint gets when its URL is registered again. `new`: only later events. `held`: later events, and the events that it missed during the pause',
          'new',
          'held',
        ),
        shape: shape('webhooks.shape'),
      })
      .prefault({}),
    events: z
      .strictObject({
        'message.received': shape('events.message.received'),
        'message.status': shape('events.message.status'),
        'otp.verified': shape('events.otp.verified'),
        'template.status': shape('events.template.status'),
      })
      .prefault({}),
    shapes: z
      .strictObject({
        'message.error': shape('shapes.message.error'),
        'batch.failed': shape('shapes.batch.failed'),
        'webhooks.item': shape('shapes.webhooks.item'),
        'webhooks.list': shape('shapes.webhooks.list'),
        'ids.timestamp': choice('Form of every timestamp', ...timestampForms),
      })
      .prefault({}),
  });
}

let description: ReturnType<typeof describe> | undefined;
const described = () => (description ??= describe());

export type Dialect = Zod.output<ReturnType<typeof describe>>;
export type DialectFile = Zod.input<ReturnType<typeof describe>>;

export function dialectOf(file: DialectFile): Dialect {
  return described().parse(file);
}

/** Keys with dots are left to the reader. */
export function dialectSchema(): object {
  const schema = zod().toJSONSchema(described(), { target: 'draft-7', io: 'input', unrepresentable: 'any' });
  return { ...schema, patternProperties: { '\\.': {} } };
}

export interface Setting {
  /** Dotted: `errors.status.otp_expired`. */
  readonly key: string;
  readonly path: readonly string[];
  readonly schema: Zod.ZodType;
  readonly about: string;
  /** The allowed values, the default first; none if it is open. */
  readonly allowed: readonly (string | number | boolean)[];
}

function settingsIn(schema: Zod.ZodType, path: readonly string[], about = ''): Setting[] {
  const z = zod();
  const said = schema.meta()?.description ?? about;
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional)
    return settingsIn(schema.unwrap() as Zod.ZodType, path, said);
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as Record<string, Zod.ZodType>).flatMap(([key, each]) =>
      settingsIn(each, [...path, key]),
    );
  if (schema instanceof z.ZodRecord)
    return (schema.keyType as Zod.ZodEnum).options.map(String).map((code) => ({
      ...{ key: [...path, code].join('.'), path: [...path, code], about: said, allowed: [] },
      schema: schema.valueType as Zod.ZodType,
    }));
  const allowed = schema instanceof z.ZodLiteral ? ([...schema.values] as (string | number | boolean)[]) : [];
  return [{ key: path.join('.'), path, schema, about: said, allowed }];
}

let settings: readonly Setting[] | undefined;

export const allSettings = (): readonly Setting[] => (settings ??= settingsIn(described(), []));

/** One setting for all codes stands for one per error code. */
export function dialectSettings(): Setting[] {
  return allSettings().flatMap((setting) => {
    const [section, name, code] = setting.path;
    if (section !== 'errors' || code === undefined) return [setting];
    return code === apiCodes[0] ? [{ ...setting, key: `errors.${name}.CODE` }] : [];
  });
}
