/** Shapes of single values: texts, numbers, words from a list, true and false. */
import { isScalar } from 'yaml';
import type { Report } from './problems.js';
import type { YamlNode } from './yaml-node.js';
import { wrongKind, type JsonSchema, type Shape } from './shape.js';

interface TextOptions {
  readonly allowed: string;
  readonly example: string;
  /** Returns the error in a text, if there is one. */
  readonly check?: (text: string, place: YamlNode) => Report | undefined;
  /** In code points; default 4096. */
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: RegExp;
  /** Returns what a text of a wrong form probably stands for; suggested if it is valid. */
  readonly meant?: (text: string) => string | undefined;
  /** More keywords for the printed schema. */
  readonly keywords?: JsonSchema;
}

/**
 * A text. An unquoted scalar keeps the characters it was written with, so `+12025550123`, `012345`, `no`, `1e3` and
 * dates are texts without quotes; the printed schema therefore allows what an editor takes for a number.
 */
export function text(options: TextOptions): Shape<string> {
  const { allowed, example, minLength = 1, maxLength = 4096, pattern } = options;
  return {
    allowed,
    example,
    read(place) {
      const value = place.scalarText();
      if (value === undefined) return wrongKind(place, options);
      const length = Array.from(value).length;
      if (length < minLength || length > maxLength) {
        const bounds = `${minLength} to ${maxLength} characters`;
        const message = `The text has ${length} characters; ${bounds} are allowed.`;
        return place.report({ code: 'wrong_length', message, allowed: bounds, example });
      }
      const faultOf = (one: string): Report | undefined =>
        pattern?.test(one) === false
          ? { code: 'wrong_form', message: `This is not ${allowed}.` }
          : options.check?.(one, place);
      const fault = faultOf(value);
      if (fault === undefined) return value;
      const meant = options.meant?.(value);
      const suggestion = meant !== undefined && meant !== value && faultOf(meant) === undefined ? meant : undefined;
      return place.report({
        ...(fault.words === undefined && { allowed }),
        example,
        ...(suggestion !== undefined && { suggestion }),
        ...fault,
      });
    },
    print: () => ({
      type: ['string', 'number', 'boolean'],
      ...(minLength > 0 && { minLength }),
      maxLength,
      ...(pattern !== undefined && { pattern: pattern.source }),
      ...options.keywords,
    }),
  };
}

/** Any text of up to `maxLength` code points, including the empty one if `minLength` is 0. */
export function anyText(example: string, bounds: { minLength?: number; maxLength?: number } = {}): Shape<string> {
  return text({ allowed: 'a text', example, ...bounds });
}

/** One of the words. */
export function oneOf<const W extends string>(words: readonly W[]): Shape<W> {
  const allowed = words.join(', ');
  const example = words[0] ?? '';
  return {
    allowed,
    example,
    read(place) {
      const written = place.scalarText();
      if (written === undefined) return wrongKind(place, { allowed: `one of ${allowed}`, example });
      const word = words.find((candidate) => candidate === written);
      if (word !== undefined) return word;
      const message = `Unknown value ${JSON.stringify(written.slice(0, 80))}.`;
      return place.report({ code: 'unknown_word', message, words });
    },
    print: () => ({ enum: words }),
  };
}

/** A whole number, never in quotes. */
export function integer(min: number, max: number, example: number): Shape<number> {
  const allowed = `a whole number from ${min} to ${max}`;
  return number(allowed, String(example), (value) => Number.isInteger(value) && value >= min && value <= max, {
    type: 'integer',
    minimum: min,
    maximum: max,
  });
}

/** A number above zero. */
export function positiveNumber(max: number, example: number): Shape<number> {
  const allowed = `a number above 0, at most ${max}`;
  return number(allowed, String(example), (value) => value > 0 && value <= max, {
    type: 'number',
    exclusiveMinimum: 0,
    maximum: max,
  });
}

function number(allowed: string, example: string, fits: (value: number) => boolean, schema: JsonSchema): Shape<number> {
  return {
    allowed,
    example,
    read(place) {
      const value = plainValue(place);
      if (typeof value === 'number' && fits(value)) return value;
      if (typeof value === 'number') {
        return place.report({ code: 'out_of_range', message: `This is not ${allowed}.`, allowed, example });
      }
      const meant = /^\s*\d+(?:\.\d+)?\s*$/.test(place.scalarText() ?? '') ? Number(place.scalarText()) : NaN;
      return wrongKind(place, { allowed, example }, fits(meant) ? String(meant) : undefined);
    },
    print: () => schema,
  };
}

/** `true` or `false`. */
export const bool: Shape<boolean> = {
  allowed: 'true or false',
  example: 'true',
  read(place) {
    const value = plainValue(place);
    return typeof value === 'boolean' ? value : wrongKind(place, bool, meantBoolean(place));
  },
  print: () => ({ type: 'boolean' }),
};

const YES = /^(?:true|yes|on|y|open|opened|1)$/i;
const NO = /^(?:false|no|off|n|closed?|0)$/i;

/** YAML 1.2 has only true and false; authors also write yes, on or open. */
function meantBoolean(place: YamlNode): string | undefined {
  const text = place.scalarText() ?? '';
  return YES.test(text) ? 'true' : NO.test(text) ? 'false' : undefined;
}

/** One fixed value. */
export function constant<const V extends number | true>(wanted: V): Shape<V> {
  const only = String(wanted);
  const kind = { allowed: only, example: only, isConstant: true } as const;
  const meant = (place: YamlNode) =>
    wanted === true ? meantBoolean(place) : place.scalarText()?.replace(/^v|\.0$/gi, '');
  return {
    ...kind,
    read: (place) =>
      plainValue(place) === wanted ? wanted : wrongKind(place, kind, meant(place) === only ? only : undefined),
    print: () => ({ const: wanted }),
  };
}

/** Returns the value of a scalar by YAML 1.2 core; in quotes it is always a text. */
function plainValue(place: YamlNode): unknown {
  return isScalar(place.node) ? place.node.value : undefined;
}
