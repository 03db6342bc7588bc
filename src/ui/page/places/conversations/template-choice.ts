import type { Template } from '../../core/records.js';

const placeholder = /\{\{([1-9]\d{0,3})\}\}/g;

export function chosenTemplate(id: string, templates: readonly Template[]): Template | undefined {
  if (id !== '') return templates.find((each) => each.id === id);
  return templates.find(({ status, category }) => status === 'approved' && category !== 'authentication');
}

export function optionsOf(templates: readonly Template[]): [string, string][] {
  return templates
    .filter(({ status }) => status !== 'deleted')
    .map(({ id, name, language, status }) => [id, `${name} (${language}, ${status})`]);
}

export function variablesOf(template: Pick<Template, 'text' | 'category'>, given: readonly string[]): string[] {
  return sampleValues(template).map((sample, at) => given[at] ?? sample);
}

export function sampleValues({ text, category }: Pick<Template, 'text' | 'category'>): string[] {
  const count = Math.max(0, ...[...text.matchAll(placeholder)].map(([, number]) => Number(number)));
  return Array.from({ length: count }, (_, at) => (category === 'authentication' ? '482913' : `sample ${at + 1}`));
}

/** Fills the placeholders; one with an empty value stays. */
export function filled(text: string, values: readonly string[]): string {
  return text.replaceAll(placeholder, (all, number: string) => values[Number(number) - 1] || all);
}
