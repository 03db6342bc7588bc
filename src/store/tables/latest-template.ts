import type { TemplateCopy } from '../../domain/message.js';
import { fieldCount } from './field-count.js';
import type { SharedParts } from './shared-parts.js';

/** Most messages have the template of the one before: its number is known without another look. */
export class LatestTemplate {
  readonly #parts: SharedParts;
  #latest: Omit<TemplateCopy, 'variables'> | null = null;
  #number: number | null = null;
  /** Parts that were dropped since have no number any more. */
  #of: readonly unknown[] = [];

  constructor(parts: SharedParts) {
    this.#parts = parts;
  }

  numberOf(template: Omit<TemplateCopy, 'variables'>): number | null {
    if (this.#of === this.#parts.values && this.#number !== null && this.#isLatest(template)) return this.#number;
    this.#latest = template;
    this.#number = this.#parts.numberOf(template);
    this.#of = this.#parts.values;
    return this.#number;
  }

  #isLatest(template: object): boolean {
    const latest = this.#latest as Record<string, unknown> | null;
    if (latest === null || fieldCount(latest) !== fieldCount(template)) return false;
    for (const field in template) if ((template as Record<string, unknown>)[field] !== latest[field]) return false;
    return true;
  }
}
