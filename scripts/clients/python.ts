/**
 * Generates the types of the Python client, and its synchronous half, which differs from the asynchronous one only in
 * its keywords.
 */
import { filterNames, type Call, type Catalogue, type Field, type Model, type Shape } from './catalogue.js';

const keywords = /^(?:from|for|in|is|not|and|or|if|class|def|pass|import|global|with|as|async|await)$/;

export function pythonModels({ words, models, filters }: Catalogue): string {
  const all = [...models.values()];
  const renamed = [...all.filter(({ input }) => !input), ...filters].flatMap(({ fields }) =>
    fields.flatMap(({ name }) => (identifier(name) === name ? [] : [[identifier(name), name] as const])),
  );
  return [
    '"""The types of the control plane: what the sandbox returns as classes, what is sent to it as dictionaries."""',
    '',
    '# Made from the OpenAPI documents by scripts/generate.ts; edit those.',
    '# ruff: noqa',
    'from dataclasses import dataclass',
    'from datetime import datetime, timedelta',
    'from typing import Any, Literal, NotRequired, TypedDict',
    '',
    `WIRE_NAMES: dict[str, str] = ${JSON.stringify(Object.fromEntries(renamed))}`,
    '"""Names of the documents that Python does not take."""',
    ...[...words].map(([name, list]) => `${name} = ${literal(list)}`),
    `EVENT_TYPES: list[EventType] = ${JSON.stringify(words.get('EventType'))}`,
    ...all.map((model) => (model.input ? dictionary(model) : dataClass(model))),
    ...filters.flatMap((filter) => [keywordArguments(filter), keywordArguments(waitOf(filter))]),
    '',
  ].join('\n');
}

/**
 * Calls that the client offers without changes, by noun. `list` comes last, because it hides Python's own `list` from
 * later methods.
 */
const nouns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Clock: { get: 'getClock', jobs: 'listJobs' },
  Template: { list: 'listStoredTemplates' },
  Webhook: { set_status: 'setEndpointStatus', remove: 'removeEndpoint', list: 'listEndpoints' },
  Scenario: { get: 'getScenario', clear: 'deactivateScenario', list: 'listScenarios' },
  Rule: { add: 'addRule', remove: 'removeRule', list: 'listRules' },
  Snapshot: { take: 'takeSnapshot', restore: 'restoreSnapshot', remove: 'deleteSnapshot', list: 'listSnapshots' },
  Account: {
    messages: 'listMessages',
    events: 'listEvents',
    deliveries: 'listDeliveries',
    otps: 'listOtps',
    requests: 'listRequests',
    idle: 'waitForIdle',
    coverage: 'getCoverage',
    reset: 'resetAccount',
  },
};

/** The records to wait for: the singular, the plural, and their list. */
const subjects = [
  ['event', 'events', 'listEvents'],
  ['delivery', 'deliveries', 'listDeliveries'],
  ['message', 'messages', 'listMessages'],
  ['request', 'requests', 'listRequests'],
  ['otp', 'otps', 'listOtps'],
] as const;

export function pythonCalls({ calls, models }: Catalogue): string {
  const call = (id: string): Call => {
    const found = calls.get(id);
    if (found) return found;
    throw new Error(`The control plane has no operation ${id}.`);
  };
  const classes = Object.entries(nouns).map(([noun, names]) => {
    const methods = Object.entries(names).map(([name, id]) => methodOf(name, call(id), models));
    return `\n\nclass Async${noun}Calls(AsyncControl):\n${methods.join('\n\n')}`;
  });
  return [
    '"""The calls that the client offers as they are."""',
    '',
    '# Made from the OpenAPI documents by scripts/generate.ts; edit those.',
    '# ruff: noqa',
    'from datetime import timedelta',
    'from typing import Literal, Unpack',
    '',
    'from . import models as m',
    'from ._async_connection import AsyncControl, quoted',
    ...classes,
    '\n\nclass AsyncWaitControl(AsyncControl):',
    '    """Waits in real time. What happened already counts too, from `after` on. The plural waits for `count`."""\n',
    ...subjects.map(([one, several, id]) => waitsOf(one, several, call(id))),
    '',
  ].join('\n');
}

