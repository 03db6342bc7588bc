/** The places that a schema reads, with resolved aliases and meant keys. */
import { isAlias, isMap, isScalar, isSeq, type Pair, type ParsedNode } from 'yaml';
import { nearestWord } from '../domain/text.js';
import { coreOf, entryOf, type Schema } from '../language/about.js';
import type { Report } from '../language/problems.js';
import { settleKeys } from './keys.js';
import { meantSchema, scalarAs } from './meant.js';
import { Place, type Reading } from './place.js';
import { keyText } from './yaml.js';

const MAX_DEPTH = 50;
/** Values of a document, including those that its aliases repeat. */
const MAX_VALUES = 20_000;

/** Too large or too deep to read on. */
class Excess extends Error {}

export function treeOf(reading: Reading, schema: Schema): Place | undefined {
  const anchors = new Map<string, ParsedNode>();
  let values = 0;

  const stop = (place: Place, report: Report): never => {
    new Place(reading, place.node, place.range).report(report);
    throw new Excess();
  };

  /** An alias means the latest anchor of its name before it. */
  function resolve(place: Place): void {
    const { node } = place;
    if (!isAlias(node)) {
      if (node?.anchor !== undefined) anchors.set(node.anchor, node);
      return;
    }
    const found = `*${node.source}`;
    const target = anchors.get(node.source);
    let above = place.parent;
    while (above !== undefined && above.node !== target) above = above.parent;
    if (target !== undefined && above === undefined) {
      place.node = target;
      return;
    }
    place.isBroken = true;
    if (target !== undefined) {
      const message = `The alias ${found} is inside the value that it repeats, which would never end.`;
      place.report({ code: 'alias_cycle', message, found, allowed: 'an alias of a finished value' });
      return;
    }
    const message = `There is no anchor &${node.source} for this alias. Put a text that begins with * in quotes.`;
    const nearest = nearestWord(node.source, [...anchors.keys()]);
    const meant = nearest === undefined ? { example: JSON.stringify(found) } : { suggestion: `*${nearest}` };
    place.report({
      code: 'unknown_alias',
      message,
      found,
      allowed: 'a text in quotes, or an alias of an anchor above',
      ...meant,
    });
  }

  function grow(place: Place, wanted: Schema | undefined, depth: number): Place {
    values += 1;
    if (values > MAX_VALUES) {
      const message = 'The scenario has too many values, counting those that its aliases repeat.';
      const found = `more than ${MAX_VALUES} values`;
      stop(place, { code: 'too_many_values', message, found, allowed: `at most ${MAX_VALUES} values` });
    }
    resolve(place);
    const { node, entries } = place;
    if (depth >= MAX_DEPTH && node !== null) {
      const message = 'The scenario is nested too deeply here.';
      const [found, allowed] = [`more than ${MAX_DEPTH} levels`, `at most ${MAX_DEPTH} levels of lists and mappings`];
      stop(place, { code: 'too_deep', message, found, allowed });
    }
    if (isSeq<ParsedNode>(node)) {
      const element = entryOf(meantSchema(wanted, place), 0);
      for (const [index, one] of node.items.entries()) {
        const entry = new Place(reading, one, rangeOf(one, place.range), place, index);
        entries.set(index, grow(entry, element, depth + 1));
      }
      place.value = [...entries.values()].map(({ value }) => value);
    } else if (isMap<ParsedNode, ParsedNode | null>(node)) {
      for (const pair of node.items) addEntry(place, pair);
      const meant = meantSchema(wanted, place);
      // An entry of a list, without its dash.
      const schema =
        meant !== undefined && coreOf(meant).type === 'array' ? meantSchema(entryOf(meant, 0), place) : meant;
      const written = [...entries.values()];
      settleKeys(schema, place);
      for (const entry of written) {
        grow(entry, entries.get(entry.name) === entry ? entryOf(schema, entry.name) : undefined, depth + 1);
      }
      place.value = Object.fromEntries([...entries].map(([key, { value }]) => [key, value]));
    } else {
      place.value = scalarAs(wanted, place);
      lintComment(place);
    }
    return place;
  }

  function addEntry(place: Place, { key: node, value }: Pair<ParsedNode, ParsedNode | null>): void {
    const name = keyText(node);
    const key = new Place(reading, node, rangeOf(node, place.range), place, name ?? '?');
    if (name === undefined) {
      key.report({ code: 'key_not_text', message: 'A key must be a text.', allowed: 'a word such as "when"' });
    } else if (name === '__proto__' || name === 'constructor' || name === 'prototype') {
      const message = `The key "${name}" is not allowed, because it could change the program itself.`;
      key.report({ code: 'forbidden_key', message, allowed: 'any other key' });
    } else if (place.entries.has(name)) {
      key.report({ code: 'duplicate_key', message: `Duplicate key "${name}".`, allowed: 'each key once' });
    } else {
      place.entries.set(name, new Place(reading, value, rangeOf(value, key.range), place, name, key));
    }
  }

  const { contents, range } = reading.source.document;
  try {
    return grow(new Place(reading, contents, rangeOf(contents, [range[0], range[0]])), schema, 0);
  } catch (error) {
    if (error instanceof Excess) return undefined;
    throw error;
  }
}

const PROSE = ['text', 'body', 'because', 'description', 'message', 'button', 'name'];

/** Warns of `text: Order #42`, which YAML reads as `Order`. A comment has a space after its sign. */
function lintComment(place: Place): void {
  const { node, name, reading, range } = place;
  if (!isScalar(node) || node.type !== 'PLAIN' || !PROSE.includes(String(name))) return;
  const { text } = reading.source;
  const [, comment] = /^([ \t]+#[^\s#][^\r\n]*)/.exec(text.slice(range[1], range[1] + 400)) ?? [];
  if (comment === undefined) return;
  const whole = `${text.slice(range[0], range[1])}${comment}`.trimEnd();
  place.warn({
    code: 'comment_in_text',
    message: 'In YAML, " #" begins a comment, so the rest of the line is not part of the text.',
    found: whole,
    allowed: 'quotes around a text that contains " #"',
    replacement: JSON.stringify(whole),
    to: range[0] + whole.length,
  });
}

function rangeOf(node: ParsedNode | null, fallback: readonly [number, number]): readonly [number, number] {
  return node?.range ? [node.range[0], node.range[1]] : fallback;
}
