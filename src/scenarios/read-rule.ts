/** A single rule, as it is added at run time, and a single `webhook` slot: read by the shapes that read files. */
import type { Problem } from './problems.js';
import { openReading } from './schema/hygiene.js';
import { unread } from './schema/place.js';
import { ruleShape, type Rule } from './schema/rules.js';
import { parseYamlSource } from './yaml-source.js';

export type RuleResult = { readonly rule: Rule } | { readonly problems: readonly Problem[] };

/** @param text JSON or YAML */
export function readRule(text: string, file: string): RuleResult {
  const parsed = parseYamlSource(text, file);
  if ('problems' in parsed) return { problems: parsed.problems };
  const { reading, root, sound } = openReading(parsed.source);
  const rule = sound ? ruleShape.read(root) : unread;
  if (rule === unread || reading.problems.length > 0) return { problems: reading.problems };
  return { rule };
}
