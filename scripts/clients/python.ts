/** The types of the Python client, and its synchronous half, which differs from the asynchronous one only in keywords. */
import type { Field, Model, Models, Shape } from './models.js';

const keywords = /^(?:from|for|in|is|not|and|or|if|class|def|pass|import|global|with|as|async|await)$/;

export function pythonModels({ words, models, filters }: Models): string {
  const renamed = [...models.filter(({ input }) => !input), ...filters].flatMap(({ fields }) =>
    fields.flatMap(({ name }) => (identifier(name) === name ? [] : [[identifier(name), name] as const])),
  );
  return [
    '"""The types of the control plane: what the sandbox returns as classes, what is sent to it as dictionaries."""',
    '',
    '# Made from the OpenAPI documents and the scenario language by scripts/generate.ts; edit those.',
    '# ruff: noqa',
    'from dataclasses import dataclass',
    'from datetime import datetime, timedelta',
    'from typing import Any, Literal, NotRequired, TypedDict',
    '',
    `WIRE_NAMES: dict[str, str] = ${JSON.stringify(Object.fromEntries(renamed))}`,
    '"""Names of the documents that Python does not take."""',
    ...[...words].map(([name, list]) => `${name} = ${literal(list)}`),
    `EVENT_TYPES: list[EventType] = ${JSON.stringify(words.get('EventType'))}`,
    ...models.map((model) => (model.input ? dictionary(model) : dataClass(model))),
    ...filters.flatMap((filter) => [keywordArguments(filter), keywordArguments(waitOf(filter))]),
    '',
  ].join('\n');
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
    const optional = !field.required && !field.shape.nullable && type !== 'Any' ? `${type} | None` : type;
    return `    ${identifier(field.name)}: ${optional}${field.required ? '' : ' = None'}${comment(field)}`;
  });
  return `\n\n@dataclass(frozen=True, kw_only=True)\nclass ${name}:\n${docOf(doc, '    ')}${lines.join('\n')}`;
}

/** The functional form allows names that are not identifiers, and a type that refers to itself in quotes. */
function dictionary({ name, doc, fields }: Model): string {
  const argument = ({ shape, required }: Field) =>
    required ? typeOf(shape, true) : `NotRequired[${typeOf(shape, true)}]`;
  if (fields.some((field) => identifier(field.name) !== field.name)) {
    const entries = fields.map(
      (field) => `    ${JSON.stringify(field.name)}: ${JSON.stringify(argument(field)).replaceAll('\\"', "'")},`,
    );
    return `\n\n${name} = TypedDict("${name}", {\n${entries.join('\n')}\n})\n${docOf(doc, '')}`;
  }
  const lines = fields.map((field) => `    ${field.name}: ${argument(field)}${comment(field)}`);
  return `\n\nclass ${name}(TypedDict):\n${docOf(doc, '    ')}${lines.join('\n')}`;
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
  const doc = 'How long to wait in real time, at most 60 seconds; default: 5 seconds.';
  const timeout: Field = { name: 'timeout', doc, required: false, shape: { kind: 'duration' } };
  const kept = fields.filter((field) => !['before', 'limit', 'order'].includes(field.name));
  return { ...rest, name: name.replace(/Filter$/, 'Wait'), fields: [...kept, timeout] };
}

function typeOf(shape: Shape, input: boolean): string {
  const type = plainType(shape, input);
  return shape.nullable === true && type !== 'Any' ? `${type} | None` : type;
}

const plain = { text: 'str', integer: 'int', number: 'float', boolean: 'bool', any: 'Any' } as const;

function plainType(shape: Shape, input: boolean): string {
  if ('name' in shape) return shape.name;
  if ('words' in shape) return literal(shape.words);
  if (shape.kind === 'union') return [...new Set(shape.of.map((each) => typeOf(each, input)))].join(' | ');
  if (shape.kind === 'list') return `list[${typeOf(shape.of, input)}]`;
  if (shape.kind === 'map') return `dict[str, ${typeOf(shape.of, input)}]`;
  if (shape.kind === 'instant') return input ? 'datetime | str' : 'datetime';
  if (shape.kind === 'duration' || shape.kind === 'offset') return input ? 'timedelta | str' : 'timedelta';
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
