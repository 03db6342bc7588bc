/** Each message continues "must be". */
import { z } from 'zod';
import { actors, eventTypes, languageForm, templateNameForm, traceparentForm } from './words.js';
import { isInstant } from './instant.js';
import { isPhone } from './customer.js';

/** `seq` is the place in the account's sequence, which is the cursor of every list. */
export interface Row {
  readonly id: string;
  readonly seq: number;
}

export type Stored<T> = T extends readonly (infer Item)[]
  ? readonly Stored<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Stored<Exclude<T[Name], undefined>> }
    : T;

export const text = z.string('a string');
export const bool = z.boolean('true or false');
export const number = z.number('a number');
export const object = z.record(z.string(), z.unknown(), 'an object');
/** An object whose type other folders know. */
export const parsed: z.ZodType = z.looseObject({}, 'an object');
export const headers = z.record(z.string(), text, 'an object');
export const count = z.int('a whole number of at least 0').min(0, 'a whole number of at least 0');
/** From 2^52 on, the account would soon exceed the exact whole numbers. */
export const positive = count.min(1, 'a whole number of at least 1').max(2 ** 52, 'a whole number of at least 1');
/** Milliseconds; random durations have fractions. */
export const duration = number.min(0, 'a number of milliseconds of at least 0');
/** Milliseconds since the epoch. Scaled clocks yield fractions. */
export const instant = z
  .number('milliseconds since 1970')
  .refine(isInstant, 'milliseconds since 1970, in the years 0 to 9999');
export const httpStatus = number.refine(
  (value) => Number.isInteger(value) && value >= 100 && value <= 599,
  'an HTTP status from 100 to 599',
);

export const record = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape, 'an object');
/** One of these words, of which the type of the record says nothing. */
export const word = (words: readonly string[]) =>
  text.refine((value) => words.includes(value), `one of ${words.join(', ')}`);
export const list = <Item extends z.ZodType>(item: Item) => z.array(item, 'a list');
export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, `one of ${words.join(', ')}`);
export const like = (form: RegExp, expected: string) => text.regex(form, expected);
export const numbered = (prefix: string) => like(new RegExp(`^${prefix}_[0-9a-f]+$`), `an id such as ${prefix}_12`);
export const row = <Id extends z.ZodType<string>, Shape extends z.ZodRawShape>(id: Id, shape: Shape) =>
  record({ id, seq: positive, ...shape });

export const uuid = like(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'a UUID in lower case');
export const phone = text.refine(isPhone, 'a phone number such as +12025550110');
export const wamid = like(/^wamid\.[^\s]+$/, 'an id of the channel, which starts with "wamid."');
export const language = like(languageForm, 'a BCP-47 language tag such as en or pt-BR');
export const templateName = like(templateNameForm, 'a template name such as order_shipped');
export const traceparent = like(traceparentForm, 'a traceparent of W3C Trace Context');
export const oneLine = like(/^[^\p{Cc}\p{Cs}]+$/u, 'a text of one line');
export const url = like(/^https?:\/\/[^\s/?#]+\S*$/i, 'an absolute URL');
export const method = like(/^[A-Z-]+$/, 'an HTTP method');
export const errorCode = like(/^[a-z][a-z0-9_]*$/, 'an error code such as not_found');
export const eventType = oneOf(eventTypes);
export const actor = oneOf(actors);

export const explain = record({
  /** `header` is the caller who asked for this outcome: by a header, a call, or a step of the timeline. */
  by: oneOf(['header', 'rule', 'magic', 'default']),
  id: text.optional(),
  file: text.optional(),
  line: number.optional(),
  text,
});
export type Explain = Stored<z.infer<typeof explain>>;
