/** Names of cells: on the command line, and in files that map them to something. */
import { parse } from 'yaml';
import { ExploreError } from '../facts/error.js';

/** A `*` in `wanted` stands for anything. */
function matchesCell(wanted: string, id: string): boolean {
  const parts = wanted.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`).test(id);
}

/** Returns the faults of the cells at the points with this name. */
function faultsAt(point: string, cells: Iterable<string>): string[] {
  const own = [...cells].filter((id) => point !== '*' && matchesCell(`${point}/*`, id));
  return [...new Set(own.map((id) => id.slice(id.lastIndexOf('/') + 1)))].sort();
}

/** Cells by their names; `notes` says which of the names fit none that was asked for. */
export function cellsNamed(names: readonly string[], flag: '--only' | '--require') {
  const used = new Set<string>();
  const known = new Set<string>();
  const nameOf = (id: string): string | undefined => {
    known.add(id);
    const fitting = names.filter((name) => matchesCell(name, id));
    for (const name of fitting) used.add(name);
    return fitting[0];
  };
  const fits = (id: string): boolean => nameOf(id) !== undefined;
  const notes = (): string[] =>
    names
      .filter((name) => !used.has(name))
      .map((name) => {
        const faults = faultsAt(name.slice(0, name.lastIndexOf('/')), known);
        const others = faults.length === 0 ? '' : ` The faults at this point are: ${faults.join(', ')}.`;
        return `${flag} '${name}' fits no cell of the story.${others}`;
      });
  return { fits, nameOf, notes };
}

/** Reads a file that maps names of cells to something. @throws ExploreError */
export function readCells(text: string, file: string, what: string, example: string): [cell: string, value: unknown][] {
  let document: unknown;
  try {
    document = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw new ExploreError(`${file} is not YAML: ${(error as Error).message.split('\n')[0] ?? ''}`);
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new ExploreError(`${file} must map names of cells to ${what}. Write ${example}`);
  }
  const entries = Object.entries(document as Record<string, unknown>);
  for (const [cell] of entries) {
    if (!cell.includes('/'))
      throw new ExploreError(`${file}: "${cell}" is not a cell. Expected POINT/FAULT: ${example}`);
  }
  return entries;
}

const ignore = "'message.send*/hang': the user does not wait for it";

/** Returns the reason, or null. @throws ExploreError */
export function parseIgnores(text: string, file: string): (id: string) => string | null {
  const entries = readCells(text, file, 'reasons', ignore);
  for (const [cell, because] of entries) {
    if (typeof because !== 'string' || because.trim() === '') {
      throw new ExploreError(`${file}: "${cell}" has no reason. State why you accept this break: ${ignore}`);
    }
  }
  return (id) => (entries.find(([cell]) => matchesCell(cell, id))?.[1] as string | undefined) ?? null;
}
