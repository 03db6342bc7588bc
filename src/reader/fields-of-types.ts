/** Warnings about conditions that exclude each other: fields that only some types of calls, events or records have. */
import { matcherSchema } from '../language/match.js';
import { compileMatcher, type FactValue } from '../rules/match.js';
import type { Place } from './place.js';

/** `FIELD, FIELD: KEY is one of TYPES` */
const MESSAGE = ['template, language, category: type is template', 'text: type is text interactive template'];
const eventFields = (status: string, phone: string) => [
  `${status}: event is message.status template.status`,
  'type: event is message.status message.received',
  `${phone}: event is message.status message.received otp.verified`,
];
const FIELDS_OF_TYPES: Readonly<Record<string, readonly string[]>> = {
  'message.send': MESSAGE,
  'message.get': MESSAGE,
  messages: MESSAGE,
  sent: ['template, language, category: type is template', 'text: type is text template'],
  'webhook.deliver': eventFields('status', 'phone'),
  attempts: eventFields('message_status', 'to'),
  deliveries: eventFields('message_status', 'to'),
  requests: ['type: operation is message.send', 'to, template: operation is message.send otp.send'],
};

export function lintLacking(where: string, set: Place | undefined): void {
  for (const row of FIELDS_OF_TYPES[where] ?? []) {
    const [fields = '', by = '', types = ''] = row.split(/: | is /);
    const type = set?.at(by);
    if (type === undefined || matches(type, types.split(' '))) continue;
    for (const field of fields.split(', ')) {
      const at = set?.entries.get(field);
      if (at === undefined || matches(at, [])) continue;
      const message = `With this ${by} there is no ${field}, so nothing matches both conditions.`;
      at.warn({ code: 'never_fits', message, allowed: `no condition on ${field} here` });
    }
  }
}

function matches(at: Place, values: readonly FactValue[]): boolean {
  const { data: matcher } = matcherSchema.safeParse(at.value);
  if (matcher === undefined) return true;
  const test = compileMatcher(matcher);
  return test(undefined) || values.some(test);
}