function methodOf(name: string, call: Call, models: Catalogue['models']): string {
  const { id, doc, method, path, query, body, result, item } = call;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, each = '']) => each);
  const filter = filterNames[id];
  const fields = body?.kind === 'model' ? models.get(body.name)?.fields : undefined;
  const only = fields?.length === 1 ? fields[0] : undefined;
  const options = item || body ? [] : query.filter((field) => field.name !== 'format');
  const parameters = [
    'self',
    ...names.map((each) => `${each}: str`),
    ...options.map((field) => `${field.name}: ${typeOf(field.shape, true)} | None = None`),
    ...(item && filter !== undefined ? [`**wanted: Unpack[m.${filter}]`] : []),
    ...(only ? [`${only.name}: ${typeOf(only.shape, true)}`] : []),
    ...(body?.kind === 'model' && !only ? [`**body: Unpack[m.${body.name}]`] : []),
  ];
  const type = returned(id, item ?? result);
  const place = names.length === 0 ? `"${path}"` : `f"${path.replace(/\{(\w+)\}/g, '{quoted($1)}')}"`;
  const given = [
    `"${method}"`,
    place,
    ...(body ? [only ? `{"${only.name}": ${only.name}}` : 'body'] : []),
    ...options.map((field) => `${field.name}=${field.name}`),
  ];
  const last = item
    ? `return await self._items(${decoded(id, type)}, ${place}, ${filter === undefined ? '{}' : 'wanted'})`
    : result
      ? `return await self._get(${[type, ...given].join(', ')})`
      : `await self._call(${given.join(', ')})`;
  return [
    `    async def ${name}(${parameters.join(', ')}) -> ${item ? `list[${type}]` : type}:`,
    ...(doc === '' ? [] : [`        ${quoted(`${doc}.`)}`]),
    `        ${last}`,
  ].join('\n');
}

function waitsOf(one: string, several: string, { id, item }: Call): string {
  const type = returned(id, item);
  const wanted = `**wanted: Unpack[m.${filterNames[id]?.replace(/Filter$/, 'Wait') ?? ''}]`;
  return [
    `    async def ${one}(self, ${wanted}) -> ${type}:`,
    `        found: list[${type}] = await self._wait(${decoded(id, type)}, "${one}", 1, wanted)`,
    '        return found[0]',
    '',
    `    async def ${several}(self, count: int, ${wanted}) -> list[${type}]:`,
    `        return await self._wait(${decoded(id, type)}, "${one}", count, wanted)`,
    '',
  ].join('\n');
}

/** Customers' messages come from the same list, but only if that direction is requested. */
function decoded(id: string, type: string): string {
  return id === 'listMessages' ? `${type} | m.InboundMessage` : type;
}

function returned(id: string, shape: Shape | undefined): string {
  if (id === 'listMessages') return 'm.Message';
  return shape === undefined ? 'None' : typeOf(shape, false).replace(/\b(?!Any|None|Literal)[A-Z]\w*/g, 'm.$&');
}

