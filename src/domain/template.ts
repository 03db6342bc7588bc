/** A template, its placeholders and its review. */
import {
  anything,
  formed,
  isObject,
  listOf,
  type Of,
  oneOf,
  optional,
  orNull,
  record,
  text,
  type TypeOf,
} from './check.js';
import { explain, type Hand, hand } from './explain.js';
import { instant, language, place, templateName, traceparent, uuid } from './forms.js';
import { rowFields } from './row.js';

export const templateCategories = ['marketing', 'utility', 'authentication'] as const;
export const templateStatuses = ['pending', 'approved', 'rejected', 'paused', 'deleted'] as const;
const status = oneOf(templateStatuses);
export type TemplateStatus = TypeOf<typeof status>;

/** A state that the template reached, when, and the source of the change, if it was not planned. */
const entry = record({ status, atMs: instant, by: optional(hand) });

export const templateFields = {
  ...rowFields(uuid),
  name: templateName,
  category: oneOf(templateCategories),
  language,
  /** Null for an authentication template without a body of its own. */
  body: orNull(
    formed(
      text,
      (body) => placeholderProblem(body) === null,
      'a text with placeholders {{1}}, {{2}} and so on, without gaps',
    ),
  ),
  buttons: optional(listOf(formed(anything, isObject, 'an object'))),
  status,
  /** Every state in order. Templates stored by the first version have no earlier states. */
  history: optional(listOf(entry)),
  rejectionReason: orNull(text),
  createdAtMs: instant,
  /**
   * The sequence number of the latest approval: the default OTP template is the one approved last, not the one created
   * last.
   */
  approvedSeq: orNull(place),
  traceparent: optional(traceparent),
  explain,
};
export type Template = Of<typeof templateFields>;

/** The default body of an authentication template; its one variable is the code. */
const authenticationBody = '{{1}} is your verification code.';

export function templateBody(template: Pick<Template, 'body'>): string {
  return template.body ?? authenticationBody;
}

/** Normalises a BCP 47 tag for comparisons: lower case, with `-` instead of `_`. */
export function languageKey(tag: string): string {
  return tag.toLowerCase().replaceAll('_', '-');
}

const placeholder = /\{\{([^{}]*)\}\}/g;

/**
 * Returns the error in a body's placeholders, as a sentence, or null. Placeholders are `{{1}}`, `{{2}}` …, contiguous
 * from 1.
 */
export function placeholderProblem(body: string): string | null {
  const seen = new Set<number>();
  for (const [whole, inside] of body.matchAll(placeholder)) {
    if (!/^[1-9]\d{0,3}$/.test(inside ?? '')) return `${whole} is not a placeholder: use {{1}}, {{2}} and so on`;
    seen.add(Number(inside));
  }
  for (let n = 1; n <= seen.size; n += 1) {
    if (!seen.has(n)) return `placeholders must be numbered from {{1}} without gaps: {{${n}}} is missing`;
  }
  return null;
}

/** A parsed body: the text around its placeholders, and their numbers. */
interface Parts {
  readonly words: readonly string[];
  readonly insides: readonly string[];
  readonly highest: number;
}

/** A cache, because the same few bodies are parsed many times. When it is full, it is cleared. */
const partsOf = new Map<string, Parts>();
const mostBodies = 100;

function takeApart(body: string): Parts {
  const known = partsOf.get(body);
  if (known) return known;
  const pieces = body.split(placeholder);
  const insides = pieces.filter((_piece, i) => i % 2 === 1);
  const parts = { words: pieces.filter((_piece, i) => i % 2 === 0), insides, highest: highestOf(insides) };
  if (partsOf.size >= mostBodies) partsOf.clear();
  partsOf.set(body, parts);
  return parts;
}

function highestOf(insides: readonly string[]): number {
  return insides.reduce((highest, inside) => Math.max(highest, Number(inside)), 0);
}

/** Returns the number of variables of a body: its highest placeholder. */
export function variableCount(body: string): number {
  return takeApart(body).highest;
}

/**
 * Maximum number of characters (code points) of a filled-in template: the same as for a text. Otherwise, a few
 * variables that occur many times in a body could fill the memory of a client that lists messages.
 */
export const longestText = 4096;
/** A character takes two code units at most. */
const longestUnits = 2 * longestText;

/** Returns the text for the customer; a longer one is truncated, with `…` at the end. */
export function fillTemplate(body: string, variables: readonly string[]): string {
  return filledIn(body, variables).text;
}

/** Whether the text for the customer exceeds what the channel shows. */
export function isTooLong(body: string, variables: readonly string[]): boolean {
  // Nearly all are so short that nothing needs to be filled in to see that.
  const { insides } = takeApart(body);
  const units = insides.reduce((sum, inside) => sum + (variables[Number(inside) - 1]?.length ?? 0), body.length);
  return units > longestText && filledIn(body, variables).cut;
}

function filledIn(body: string, variables: readonly string[]): { readonly text: string; readonly cut: boolean } {
  const { words, insides } = takeApart(body);
  let text = words[0] ?? '';
  for (let i = 0; i < insides.length && text.length <= longestUnits; i += 1) {
    const inside = insides[i] ?? '';
    text += (variables[Number(inside) - 1] ?? `{{${inside}}}`).slice(0, longestUnits + 1) + (words[i + 1] ?? '');
  }
  if (text.length <= longestText) return { text, cut: false };
  const characters = Array.from(text);
  if (characters.length <= longestText) return { text, cut: false };
  return { text: `${characters.slice(0, longestText).join('')}…`, cut: true };
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
  by?: Hand,
): Required<Pick<Template, 'status' | 'history'>> {
  return { status, history: [...(template?.history ?? []), { status, atMs: nowMs, ...(by && { by }) }] };
}
