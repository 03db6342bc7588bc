/** Parts of the language that arrive on their own: a rule added at run time, the fault of one event (contract §4). */
import type { WebhookEffect } from './effects.js';
import { compileWebhook } from './compile-slots.js';
import { sortProblems, type Problem } from './problems.js';
import { openReading } from './schema/hygiene.js';
import { unread } from './schema/place.js';
import { ruleShape, type LoadedRule } from './schema/rules.js';
import type { Shape } from './schema/shape.js';
import { webhookShape } from './schema/slot-shapes.js';
import type { Draw } from './ranges.js';
import { parseYamlSource } from './yaml-source.js';

export type PartResult<T> = { readonly value: T } | { readonly problems: readonly Problem[] };

/** Reads YAML or JSON text by one shape, with all the care a scenario file gets. Never throws for what the text holds. */
export function loadPart<T>(shape: Shape<T>, text: string, file: string): PartResult<T> {
  const parsed = parseYamlSource(text, file);
  if ('problems' in parsed) return parsed;
  const { reading, root, sound } = openReading(parsed.source);
  const value = sound ? shape.read(root) : unread;
  if (value === unread || reading.problems.length > 0) return { problems: sortProblems(reading.problems, [file]) };
  return { value };
}

/**
 * A rule added at run time.
 * @param id used when the rule brings none
 */
export function loadRule(text: string, id: string, file = 'rule'): PartResult<LoadedRule> {
  const result = loadPart(ruleShape, text, file);
  if ('problems' in result) return result;
  return { value: { ...result.value, id: result.value.id ?? id, source: { file: '', line: 0 } } };
}

/** The webhook slot of a single event or redelivery, as JSON or YAML text, made ready. */
export function loadWebhookSlot(text: string, draw: Draw, file = 'webhook'): PartResult<WebhookEffect> {
  const result = loadPart(webhookShape, text, file);
  return 'problems' in result ? result : { value: compileWebhook(result.value)(draw) };
}
