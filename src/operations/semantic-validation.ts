/**
 * Checks that JSON Schema cannot express. They also run for a call that violates its schema, so that one response names
 * every invalid field.
 */
import { ServiceError, type ErrorDetail } from '../domain/errors.js';
import { mustBe } from '../domain/must-be.js';
import { placeholderProblem } from '../domain/words.js';

type Check = (body: unknown) => ErrorDetail[];

/** The bodies have not been validated yet. Keys are operationIds. */
export const beyondSchema = {
  sendMessage(body) {
    const type = at(body, 'type');
    if (type === 'interactive') return interactiveProblems(at(body, 'interactive'));
    return type === 'image' || type === 'document' ? mediaProblems(at(body, 'media_url')) : [];
  },
  createTemplate(body) {
    const text = at(body, 'body');
    const problem = typeof text === 'string' ? placeholderProblem(text) : null;
    const buttons = JSON.stringify(at(body, 'buttons') ?? null).length;
    return [
      ...(problem === null ? [] : [{ field: 'body', message: problem }]),
      ...(buttons <= longestButtons ? [] : [{ field: 'buttons', message: tooLong(buttons) }]),
    ];
  },
} as const satisfies Readonly<Record<string, Check>>;

/** Buttons are kept with all of their properties, so their text as a whole is limited. */
const longestButtons = 16 * 1024;

function tooLong(length: number): string {
  return mustBe(`at most ${longestButtons} characters of JSON`, length);
}

export function requireSound(operation: keyof typeof beyondSchema, body: unknown): void {
  const details = beyondSchema[operation](body);
  const [first] = details;
  if (!first) return;
  const more = details.length > 1 ? ` See details for ${details.length - 1} more.` : '';
  throw new ServiceError('validation_error', `${first.field} ${first.message}.${more}`, { details });
}

function interactiveProblems(interactive: unknown): ErrorDetail[] {
  const buttons = at(interactive, 'buttons');
  return [...listStyle(interactive), ...(Array.isArray(buttons) ? repeatedButtons(buttons) : [])];
}

const unsupported = 'list-style interactive messages are not supported';

/** Quick-reply buttons are the only supported style: a list with only its buttons would be a different message. */
function listStyle(interactive: unknown): ErrorDetail[] {
  const type = at(interactive, 'type');
  const byType = type !== undefined && type !== 'button';
  return [
    ...(byType ? [{ field: 'interactive.type', message: mustBe(`button or omitted: ${unsupported}`, type) }] : []),
    ...(at(interactive, 'sections') === undefined
      ? []
      : [{ field: 'interactive.sections', message: `must be omitted: ${unsupported}; give 1 to 3 buttons instead` }]),
  ];
}

function mediaProblems(url: unknown): ErrorDetail[] {
  if (typeof url !== 'string' || URL.canParse(url)) return [];
  return [{ field: 'media_url', message: 'must be a complete http:// or https:// URL with a valid host and port' }];
}

function repeatedButtons(buttons: readonly unknown[]): ErrorDetail[] {
  return (['id', 'title'] as const).flatMap((key) => {
    const seen = new Set<string>();
    return buttons.flatMap((button, i) => {
      const value = at(button, key);
      if (typeof value !== 'string' || !seen.has(value)) {
        if (typeof value === 'string') seen.add(value);
        return [];
      }
      const message = `must be unique among the buttons; found "${value}" twice`;
      return [{ field: `interactive.buttons[${i}].${key}`, message }];
    });
  });
}

function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
