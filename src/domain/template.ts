import { type Actor, placeholder, type TemplateStatus } from './words.js';
import type { Template } from './rows.js';

/** The default body of an authentication template; its one variable is the code. */
const authenticationBody = '{{1}} is your verification code.';

export function templateBody(template: Pick<Template, 'body'>): string {
  return template.body ?? authenticationBody;
}

export function languageKey(tag: string): string {
  return tag.toLowerCase().replaceAll('_', '-');
}

export function mayBecome(from: TemplateStatus, to: 'approved' | 'paused' | 'deleted'): boolean {
  if (from === 'deleted') return false;
  if (to === 'deleted') return true;
  return (from === 'approved' && to === 'paused') || (from === 'paused' && to === 'approved');
}

export function inState(
  template: Pick<Template, 'history'> | null,
  status: TemplateStatus,
  nowMs: number,
  by?: Actor,
): Required<Pick<Template, 'status' | 'history'>> {
  return { status, history: [...(template?.history ?? []), { status, atMs: nowMs, ...(by && { by }) }] };
}

export function variableCount(body: string): number {
  return new Set(body.match(placeholder)).size;
}

/**
 * The same as for a text. Otherwise, a few variables that occur many times in a body could fill the memory of a client
 * that lists messages.
 */
export const longestText = 4096;

/** A longer text is truncated, with `…` at the end. */
export function fillTemplate(body: string, variables: readonly string[]): string {
  const { text, isCut } = filledIn(body, variables);
  return isCut ? `${text}…` : text;
}

/** The channel refuses this form of a variable. */
export const isOddVariable = (variable: string): boolean => /[\r\n\t]| {5}/.test(variable);

/** The channel does not show a longer text. */
export function isTooLong(body: string, variables: readonly string[]): boolean {
  return filledIn(body, variables).isCut;
}

function filledIn(body: string, variables: readonly string[]): { readonly text: string; readonly isCut: boolean } {
  // A character takes two code units at most; more of them are not even joined.
  let left = 2 * longestText + 1;
  const text = body
    .split(placeholder)
    .map((piece, at) => {
      const part = (at % 2 === 0 ? piece : (variables[Number(piece) - 1] ?? `{{${piece}}}`)).slice(0, left);
      left -= part.length;
      return part;
    })
    .join('');
  if (text.length <= longestText) return { text, isCut: false };
  const characters = Array.from(text);
  return { text: characters.slice(0, longestText).join(''), isCut: characters.length > longestText };
}