/** Turns a module of the asynchronous client into one of the synchronous client. */
export function synchronous(source: string): string {
  return source
    .replace(/^# Written by hand;.*$/m, '# Made of its asynchronous twin by scripts/generate.ts; edit that.')
    .replace('await asyncio.to_thread(launch, ', 'launch(')
    .replace('import asyncio\n', '')
    .replace(/\b_async(?=_|\b)/g, '_sync')
    .replace(/\basync (?=def|with|for)/g, '')
    .replace(/\bawait /g, '')
    .replace(/\b__a(enter|exit)__/g, '__$1__')
    .replace(/\baclose\b/g, 'close')
    .replace(/\bAsync(?=[A-Z])/g, '');
}

function dataClass({ name, doc, fields }: Model): string {
  const lines = fields.map((field) => {
    const type = typeOf(field.shape, false);
    const optional = !field.required && !field.shape.nullable ? `${type} | None` : type;
    return `    ${identifier(field.name)}: ${optional}${field.required ? '' : ' = None'}${comment(field)}`;
  });
  return `\n\n@dataclass(frozen=True, kw_only=True)\nclass ${name}:\n${docOf(doc, '    ')}${lines.join('\n')}`;
}

/** The functional form allows names that are not identifiers. */
function dictionary({ name, doc, fields }: Model): string {
  if (fields.some((field) => identifier(field.name) !== field.name)) {
    const entries = fields.map(
      ({ name: key, required, shape }) => `    ${JSON.stringify(key)}: ${argument(shape, required)},`,
    );
    return `\n\n${name} = TypedDict("${name}", {\n${entries.join('\n')}\n})\n${docOf(doc, '')}`;
  }
  const lines = fields.map((field) => `    ${field.name}: ${argument(field.shape, field.required)}${comment(field)}`);
  return `\n\nclass ${name}(TypedDict):\n${docOf(doc, '    ')}${lines.join('\n')}`;
}

function argument(shape: Shape, required: boolean): string {
  const type = typeOf(shape, true);
  return required ? type : `NotRequired[${type}]`;
}

function keywordArguments({ name, fields }: Model): string {
  const lines = fields.map((field) => {
    // A status may be given as a number.
    const type = field.shape.kind === 'text' ? 'str | int' : typeOf(field.shape, true);
    return `    ${identifier(field.name)}: ${type}${comment(field)}`;
  });
  return `\n\nclass ${name}(TypedDict, total=False):\n${lines.join('\n')}`;
}

/** A wait returns the oldest matching records, so it has no pages. */
function waitOf({ name, fields, ...rest }: Model): Model {
  const timeout: Field = {
    name: 'timeout',
    doc: 'How long to wait in real time, at most 60 seconds; default: 5 seconds.',
    required: false,
    shape: { kind: 'duration' },
  };
  const kept = fields.filter((field) => !['before', 'limit', 'order'].includes(field.name));
  return { ...rest, name: name.replace(/Filter$/, 'Wait'), fields: [...kept, timeout] };
}

function typeOf(shape: Shape, input: boolean): string {
  const type = plainType(shape, input);
  return shape.nullable === true ? `${type} | None` : type;
}

const plain = { text: 'str', integer: 'int', number: 'float', boolean: 'bool', any: 'Any' } as const;

function plainType(shape: Shape, input: boolean): string {
  if ('name' in shape) return shape.name;
  if ('words' in shape) return literal(shape.words);
  if (shape.kind === 'union') return shape.of.map((each) => typeOf(each, input)).join(' | ');
  if (shape.kind === 'list') return `list[${typeOf(shape.of, input)}]`;
  if (shape.kind === 'map') return `dict[str, ${typeOf(shape.of, input)}]`;
  if (shape.kind === 'instant') return input ? 'datetime | str' : 'datetime';
  if (shape.kind === 'duration') return input ? 'timedelta | str' : 'timedelta';
  return plain[shape.kind];
}

function literal(words: readonly string[]): string {
  return `Literal[${words.map((word) => JSON.stringify(word)).join(', ')}]`;
}

function identifier(name: string): string {
  return keywords.test(name) ? `${name}_` : name.replaceAll('.', '_');
}

function comment({ doc }: Field): string {
  return doc === '' ? '' : `\n    ${quoted(doc)}`;
}

function docOf(doc: string, indent: string): string {
  return doc === '' ? '' : `${indent}${quoted(doc)}\n`;
}

function quoted(doc: string): string {
  return `"""${doc.trim().replace(/\s+/g, ' ').replaceAll('\\', '\\\\').replace(/"$/, '" ')}"""`;
}
