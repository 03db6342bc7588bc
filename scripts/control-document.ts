/**
 * Completes the document of the control plane. Its source, src/http/control/openapi.yaml, leaves out what is the same in
 * many places and says in short what follows a pattern:
 *
 * - A tag names the first segments of its paths in `x-paths`, if they are not the tag itself.
 * - A `$ref` is the name of a schema. `x-nullable` adds null to it. `x-one-of` is a long `enum` of words.
 * - An object has `properties` and no `type`. One that callers send is closed and lists what is `required`. Of any other
 *   one, every property is required but those in `x-optional`.
 * - A parameter without `schema` has a text, one of `enum`, or `x-words` with commas; without `in`, it is in the query.
 * - `x-parameters` names shared parameters, `x-data-filters` those that are also there with the prefix `data.`;
 *   `x-filters-of` takes those of a list, and `x-waits-for` those of several lists.
 * - `x-body` names the schema of a JSON body (`?`: optional), `x-yaml` that of the same in YAML.
 * - `x-returns` is the successful response: a `schema`, a `list` of one, text of other `types`, or nothing (204).
 * - `x-errors` names error responses. Those that every call can get are added to all, and NotFound to a path with an id.
 */
import { operationsOf, type OpenApi } from './openapi.js';

type Json = Record<string, unknown>;

interface Source {
  readonly description: string;
  readonly parameters?: Json[];
  readonly 'x-parameters'?: string;
  readonly 'x-data-filters'?: string;
  readonly 'x-filters-of'?: string;
  readonly 'x-waits-for'?: Readonly<Record<string, string>>;
  readonly 'x-body'?: string;
  readonly 'x-yaml'?: string;
  readonly 'x-example'?: unknown;
  readonly 'x-returns'?: Returns;
  readonly 'x-errors'?: string;
  readonly requestBody?: object;
  readonly responses?: Json;
}

interface Returns {
  readonly description: string;
  readonly schema?: string | readonly string[];
  readonly list?: string;
  /** The name of the schema of the list, if it is not that of its items with `List`. */
  readonly as?: string;
  /** Whether a limit may have removed older entries. */
  readonly trimmed?: boolean;
  readonly types?: readonly string[];
}

interface Parameter extends Json {
  readonly name: string;
  readonly description: string;
  readonly schema: Json;
}

/** The parameters of every list. */
const ofLists = ['After', 'Before', 'Limit', 'Order'];
/** The errors of every call of the control plane; a body adds two. */
const ofAll = ['BadRequest', 'Unauthorized', 'Forbidden', 'LimitReached', 'StoreUnavailable', 'OtherError'];

const refTo = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const words = (text = '') => text.split(' ').filter(Boolean);
const json = (schema: object) => ({ 'application/json': { schema } });

/** Returns the complete document. */
export function controlDocument<Document extends OpenApi>(source: Document): Document {
  const document = structuredClone(source);
  const components = document.components as Record<string, Record<string, Json>>;
  const schemas = mapped(components['schemas'], (schema) => completeSchema(schema) as Json);
  const parameters = mapped(components['parameters'], completeParameter);
  const statuses = mapped(components['responses'], ({ status }) => String(status));
  const operations = operationsOf(document).map(({ operation, ...place }) => ({
    ...place,
    operation: operation as unknown as Source & { readonly operationId: string },
  }));

  const tagOf = new Map<string, string>();
  for (const tag of document.tags ?? []) {
    for (const segment of words(tag['x-paths'] ?? tag.name)) tagOf.set(segment, tag.name);
    delete tag['x-paths'];
  }
  const filters = new Map(operations.map(({ operation }) => [operation.operationId, filtersOf(parameters, operation)]));
  for (const { method, path, operation } of operations) {
    const { operationId: id, 'x-returns': returns, 'x-body': body = '', 'x-yaml': yaml } = operation;
    const waits = operation['x-waits-for'];
    const shared = [
      ...(filters.get(id) ?? []),
      ...(filters.get(operation['x-filters-of'] ?? '') ?? []),
      ...(waits
        ? waitFilters(
            parameters,
            mapped(waits, (list) => filters.get(list) ?? []),
          )
        : []),
      ...(returns?.list === undefined ? [] : ofLists),
    ];
    const own = (operation.parameters ?? []).map(completeParameter);
    const requestBody = operation.requestBody ?? {
      required: !body.endsWith('?'),
      content: {
        'application/json': { schema: refTo('schemas', body.replace('?', '')), example: operation['x-example'] },
        ...(yaml !== undefined && textTypes(['application/yaml', 'text/yaml'], refTo('schemas', yaml))),
      },
    };
    const hasBody = body !== '' || operation.requestBody !== undefined;
    if (returns?.list !== undefined) {
      const { list, as = `${list}List`, trimmed = false } = returns;
      schemas[as] = listOf(list, trimmed);
    }
    const isOurs = path.startsWith('/_sandbox/') && !(path === '/_sandbox/sink/{name}' && method === 'POST');
    const errors = [
      ...(isOurs ? ofAll : []),
      ...(isOurs && hasBody ? ['PayloadTooLarge'] : []),
      ...(isOurs && method !== 'GET' ? ['UnsupportedMediaType'] : []),
      ...(/\{(?:id|otp_id|key)\}/.test(path) ? ['NotFound'] : []),
      ...words(operation['x-errors']),
    ].map((name) => [statuses[name], refTo('responses', name)]);
    const table = Object.entries(waits ?? {}).map(([subject, list]) => {
      const names = (filters.get(list) ?? []).map((filter) => `\`${parameters[filter]?.name ?? ''}\``);
      return `| \`${subject}\` | ${names.join(', ')} |`;
    });
    const description = [
      operation.description,
      ...(waits ? [['| `for` | filters |', '|---|---|', ...table].join('\n')] : []),
    ];
    for (const name of Object.keys(operation).filter((each) => each.startsWith('x-')))
      Reflect.deleteProperty(operation, name);
    const [, first = '', second = first] = path.split('/');
    Object.assign(operation, {
      tags: [tagOf.get(second)],
      description: description.join('\n\n'),
      ...(shared.length + own.length > 0 && {
        parameters: [...own, ...shared.map((name) => refTo('parameters', name))],
      }),
      ...(hasBody && { requestBody }),
      responses: {
        ...(returns && { [(returns.schema ?? returns.list) ? 200 : 204]: success(returns) }),
        ...operation.responses,
        ...(Object.fromEntries(errors) as Json),
      },
    });
  }
  const responses = mapped(components['responses'], ({ codes, description }) => ({
    description: (codes as string[]).length === 1 ? `\`${String(codes)}\`: ${String(description)}` : description,
    'x-error-codes': codes,
    content: json(refTo('schemas', 'ErrorResponse')),
  }));
  Object.assign(components, { schemas, parameters, responses });
  return document;
}

