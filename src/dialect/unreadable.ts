/** Values of YAML that are not JSON. */
import type { Document, Node } from 'yaml';
import { isAlias, isMap, yaml } from '../domain/yaml.js';

const deepest = 100;
export const tooDeep = `is nested deeper than ${deepest} levels; flatten it`;

const mostAliases = 100;

/** Null if the value can become JSON: each alias has its anchor before it, and there are not too many aliases or levels. */
export function unreadableIn(root: Node, document: Document): { at: number; why: string } | null {
  let aliases = 0;
  const visit = (node: unknown, within: readonly unknown[], at: number): { at: number; why: string } | null => {
    if (!yaml().isNode(node)) return null;
    const offset = within.some(isAlias) ? at : (node.range?.[0] ?? at);
    if (within.length > deepest) return { at: offset, why: tooDeep };
    if (isAlias(node)) {
      const target = node.resolve(document);
      const name = `the alias *${node.source}`;
      if (target === undefined) return { at: offset, why: `${name} has no anchor &${node.source} before it` };
      if (within.includes(target)) return { at: offset, why: `${name} is inside its own anchor; write the value out` };
      if (++aliases > mostAliases)
        return { at: offset, why: `has more than ${mostAliases} aliases; write the values out` };
      return visit(target, [...within, node], offset);
    }
    const inner = isMap<Node, Node | null>(node)
      ? node.items.flatMap(({ key, value }) => [key, value])
      : yaml().isSeq<Node>(node)
        ? node.items
        : [];
    for (const each of inner) {
      const found = visit(each, [...within, node], offset);
      if (found) return found;
    }
    return null;
  };
  return visit(root, [], root.range?.[0] ?? 0);
}
