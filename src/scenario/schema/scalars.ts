/** Schemas of single values: texts, numbers, words from a list, true and false. */
import { describe, issueOf, once, textOf, valueOf, zod, type Schema, type Written } from './kit.js';
import type { JsonSchema } from './kit.js';
import type { Report } from './problems.js';

interface TextOptions {
  readonly allowed: string;
  readonly example: string;
  /** Returns the error in a text, if there is one. */
  readonly check?: (text: string) => Report | undefined;
  /** In code points; default 4096. */
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: RegExp;
  /** Returns what a text of a wrong form probably stands for; suggested if it is valid. */
  readonly meant?: (text: string) => string | undefined;
  /** Returns the text to write instead of a list or mapping. */
  readonly ofOther?: (source: string) => string | undefined;
  /** More keywords for the JSON Schema. */
  readonly keywords?: JsonSchema;
}

/**
 * A text. An unquoted scalar keeps the characters it was written with, so `+12025550123`, `012345`, `no`, `1e3` and
 * dates are texts without quotes; the JSON Schema therefore allows what an editor takes for a number.
 */
export function text(options: TextOptions): Schema<string> {
  const { allowed, example, minLength = 1, maxLength = 4096, pattern, check, meant, ofOther, keywords } = options;
  const faultOf = (value: string): Report | undefined => {
    const length = Array.from(value).length;
    if (length < minLength || length > maxLength) {
      const bounds = `${minLength} to ${maxLength} characters`;
      const message = `The text has ${length} characters; ${bounds} are allowed.`;
      return { code: 'wrong_length', message, allowed: bounds, example };
    }
    if (pattern?.test(value) === false) return { code: 'wrong_form', message: `This is not ${allowed}.` };
    return check?.(value);
  };
  const schema = zod()
    .string()
    .superRefine((value, context) => {
      const fault = faultOf(value);
      if (fault === undefined) return;
      const better = fault.code === 'wrong_length' ? undefined : meant?.(value);
      const isBetter = better !== undefined && better !== value && faultOf(better) === undefined;
      context.addIssue(
        issueOf({
          ...(fault.words === undefined && { allowed }),
          example,
          ...(isBetter && { suggestion: better }),
          ...fault,
        }),
      );
    });
  const json = {
    type: ['string', 'number', 'boolean'],
    ...(minLength > 0 && { minLength }),
    maxLength,
    ...(pattern !== undefined && { pattern: pattern.source }),
    ...keywords,
  };
  return describe(zod().preprocess(textOf, schema), {
    kind: 'text',
    allowed,
    example,
    json,
    ...(ofOther && {
      meant: ({ text: written, source }) =>
        written === undefined && source !== undefined ? ofOther(source) : undefined,
    }),
  });
}

/** Any text of up to `maxLength` code points, including the empty one if `minLength` is 0. */
export function anyText(example: string, bounds: { minLength?: number; maxLength?: number } = {}): Schema<string> {
  return text({ allowed: 'a text', example, ...bounds });
}

/** One of the words. */
export function oneOf<const W extends string>(words: readonly W[]): Schema<W> {
  const allowed = words.join(', ');
  const schema = zod().preprocess(textOf, zod().enum(words as readonly [W, ...W[]])) as unknown as Schema<W>;
  return describe(schema, { kind: 'word', allowed, example: words[0] ?? '', words, json: { enum: words } });
}

/** One of the words, or a whole number. */
export function wordOrNumber<const W extends string>(
  words: readonly W[],
  { min, max, example }: { readonly min: number; readonly max: number; readonly example: number },
  message: string,
  what: string,
): Schema<W | number> {
  const schema = zod().union([zod().enum(words as readonly [W, ...W[]]), zod().int().min(min).max(max)]);
  const read = (leaf: unknown) => {
    const written = textOf(leaf);
    return typeof written === 'string' && /^\d+$/.test(written) ? Number(written) : written;
  };
  const range = `${what} from ${min} to ${max}`;
  return describe(zod().preprocess(read, schema) as unknown as Schema<W | number>, {
    kind: 'word',
    allowed: `${words.join(', ')}, or ${range}`,
    example: words[0] ?? '',
    report: {
      code: 'unknown_word',
      message,
      words: [...words, String(example)],
      orElse: `or another ${range.replace(/^an? /, '')}`,
    },
    json: {
      anyOf: [
        { enum: words },
        { type: 'integer', minimum: min, maximum: max },
        { type: 'string', pattern: '^[2-5][0-9]{2}$' },
      ],
    },
  });
}

/** A whole number, never in quotes. */
export function integer(min: number, max: number, example: number): Schema<number> {
  const schema = zod().int().min(min).max(max);
  const allowed = `a whole number from ${min} to ${max}`;
  const json = { type: 'integer', minimum: min, maximum: max };
  return describe(zod().preprocess(valueOf, schema), {
    kind: 'number',
    allowed,
    example: String(example),
    json,
    meant({ text: written = '' }) {
      return /^\s*\d+(?:\.\d+)?\s*$/.test(written) && schema.safeParse(Number(written)).success
        ? String(Number(written))
        : undefined;
    },
  });
}

const YES = /^(?:true|yes|on|y|open|opened|1)$/i;
const NO = /^(?:false|no|off|n|closed?|0)$/i;

/** YAML 1.2 has only true and false; authors also write yes, on or open. */
function meantBoolean({ text: written = '' }: Written): string | undefined {
  return YES.test(written) ? 'true' : NO.test(written) ? 'false' : undefined;
}

/** `true` or `false`. */
export const bool = once(() =>
  describe(zod().preprocess(valueOf, zod().boolean()) as unknown as Schema<boolean>, {
    kind: 'plain',
    allowed: 'true or false',
    example: 'true',
    json: { type: 'boolean' },
    meant: meantBoolean,
  }),
);

/** One fixed value. */
export function constant<const V extends number | true>(wanted: V): Schema<V> {
  const only = String(wanted);
  const meant = (written: Written) =>
    wanted === true ? meantBoolean(written) : written.text?.replace(/^v|\.0$/gi, '');
  return describe(zod().preprocess(valueOf, zod().literal(wanted)) as unknown as Schema<V>, {
    kind: 'plain',
    allowed: only,
    example: only,
    isConstant: true,
    json: { const: wanted },
    meant: (written) => (meant(written) === only ? only : undefined),
  });
}
