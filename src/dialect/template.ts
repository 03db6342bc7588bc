/**
 * Templates of JSON with placeholders: `{ "event": "{type}", "ts": "{created_at:unix}", "error": "{error?}" }`. A text that is
 * one placeholder becomes the value itself; inside a longer text, the value is written out.
 */
import { mustBe } from '../domain/must-be.js';
import { nearestWord } from '../domain/text.js';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

type JsonSchema = Readonly<Record<string, unknown>>;

export interface Name {
  /** Timestamps can be written in other forms. */
  readonly isTime?: boolean;
  readonly schema: JsonSchema;
  readonly canMiss?: boolean;
}

/** `error.code` is a property of the value `error`. */
export type Names = Readonly<Record<string, Name>>;

interface Placeholder {
  readonly name: string;
  readonly form: TimeForm;
  /** Without a value, the key is omitted. */
  readonly isOptional: boolean;
}

export const timeForms = ['iso', 'unix', 'unix_ms'] as const;
export type TimeForm = (typeof timeForms)[number];

const marks = /\{\{|\}\}|\{([^{}]*)\}/g;
const placeholderForm = /^([a-z_]+(?:\.[a-z_]+)*)(\?)?(?::([a-z_]+))?(\?)?$/;

/** The text between placeholders, and the placeholders; null for what is none. `{{` and `}}` are braces. */
function partsOf(text: string): (string | Placeholder | null)[] {
  const parts: (string | Placeholder | null)[] = [];
  let end = 0;
  for (const match of text.matchAll(marks)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    end = match.index + match[0].length;
    parts.push(match[1] === undefined ? match[0].charAt(0) : placeholderOf(match[1]));
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

function placeholderOf(text: string): Placeholder | null {
  const [, name, early, form = 'iso', late] = placeholderForm.exec(text) ?? [];
  if (name === undefined) return null;
  return { name, form: form as TimeForm, isOptional: early !== undefined || late !== undefined };
}

export function placeholderIn(text: Json | undefined): Placeholder | undefined {
  const [part, ...more] = typeof text === 'string' ? partsOf(text) : [];
  return typeof part === 'object' && part !== null && more.length === 0 ? part : undefined;
}

export function usesOf(template: Json, path: readonly (string | number)[] = []): { name: string; path: typeof path }[] {
  if (typeof template === 'string')
    return partsOf(template).flatMap((part) =>
      typeof part === 'object' && part !== null ? [{ name: part.name, path }] : [],
    );
  return entriesOf(template).flatMap(([key, value]) => usesOf(value, [...path, key]));
}

function entriesOf(template: Json): [string | number, Json][] {
  if (Array.isArray(template)) return (template as readonly Json[]).map((value, index) => [index, value]);
  return typeof template === 'object' && template !== null ? Object.entries(template) : [];
}

export interface TemplateFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export function faultsOfTemplate(template: Json, names: Names, path: TemplateFault['path'] = []): TemplateFault[] {
  if (typeof template !== 'string') {
    if (typeof template === 'number' && !Number.isFinite(template))
      return [{ path, message: `${template} cannot be written in JSON; use a text` }];
    const unquoted = unquotedIn(template);
    if (unquoted !== null) return [{ path, message: `${unquoted} without quotes is a mapping; write "${unquoted}"` }];
    return entriesOf(template).flatMap(([at, each]) => [
      ...(typeof at === 'string' && /\{\s*[\w.]|[\w.?]\s*\}|\{\}/.test(at)
        ? [{ path: [...path, at], message: `a key cannot have a placeholder; found ${JSON.stringify(at)}` }]
        : []),
      ...faultsOfTemplate(each, names, [...path, at]),
    ]);
  }
  const known = Object.keys(names);
  const placeholders = [...template.matchAll(marks)].flatMap(([found, inside]) => {
    if (inside === undefined) return [];
    const { name, form } = placeholderOf(inside) ?? { name: inside, form: 'iso' as const };
    if (!Object.hasOwn(names, name)) {
      const meant = nearestWord(name, known);
      const hint = meant === undefined ? '' : ` Did you mean {${meant}}?`;
      return [{ path, message: `unknown name ${found}.${hint} Known here are ${known.join(', ')}` }];
    }
    if (!timeForms.includes(form))
      return [{ path, message: `unknown form :${form} in ${found}; allowed are :${timeForms.join(', :')}` }];
    if (inside.includes(':') && names[name]?.isTime !== true)
      return [{ path, message: `${found} is not a time, so it has no form :${form}` }];
    return [];
  });
  // What is left has a brace that would go out as it is.
  const brace = /[{}]/.exec(template.replace(marks, ''))?.[0];
  if (brace === undefined) return placeholders;
  const message = `${mustBe('a text with a pair of braces around each placeholder', template)}; close each {name}, or write ${brace}${brace} for the brace itself`;
  return [...placeholders, { path, message }];
}

/** `{ code: {code} }` without quotes is, to YAML, a mapping with an empty value. */
function unquotedIn(template: Json): string | null {
  const [[key, value] = [], ...more] = entriesOf(template);
  const isOne = more.length === 0 && value === null && typeof key === 'string' && placeholderForm.test(key);
  return isOne ? `{${key}}` : null;
}

/** The template as its author probably meant it, so that a name that is misspelt is not also missing. */
export function repaired(template: Json, names: Names): Json {
  if (typeof template === 'string')
    return template.replaceAll(/\{\{|\}\}|\{([^{}]*)\}?/g, (found, inside?: string) => {
      const name = /^\s*([\w.-]+)/.exec(inside ?? '')?.[1];
      if (name === undefined) return found;
      return `{${Object.hasOwn(names, name) ? name : (nearestWord(name, Object.keys(names)) ?? 'unknown')}}`;
    });
  const unquoted = unquotedIn(template);
  if (unquoted !== null) return repaired(unquoted, names);
  if (Array.isArray(template)) return (template as readonly Json[]).map((each) => repaired(each, names));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, each]) => [key, repaired(each, names)]));
}

