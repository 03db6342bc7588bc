import { parse } from 'yaml';
import { ExploreError } from './error.js';

const example = "'message.send*/hang': the user does not wait for it";

/** A `*` in `wanted` stands for anything. */
function matchesCell(wanted: string, id: string): boolean {
  const parts = wanted.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`).test(id);
}

/** The cells that somebody names to try; `notes` says which of the names fit none that was asked for. */
export function cellsNamed(names: readonly string[]) {
  const used = new Set<string>();
  const fits = (id: string): boolean => {
    const fitting = names.filter((name) => matchesCell(name, id));
    for (const name of fitting) used.add(name);
    return fitting.length > 0;
  };
  const notes = (): string[] =>
    names.filter((name) => !used.has(name)).map((name) => `--only '${name}' fits no cell of the story.`);
  return { fits, notes };
}

/** Returns the reason, or null. @throws ExploreError */
export function parseIgnores(text: string, file: string): (id: string) => string | null {
  let document: unknown;
  try {
    document = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw new ExploreError(`${file} is not YAML: ${(error as Error).message.split('\n')[0] ?? ''}`);
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new ExploreError(`${file} must map names of cells to reasons. Write ${example}`);
  }
  const entries = Object.entries(document as Record<string, unknown>);
  for (const [cell, because] of entries) {
    if (!cell.includes('/'))
      throw new ExploreError(`${file}: "${cell}" is not a cell. Expected POINT/FAULT: ${example}`);
    if (typeof because !== 'string' || because.trim() === '') {
      throw new ExploreError(`${file}: "${cell}" has no reason. State why you accept this break: ${example}`);
    }
  }
  return (id) => (entries.find(([cell]) => matchesCell(cell, id))?.[1] as string | undefined) ?? null;
}