/** The shared parameters of an operation; those by data are added. */
function filtersOf(parameters: Record<string, Parameter>, operation: Source): readonly string[] {
  const byData = words(operation['x-data-filters']);
  for (const filter of byData) {
    const { name = '', ...rest } = parameters[filter] ?? {};
    parameters[`${filter}InData`] = { name: `data.${name}`, ...rest } as Parameter;
  }
  return [...words(operation['x-parameters']), ...byData, ...byData.map((filter) => `${filter}InData`)];
}

/** The filters of several lists. Where they differ, a parameter that refers to the lists takes their place. */
function waitFilters(parameters: Record<string, Parameter>, lists: Readonly<Record<string, readonly string[]>>) {
  const all = Object.entries(lists).flatMap(([subject, filters]) => filters.map((filter) => ({ subject, filter })));
  const nameOf = (filter: string) => parameters[filter]?.name ?? '';
  return [...new Set(all.map(({ filter }) => nameOf(filter)))].map((name) => {
    const uses = all.filter(({ filter }) => nameOf(filter) === name);
    const [first = ''] = uses.map(({ filter }) => filter);
    if (uses.every(({ filter }) => filter === first)) return first;
    const schemas = uses.map(({ filter }) => JSON.stringify(parameters[filter]?.schema));
    const subjects = uses.map(({ subject }) => `\`${subject}\``).join(', ');
    const given = new Set(schemas).size === 1 ? { schema: parameters[first]?.schema } : {};
    parameters[`${first}OfWait`] = completeParameter({
      name,
      description: `For ${subjects}: as in the list.`,
      ...given,
    });
    return `${first}OfWait`;
  });
}

function success({ schema, list, as = `${list ?? ''}List`, types = [], description }: Returns): object {
  const name = list === undefined ? schema : as;
  if (name === undefined) return { description };
  const whole = typeof name === 'string' ? refTo('schemas', name) : { anyOf: name.map((one) => refTo('schemas', one)) };
  return { description, content: { ...json(whole), ...textTypes(types, { type: 'string' }) } };
}

function listOf(item: string, trimmed: boolean): Json {
  return {
    type: 'object',
    required: ['items', 'next'],
    properties: {
      items: { type: 'array', maxItems: 1000, items: refTo('schemas', item) },
      next: refTo('schemas', 'Cursor'),
      ...(trimmed && { trimmed: refTo('schemas', 'Trimmed') }),
    },
  };
}

function completeParameter({ name, in: place = 'query', 'x-words': each, ...given }: Json): Parameter {
  const allowed = given['x-one-of'] === undefined ? given['enum'] : words(given['x-one-of'] as string);
  delete given['x-one-of'];
  delete given['enum'];
  const list = `(${((each ?? []) as string[]).join('|')})`;
  const text =
    allowed !== undefined
      ? { type: 'string', enum: allowed }
      : each !== undefined
        ? { type: 'string', pattern: `^${list}(,${list})*$`, 'x-words': each }
        : { type: 'string', minLength: 1, ...(place === 'query' && { maxLength: 1024 }) };
  const schema = completeSchema(given['schema'] ?? text) as Json;
  const isFree = place === 'query' && schema['enum'] === undefined && (schema['type'] ?? 'string') === 'string';
  return {
    name,
    in: place,
    ...(place === 'path' && { required: true }),
    // A plus sign or a slash need not be percent-encoded.
    ...(isFree && { allowReserved: true }),
    ...given,
    schema,
  } as unknown as Parameter;
}

/** Completes a schema and those within it. */
function completeSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(completeSchema);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, 'x-nullable': isNullable, 'x-optional': optional, 'x-one-of': allowed, ...schema } = value as Json;
  if (typeof allowed === 'string') schema['enum'] = words(allowed);
  const whole = mapped(schema, (inner, name) => (name === 'if' || name === 'then' ? inner : completeSchema(inner)));
  if (typeof $ref === 'string') {
    const ref = refTo('schemas', $ref);
    return isNullable === true ? { ...whole, anyOf: [ref, { type: 'null' }] } : { ...ref, ...whole };
  }
  if (typeof whole['properties'] !== 'object' || ![whole['type'] ?? 'object'].flat().includes('object')) return whole;
  const isClosed = whole['additionalProperties'] === false;
  const left = new Set(words(optional as string | undefined));
  const required = Object.keys(whole['properties'] ?? {}).filter((name) => !left.has(name));
  return { type: 'object', ...(!isClosed && required.length > 0 && { required }), ...whole };
}

function textTypes(types: readonly string[], schema: object): Json {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function mapped<Value, Result>(
  object: Readonly<Record<string, Value>> = {},
  change: (value: Value, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}
