/** The choice of a template in a form, and its variables. */
import type { Template } from '../../core/records.js';
import { sampleValues, variableCount } from '../templates/sample.js';
import type { Values } from './form.js';

/** Returns the option value of a template. */
export function keyOf({ name, language }: Template): string {
  return `${name} ${language}`;
}

/** Returns the chosen template; by default, one that can be sent. */
export function chosenTemplate({ template = '' }: Values, templates: readonly Template[]): Template | undefined {
  if (template !== '') return templates.find((each) => keyOf(each) === template);
  return templates.findLast(({ status, category }) => status === 'approved' && category !== 'authentication');
}

export function templateOptions({ template = '' }: Values, templates: readonly Template[]): [string, string][] {
  const options = templates
    .filter(({ status }) => status !== 'deleted')
    .map((each): [string, string] => [keyOf(each), `${each.name} (${each.language}, ${each.status})`]);
  return template === '' || options.some(([key]) => key === template) ? options : [...options, [template, template]];
}

export function templateHint(chosen: Template | undefined): string {
  return chosen?.text ?? 'No template is approved. Submit one under New template, then approve it under Templates.';
}

/** Returns the values of the variables, at first samples: as many as the template needs, or as a recorded call had. */
export function variablesOf(values: Values, chosen: Template | undefined): string[] {
  const samples = chosen ? sampleValues(chosen) : [];
  let count = variableCount(chosen?.text ?? '');
  while (`variable ${count + 1}` in values) count += 1;
  return Array.from({ length: count }, (_, at) => values[`variable ${at + 1}`] ?? samples[at] ?? '');
}

/** Number of characters around a variable in its label. */
const around = 18;

/** Returns a label such as `{{2}} in “… order {{2}} arrives …”`, because a variable has no name. */
export function variableLabel(text: string, number: number): string {
  const name = `{{${number}}}`;
  const at = text.indexOf(name);
  if (at < 0) return name;
  const [before, after] = [text.slice(0, at), text.slice(at + name.length)];
  // A word at the limit is omitted.
  const from = before.length <= around ? before : before.slice(-around).replace(/^\S*\s?/, '… ');
  const to = after.length <= around ? after : after.slice(0, around).replace(/\s?\S*$/, ' …');
  return `${name} in “${from}${name}${to}”`;
}
