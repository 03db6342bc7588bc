import { readFileSync } from 'node:fs';
import { DialectError, parseDialect } from '../dialect/index.js';
import type { Dialect } from '../dialect/index.js';
import { ValueError } from './error.js';

/**
 * Reads the file that `--dialect FILE` names (contract §2, §8).
 * @throws ValueError with one line per problem of the file, or when it cannot be read.
 */
export function readDialectFile(path: string): Dialect {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw ValueError.of(path, `cannot be read (${reason})`, 'the path of a YAML file such as dialect.yaml');
  }
  try {
    return parseDialect(text, path);
  } catch (error) {
    if (error instanceof DialectError) throw new ValueError(error.message);
    throw error;
  }
}
