/** The order of templates: those pending review first, then all others by state. */
import type { Template } from '../../core/records.js';

export type TemplateState = Template['status'];

const states = ['pending', 'approved', 'paused', 'rejected', 'deleted'] as const satisfies readonly TemplateState[];

const titles: Readonly<Record<TemplateState, string>> = {
  pending: 'Pending review',
  approved: 'Approved',
  paused: 'Paused',
  rejected: 'Rejected',
  deleted: 'Deleted',
};

export type Line =
  | { readonly kind: 'heading'; readonly state: TemplateState; readonly title: string; readonly count: number }
  | { readonly kind: 'template'; readonly template: Template };

/** Returns the rows of the list: the oldest pending template first, then the newest of the others. */
export function deskLines(templates: readonly Template[], search: string): Line[] {
  const wanted = search.trim().toLowerCase();
  const fits = ({ name, language, category, text }: Template) =>
    [name, language, category, text].some((each) => each.toLowerCase().includes(wanted));
  const chosen = wanted === '' ? templates : templates.filter(fits);
  return states.flatMap((state): Line[] => {
    const own = chosen.filter(({ status }) => status === state);
    if (own.length === 0) return [];
    if (state !== 'pending') own.reverse();
    const heading: Line = { kind: 'heading', state, title: titles[state], count: own.length };
    return [heading, ...own.map((template): Line => ({ kind: 'template', template }))];
  });
}

export function keyOfLine(line: Line): string {
  return line.kind === 'heading' ? line.state : line.template.id;
}

export function waiting(templates: readonly Template[]): number {
  return templates.filter(({ status }) => status === 'pending').length;
}

export interface Decision {
  readonly to: 'approved' | 'rejected' | 'paused' | 'deleted';
  /** The label of the button. */
  readonly words: string;
}

const remove: Decision = { to: 'deleted', words: 'Delete' };

/** Returns the actions for a template in a state, the most usual first. */
export function decisionsFor(state: TemplateState): Decision[] {
  switch (state) {
    case 'pending':
      return [{ to: 'approved', words: 'Approve' }, { to: 'rejected', words: 'Reject …' }, remove];
    case 'approved':
      return [{ to: 'paused', words: 'Pause' }, remove];
    case 'paused':
      return [{ to: 'approved', words: 'Resume' }, remove];
    case 'rejected':
      return [remove];
    case 'deleted':
      return [];
  }
}

/** Usual reasons of reviewers. */
export const usualReasons = [
  'The category is wrong: the content is marketing.',
  'A placeholder is at the very beginning or end of the body, or next to another one.',
  'The body is not in the chosen language.',
  'The body asks for a password, a card number or other sensitive data.',
  'The content promotes something that the commerce policy does not allow.',
  'The content is threatening or insulting.',
  'Another template already has the same content.',
] as const;
