/** A template and its states. */
import type { Template } from './rows.js';
import type { Actor, TemplateStatus } from './words.js';

export type { Template } from './rows.js';

/** The default body of an authentication template; its one variable is the code. */
const authenticationBody = '{{1}} is your verification code.';

export function templateBody(template: Pick<Template, 'body'>): string {
  return template.body ?? authenticationBody;
}

/** Normalises a BCP 47 tag for comparisons: lower case, with `-` instead of `_`. */
export function languageKey(tag: string): string {
  return tag.toLowerCase().replaceAll('_', '-');
}

/** The platform owner's actions other than a review: approved and paused in both directions, anything to deleted. */
export function mayBecome(from: TemplateStatus, to: 'approved' | 'paused' | 'deleted'): boolean {
  if (from === 'deleted') return false;
  if (to === 'deleted') return true;
  return (from === 'approved' && to === 'paused') || (from === 'paused' && to === 'approved');
}

/** Returns a new state with its entry in the history. */
export function inState(
  template: Pick<Template, 'history'> | null,
  status: TemplateStatus,
  nowMs: number,
  by?: Actor,
): Required<Pick<Template, 'status' | 'history'>> {
  return { status, history: [...(template?.history ?? []), { status, atMs: nowMs, ...(by && { by }) }] };
}
