/** Generates calls of an operation, valid and nearly valid, with the expected result. */
import type { ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { Operation, Parameter } from './operations.js';
import type { Schema } from './schema.js';
import { fieldName, spoiled } from './spoil.js';
import { anyText } from './texts.js';
import { valid } from './valid.js';

export interface Call {
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** Whether the document accepts it: `refused` must get 400, `taken` must not be rejected as malformed. */
  readonly fate: 'taken' | 'refused' | 'unsupported' | 'open';
  /** The invalid field, if the generator knows it. */
  readonly field: string | null;
  readonly how: string;
}

/** Ids of existing records, by the path segment before them. */
export type Pool = Readonly<Record<string, readonly string[]>>;

interface Argument {
  /** Null to omit it. */
  readonly texts: readonly string[] | null;
  readonly fate: Call['fate'];
}

interface Body {
  readonly bytes: Buffer | null;
  readonly type: string;
  readonly fate: Call['fate'];
  readonly field: string | null;
  readonly how: string;
}

export function callsOf(operation: Operation, pool: Pool, judge: ValidateFunction | null): fc.Arbitrary<Call> {
  const { parameters, method } = operation;
  const args = fc.tuple(...parameters.map((parameter) => argument(operation, parameter, pool)));
  const extraQuery = fc.option(
    fc.constantFrom('colour=red', '__proto__=1', 'limit', 'after=', '=', '&&', 'a[b]=1', '%zz=%'),
    {
      freq: 12,
    },
  );
  return fc.tuple(args, body(operation, judge), extraQuery, headers(operation)).map(([given, sent, extra, more]) => {
    const at = (place: Parameter['in']) =>
      parameters.flatMap((parameter, index) => {
        const argument = given[index];
        return parameter.in === place && argument?.texts
          ? [{ name: parameter.name, ...argument, texts: argument.texts }]
          : [];
      });
    const query = at('query').flatMap(({ name, texts }) => texts.map((text) => `${name}=${encoded(text)}`));
    if (extra !== null) query.push(extra);
    const path = at('path').reduce(
      (text, { name, texts }) => text.replace(`{${name}}`, encoded(texts[0] ?? 'x') || 'x'),
      operation.path,
    );
    const fates = [sent.fate, ...given.map((argument) => argument.fate), ...(extra === null ? [] : ['open' as const])];
    return {
      method,
      target: query.length === 0 ? path : `${path}?${query.join('&')}`,
      headers: { ...(sent.bytes !== null && { 'content-type': sent.type }), ...more },
      body: sent.bytes,
      // Node rejects a head of 16 KB before our code sees the call.
      fate: path.length + query.join('&').length > mostTarget ? 'open' : worst(fates),
      // If several things are wrong, it is unknown which is reported first.
      field: fates.filter((fate) => fate !== 'taken').length === 1 ? sent.field : null,
      how: sent.how,
    };
  });
}

/** Number of characters of a target that certainly fit into a request's head. */
const mostTarget = 12_000;

/** Only one error per call: more of them, or an unknown result, could not be checked. */
function worst(fates: readonly Call['fate'][]): Call['fate'] {
  return (['unsupported', 'refused', 'open'] as const).find((fate) => fates.includes(fate)) ?? 'taken';
}

/** Percent-encodes a text; half a surrogate pair has no bytes and becomes the replacement character. */
function encoded(text: string): string {
  const whole = text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
  // A query must not contain the characters that encodeURIComponent leaves unchanged.
  return encodeURIComponent(whole).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

function argument({ document, path }: Operation, parameter: Parameter, pool: Pool): fc.Arbitrary<Argument> {
  const { name, schema, required } = parameter;
  const segment = /\/([\w-]+)\/\{\w+\}/.exec(path)?.[1] ?? '';
  const known = parameter.in === 'path' ? (pool[segment] ?? []) : (pool[name] ?? []);
  const good = valid(document, schema, name).map((value) => ({ texts: [String(value)], fate: 'taken' as const }));
  const there =
    known.length === 0 ? good : fc.constantFrom(...known).map((text) => ({ texts: [text], fate: 'taken' as const }));
  const odd = anyText.map((text) => ({ texts: [text], fate: fateOf(schema, text) }));
  const wrong = fc
    .constantFrom('abc', '1.5', '-1', '99999999999999999999', '', 'nonsense', '1e3', '0x10', ' 1')
    .map((text) => ({ texts: [text], fate: fateOf(schema, text) }));
  if (parameter.in === 'path') {
    return fc
      .oneof({ weight: 6, arbitrary: there }, { weight: 1, arbitrary: good }, { weight: 2, arbitrary: odd })
      .map((found) => ({
        ...found,
        // An empty segment is a different path.
        fate: found.texts[0] === '' ? ('open' as const) : found.fate,
      }));
  }
  const twice = good.map(({ texts }) => ({ texts: [...texts, ...texts], fate: 'open' as const }));
  const absent = fc.constant({ texts: null, fate: required ? ('refused' as const) : ('taken' as const) });
  return fc.oneof(
    { weight: required ? 1 : 16, arbitrary: absent },
    { weight: 4, arbitrary: good },
    { weight: 2, arbitrary: there },
    { weight: 1, arbitrary: odd },
    { weight: 1, arbitrary: wrong },
    { weight: 1, arbitrary: twice },
  );
}

/** Only certain results: the text of a number may be read in several ways. */
function fateOf(schema: Schema, text: string): Call['fate'] {
  const { type, pattern, maximum, minLength } = schema as {
    type?: string;
    pattern?: string;
    maximum?: number;
    minLength?: number;
  };
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(text) ? 'taken' : text === '' ? 'open' : 'refused';
  if (type === 'boolean') return /^(?:true|false)$/.test(text) ? 'taken' : 'open';
  if (type === 'integer') {
    if (/^\d{1,15}$/.test(text)) return Number(text) > (maximum ?? Infinity) ? 'refused' : 'open';
    return /^[a-z]+$/.test(text) ? 'refused' : 'open';
  }
  if (pattern !== undefined) return new RegExp(pattern, 'u').test(text) ? 'open' : text === '' ? 'open' : 'refused';
  return minLength !== undefined && text === '' ? 'open' : 'taken';
}

const jsonTypes = ['application/json', 'application/json; charset=utf-8', 'Application/JSON'];
const otherTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/jsonp',
  '*/*',
  'application/json5',
  ';',
];

function body(
  { body: schema, document, bodyRequired, id }: Operation,
  judge: ValidateFunction | null,
): fc.Arbitrary<Body> {
  const none: Body = { bytes: null, type: '', fate: 'taken', field: null, how: 'no body' };
  if (!schema || !judge) return fc.constant(none);
  const good = valid(document, schema);
  const judged = (value: unknown, field: string | null, how: string): Body => {
    const text = JSON.stringify(value);
    const found = fate(judge, text);
    // The changed value may be valid after all, and another one invalid.
    const isTold = field !== null && faultyFields(judge).some((name) => name === field || name.startsWith(field));
    return { bytes: Buffer.from(text), type: 'application/json', ...found, field: isTold ? field : null, how };
  };
  const raw = fc.tuple(good, fc.nat(), anyText).map(([value, way, text]) => {
    const bytes = broken(JSON.stringify(value), way, text);
    return { bytes, type: 'application/json', ...fate(judge, bytes.toString('utf8')), field: null, how: 'raw' };
  });
  const typed = fc.tuple(good, fc.constantFrom(...jsonTypes, ...otherTypes)).map(([value, type]) => ({
    ...judged(value, null, `as ${type}`),
    type,
    ...(otherTypes.includes(type) && { fate: id === 'receiveAtSink' ? ('open' as const) : ('unsupported' as const) }),
  }));
  const absent: Body = { ...none, fate: bodyRequired ? 'refused' : 'taken' };
  return fc.oneof(
    { weight: 6, arbitrary: good.map((value) => judged(value, null, 'valid')) },
    {
      weight: 10,
      arbitrary: spoiled(document, schema, good).map(({ value, field, how }) =>
        judged(value, field, `${field}: ${how}`),
      ),
    },
    { weight: 2, arbitrary: raw },
    { weight: 1, arbitrary: typed },
    { weight: bodyRequired ? 1 : 3, arbitrary: fc.constant(absent) },
  );
}

function fate(judge: ValidateFunction, text: string): { fate: Call['fate'] } {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return { fate: text === '' ? 'open' : 'refused' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { fate: 'refused' };
  return { fate: judge(value) ? 'taken' : 'refused' };
}

/** The places that the validator has just reported, in the form of error details. */
function faultyFields({ errors }: ValidateFunction): string[] {
  return (errors ?? []).map(({ instancePath, params }) => {
    const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
    const more = missingProperty ?? additionalProperty;
    const parts = instancePath.split('/').slice(1);
    const path = parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    return fieldName(more === undefined ? path : [...path, more]);
  });
}

/** Serialises JSON in an unusual way. */
function broken(text: string, way: number, odd: string): Buffer {
  const inner = text.slice(1, -1);
  const key = JSON.stringify(odd);
  const ways: (() => string | Buffer)[] = [
    () => text.slice(0, -1 - (way % Math.max(1, text.length - 1))),
    () => `${text}${text}`,
    () => `{${inner}${inner === '' ? '' : ','}${inner}}`,
    () => `{"__proto__":{"to":1,"type":"text"}${inner === '' ? '' : ','}${inner}}`,
    () => `{${inner}${inner === '' ? '' : ','}"constructor":{"prototype":{"x":1}}}`,
    () => `\ufeff${text}`,
    () => `  \n\t${text}\r\n `,
    () => `{${inner}${inner === '' ? '' : ','}${key}:1e400}`,
    () => text.replace(/\d+/, '1e400'),
    () => text.replace(/"[^"]*"/, '"\\ud800"'),
    () => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe, 0x7d])]),
    () => Buffer.from(text, 'utf16le'),
    () => `{${inner},}`,
    () => `/* c */${text}`,
    () => text.replaceAll('"', "'"),
    () => '',
    () => 'null',
    () => key,
    () => `[${text}]`,
    () => `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
    () => '['.repeat(2000),
  ];
  return Buffer.from(ways[way % ways.length]?.() ?? text);
}

function headers({ plane }: Operation): fc.Arbitrary<Readonly<Record<string, string>>> {
  const harmless = fc.constantFrom<Readonly<Record<string, string>>>(
    { accept: 'text/html' },
    { 'if-none-match': '*' },
    { range: 'bytes=0-1' },
    { cookie: 'a=b; __proto__=c' },
    { 'x-forwarded-host': 'evil.example' },
    { 'x-http-method-override': 'DELETE' },
    { te: 'trailers' },
  );
  const wishes = fc.constantFrom(
    'status=429; retry_after=2s',
    'lifecycle=blocked',
    'status=abc',
    '=;;',
    'status=200; status=500',
    '\u0080',
    ' ',
  );
  const prefer = wishes.map((text) => ({ 'x-sandbox-prefer': text }));
  return fc.oneof(
    { weight: 20, arbitrary: fc.constant({}) },
    { weight: 2, arbitrary: harmless },
    ...(plane === 'api' ? [{ weight: 1, arbitrary: prefer as fc.Arbitrary<Readonly<Record<string, string>>> }] : []),
  );
}
