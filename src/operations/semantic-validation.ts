/**
 * What no JSON Schema can say of a body (contract §2, rows 2.1 and 2.2). The operations refuse by it; a call that breaks its
 * schema is held against it too, so that a refusal names every invalid field at once.
 */
import type { ErrorDetail } from '../domain/errors.js';
import { placeholderProblem } from '../domain/template.js';

/** By operationId: what is wrong with a body of which nothing is known yet. */
export const beyondSchema: Readonly<Record<string, (body: unknown) => ErrorDetail[]>> = {
  sendMessage(body) {
    const buttons = at(body, 'type') === 'interactive' ? at(at(body, 'interactive'), 'buttons') : [];
    return Array.isArray(buttons) ? repeatedButtons(buttons) : [];
  },
  createTemplate(body) {
    const text = at(body, 'body');
    return typeof text === 'string' ? placeholderFaults(text) : [];
  },
};

/** Ids and titles of the buttons are unique within the message. */
export function repeatedButtons(buttons: readonly unknown[]): ErrorDetail[] {
  return (['id', 'title'] as const).flatMap((key) => {
    const seen = new Set<string>();
    return buttons.flatMap((button, i) => {
      const value = at(button, key);
      if (typeof value !== 'string' || !seen.has(value)) {
        if (typeof value === 'string') seen.add(value);
        return [];
      }
      const message = `must be unique among the buttons; "${value}" stands twice`;
      return [{ field: `interactive.buttons[${i}].${key}`, message }];
    });
  });
}

/** Placeholders are numbered from `{{1}}` without gaps. */
export function placeholderFaults(body: string): ErrorDetail[] {
  const problem = placeholderProblem(body);
  return problem === null ? [] : [{ field: 'body', message: problem }];
}

function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
