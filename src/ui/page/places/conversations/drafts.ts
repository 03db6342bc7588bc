import type { components } from '../../../../generated/control.js';
import type { Template } from '../../core/records.js';
import { chosenTemplate, variablesOf } from './template-choice.js';

type InboundInput = components['schemas']['InboundInput'];

export const types = [
  ['text', 'Text'],
  ['image', 'Image'],
  ['document', 'Document'],
  ['interactive', 'Buttons'],
  ['template', 'Template'],
] as const;

export const blank = {
  side: 'customer' as 'customer' | 'business',
  type: 'text' as (typeof types)[number][0],
  text: '',
  url: '',
  buttonId: '',
  /** Titles of the business's buttons, separated by commas. */
  buttons: '',
  /** Its id; empty for the newest approved one. */
  template: '',
  variables: [] as readonly string[],
};

export type Draft = Readonly<typeof blank>;

export function isReady(draft: Draft, templates: readonly Template[]): boolean {
  const { side, type, text, url, buttonId, buttons, template } = draft;
  const some = text.trim() !== '';
  if (type === 'text') return some;
  if (type === 'template') return chosenTemplate(template, templates) !== undefined;
  if (type === 'interactive') return some && (side === 'customer' ? buttonId !== '' : titles(buttons).length > 0);
  return side === 'customer' || url !== '';
}

export function inboundOf({ type, text, url, buttonId }: Draft, from: string): InboundInput {
  if (type === 'interactive') return { from, type, interactive: { id: buttonId, title: text } };
  if (type === 'image' || type === 'document') {
    return { from, type, ...(url !== '' && { media_url: url }), ...(text !== '' && { text }) };
  }
  return { from, type: 'text', text };
}

export function outboundOf(draft: Draft, to: string, templates: readonly Template[]): object {
  const { type, text, url, buttons, template, variables } = draft;
  if (type === 'image' || type === 'document') return { to, type, media_url: url };
  if (type === 'interactive') {
    const made = titles(buttons).map((title) => ({ id: idOf(title), title }));
    return { to, type, interactive: { body: text, buttons: made } };
  }
  if (type === 'template') {
    const chosen = chosenTemplate(template, templates);
    const { name = '', language = '' } = chosen ?? {};
    return { to, type, template: { name, language, variables: chosen ? variablesOf(chosen, variables) : [] } };
  }
  return { to, type, text };
}

function titles(buttons: string): string[] {
  return buttons
    .split(',')
    .map((title) => title.trim())
    .filter((title) => title !== '');
}

function idOf(title: string): string {
  const id = title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  return id.replaceAll(/^-|-$/g, '') || 'button';
}