export type Values = Readonly<Record<string, unknown>>;

/** Undefined for a key to leave out. `event` has the names `event.…`. */
export type Fill = (values: Values, event?: Values) => unknown;

/** `write` writes an instant, given as `YYYY-MM-DDTHH:mm:ss.sssZ`, as the dialect does. */
export function compile(template: Json, names: Names, write: (instant: string) => string): Fill {
  if (typeof template === 'string') return compileText(template, names, write);
  if (typeof template !== 'object' || template === null) return () => template;
  const fills = entriesOf(template).map(([key, value]) => [key, compile(value, names, write)] as const);
  if (Array.isArray(template))
    return (values, event) => fills.map(([, fill]) => fill(values, event)).filter((value) => value !== undefined);
  // Every event is written by it, so it makes no lists of entries.
  return (values, event) => {
    const made: Record<string, unknown> = {};
    for (const [key, fill] of fills) {
      const value = fill(values, event);
      if (value === undefined) continue;
      if (key === '__proto__') Object.defineProperty(made, key, { value, enumerable: true });
      else made[key] = value;
    }
    return made;
  };
}

function compileText(text: string, names: Names, write: (instant: string) => string): Fill {
  const parts = partsOf(text).map((part): string | Fill =>
    typeof part === 'string' || part === null ? (part ?? '') : compilePlaceholder(part, names, write),
  );
  const whole = placeholderIn(text);
  if (whole) return compilePlaceholder(whole, names, write);
  if (parts.every((part) => typeof part === 'string')) return () => parts.join('');
  return (values, event) =>
    parts.map((part) => (typeof part === 'string' ? part : written(part(values, event)))).join('');
}

function written(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function compilePlaceholder(
  { name, form, isOptional }: Placeholder,
  names: Names,
  write: (at: string) => string,
): Fill {
  const keys = name.split('.');
  const isTime = names[name]?.isTime === true;
  const ofEvent = name.startsWith('event.') ? name.slice('event.'.length) : null;
  return (values, event) => {
    let value: unknown = ofEvent === null ? values[name] : event?.[ofEvent];
    if (value === undefined && keys.length > 1) {
      value = values;
      for (const key of keys) value = (value as Record<string, unknown> | null | undefined)?.[key];
    }
    if (value === null || value === undefined) return isOptional ? undefined : null;
    if (!isTime) return value;
    if (form === 'iso') return write(value as string);
    const ms = Date.parse(value as string);
    return form === 'unix' ? Math.floor(ms / 1000) : ms;
  };
}

const timeSchemas: Readonly<Record<Exclude<TimeForm, 'iso'>, JsonSchema>> = {
  unix: { type: 'integer', description: 'Seconds since 1970.' },
  unix_ms: { type: 'integer', description: 'Milliseconds since 1970.' },
};

export function schemaOf(template: Json, names: Names): JsonSchema {
  if (typeof template === 'string') {
    const whole = placeholderIn(template);
    if (!whole)
      return usesOf(template).length > 0 ? { type: 'string' } : { const: partsOf(template).map(String).join('') };
    const { schema, canMiss = false } = names[whole.name] ?? { schema: {} };
    const own = whole.form === 'iso' ? schema : timeSchemas[whole.form];
    return canMiss && !whole.isOptional ? { anyOf: [own, { type: 'null' }] } : own;
  }
  if (typeof template !== 'object' || template === null) return { const: template };
  if (Array.isArray(template)) return { type: 'array', items: {} };
  const entries = Object.entries(template as Readonly<Record<string, Json>>);
  return {
    type: 'object',
    required: entries.flatMap(([key, value]) => (isLeftOut(value, names) ? [] : [key])),
    properties: Object.fromEntries(entries.map(([key, value]) => [key, schemaOf(value, names)])),
  };
}

function isLeftOut(value: Json, names: Names): boolean {
  const whole = placeholderIn(value);
  return whole?.isOptional === true && names[whole.name]?.canMiss === true;
}
