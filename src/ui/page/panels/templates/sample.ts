/** Fills the placeholders of a template's text. */
import type { Template } from '../../core/records.js';

const placeholder = /\{\{([1-9]\d{0,3})\}\}/g;

/** Part of the text: literal text, or the value of a placeholder. */
export interface Piece {
  readonly text: string;
  /** The placeholder's number, from 1; null for literal text. */
  readonly variable: number | null;
}

/** Splits the text into parts; a placeholder with an empty value stays. */
export function filledPieces(text: string, values: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(placeholder)) {
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), variable: null });
    const variable = Number(match[1]);
    const value = values[variable - 1] ?? '';
    pieces.push({ text: value === '' ? match[0] : value, variable });
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), variable: null });
  return pieces;
}

/** Returns the number of values for a send: the highest placeholder. */
export function variableCount(text: string): number {
  return Math.max(0, ...[...text.matchAll(placeholder)].map(([, number]) => Number(number)));
}

/** Sample values by the words before a placeholder. */
const guesses: readonly (readonly [RegExp, string])[] = [
  [/\b(?:hi|hello|dear|hey|hola|hallo|bonjour)\s*,?\s*$/i, 'Ada'],
  [/\b(?:order|invoice|booking|ticket|number|no\.?|#)\s*#?$/i, '1042'],
  [/\b(?:code|pin|password)\b[\s:]*(?:is)?\s*$/i, '482913'],
  [/\b(?:at|by|until|before|from)\s*$/i, '09:30'],
  [/\b(?:on|for|next)\s*$/i, 'Monday'],
  [/[$€£]\s*$/, '24.90'],
];

/** Returns sample values, so that the preview reads like a message. */
export function sampleValues({ text, category }: Pick<Template, 'text' | 'category'>): string[] {
  return Array.from({ length: variableCount(text) }, (_, at) => {
    if (category === 'authentication') return '482913';
    const before = text.slice(0, Math.max(0, text.indexOf(`{{${at + 1}}}`)));
    const [, guess] = guesses.find(([pattern]) => pattern.test(before.slice(-40))) ?? [];
    return guess ?? `sample ${at + 1}`;
  });
}
