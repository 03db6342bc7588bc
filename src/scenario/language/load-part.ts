/** A part of the language that arrives on its own, such as a request header or a rule added at run time. */
import { sortProblems, type Problem } from './problems.js';
import { openReading } from './yaml-safety.js';
import { unread, type Place } from './yaml-node.js';
import type { Shape } from './shape.js';
import { parseYamlSource } from './yaml-source.js';

/** `place` is where the whole part stands, for lints. */
export type PartResult<T> = { readonly value: T; readonly place: Place } | { readonly problems: readonly Problem[] };

/**
 * Reads YAML or JSON text by one shape, with all the care a scenario file gets. Never throws for what the text holds.
 * @param file as problems shall name it
 */
export function loadPart<T>(shape: Shape<T>, text: string, file: string): PartResult<T> {
  const parsed = parseYamlSource(text, file);
  if ('problems' in parsed) return parsed;
  const { reading, root, sound } = openReading(parsed.source);
  const value = sound ? shape.read(root) : unread;
  if (value === unread || reading.problems.length > 0) return { problems: sortProblems(reading.problems, [file]) };
  return { value, place: root };
}
