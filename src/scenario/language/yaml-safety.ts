/**
 * Rejects what no scenario may contain: duplicate keys, keys that reach prototypes, keys that are not texts, too many
 * aliases, aliases without an anchor or inside their own value.
 */
import { isMap, isScalar, visit, type Alias, type ParsedNode } from 'yaml';
import { mostProblems, type Report } from './problems.js';
import type { FoundProblem } from './corrected-line.js';
import type { YamlSource } from './yaml-source.js';
import { YamlNode, type Reading } from './yaml-node.js';
import { isPollution, joinPath, keyText } from './json-text.js';
import { nearestWord } from '../../domain/nearest-word.js';

const MAX_ALIASES = 100;

/** Starts the reading of a document: checks the whole tree once and resolves its aliases. */
export function openReading(source: YamlSource): { reading: Reading; root: YamlNode; sound: boolean } {
  const problems: FoundProblem[] = [];
  const aliases = new Map<Alias, ParsedNode>();
  const reading: Reading = {
    source,
    aliases,
    problems,
    warnings: [],
    unlisted: 0,
    said: new Set(),
    reports: 0,
    places: new Map(),
    origins: new WeakMap(),
    values: 0,
    programs: 0,
  };
  const anchors = new Map<string, ParsedNode>();
  let aliasCount = 0;
  let sound = true;
  const at = (node: ParsedNode | null, path: string) => new YamlNode(reading, node, path);

  // One pass in document order: an alias refers to the latest anchor of its name before it.
  visit(source.document, {
    Node(_key, node, ancestors) {
      const { anchor } = node;
      if (anchor !== undefined) anchors.set(anchor, node as ParsedNode);
      if (isMap(node)) checkKeys(node.items, (key) => at(key, pathOf(ancestors, node, key)));
    },
    Alias(_key, alias, ancestors) {
      aliasCount += 1;
      const target = anchors.get(alias.source);
      const place = at(alias as ParsedNode, '');
      const report = (problem: Report) => {
        if (problems.length < mostProblems) problems.push(place.problem(problem));
        else reading.unlisted += 1;
      };
      const found = `*${alias.source}`;
      if (aliasCount > MAX_ALIASES) {
        sound = false;
        if (aliasCount > MAX_ALIASES + 1) return;
        const message = 'The scenario uses too many YAML aliases.';
        report({ code: 'too_many_aliases', message, found, allowed: `at most ${MAX_ALIASES}` });
      } else if (target === undefined) {
        const message = `There is no anchor &${alias.source} for this alias. Put a text that begins with * in quotes.`;
        const nearest = nearestWord(alias.source, [...anchors.keys()]);
        const meant = nearest === undefined ? { example: JSON.stringify(found) } : { suggestion: `*${nearest}` };
        report({
          code: 'unknown_alias',
          message,
          found,
          allowed: 'a text in quotes, or an alias of an anchor above',
          ...meant,
        });
      } else if (ancestors.includes(target)) {
        const message = `The alias *${alias.source} is inside the value that it repeats, which would never end.`;
        report({ code: 'alias_cycle', message, found, allowed: 'an alias of a finished value' });
      } else aliases.set(alias, target);
    },
  });
  return { reading, root: at(source.document.contents, ''), sound };
}

function checkKeys(items: readonly { key: unknown }[], at: (key: ParsedNode) => YamlNode): void {
  const seen = new Set<string>();
  for (const item of items) {
    const key = item.key as ParsedNode;
    const text = keyText(key);
    if (text === undefined) {
      at(key).report({ code: 'key_not_text', message: 'A key must be a text.', allowed: 'a word such as "when"' });
    } else if (isPollution(text)) {
      const message = `The key "${text}" is not allowed, because it could change the program itself.`;
      at(key).report({ code: 'forbidden_key', message, allowed: 'any other key' });
    } else if (seen.has(text)) {
      const message = `Duplicate key "${text}".`;
      at(key).report({ code: 'duplicate_key', message, allowed: 'each key once' });
    }
    if (text !== undefined) seen.add(text);
  }
}

/** Returns the path of a key, from the nodes above it. */
function pathOf(ancestors: readonly unknown[], map: unknown, key: ParsedNode): string {
  let path = '';
  const chain = [...ancestors, map];
  chain.forEach((node, index) => {
    const child = chain[index + 1];
    if (isPair(node)) path = joinPath(path, keyText(node.key) ?? '?');
    else if (isList(node)) path = `${path}[${node.items.indexOf(child)}]`;
  });
  return joinPath(path, isScalar(key) ? (keyText(key) ?? '?') : '?');
}

function isPair(node: unknown): node is { key: unknown; value: unknown } {
  return typeof node === 'object' && node !== null && 'key' in node && 'value' in node;
}

function isList(node: unknown): node is { items: unknown[] } {
  return typeof node === 'object' && node !== null && 'items' in node && !isMap(node);
}
