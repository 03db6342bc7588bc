/** Names of cells, by which somebody selects cells, ignores them, or requires something after them. */
import { parse } from 'yaml';
import { ExploreError } from './error.js';

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
function readCells(text: string, file: string, what: string, example: string): [cell: string, value: unknown][] {
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

/** A message that the application must send after a fault, once more than without it. */
export interface Required {
  /** Default: the customer of the fault; `*`: any. */
  readonly to?: string;
  readonly type?: string;
  readonly template?: string;
}

const requirement = "'message.send*/window-closed': { template: order_update }";
const conditions = ['to', 'type', 'template'];

/** @throws ExploreError */
export function parseRequirements(text: string, file: string) {
  const entries = readCells(text, file, 'messages', requirement);
  for (const [cell, message] of entries) {
    const isMapping = typeof message === 'object' && message !== null && !Array.isArray(message);
    const fields = Object.entries(isMapping ? message : {});
    const wrong = fields.find(([name, value]) => !conditions.includes(name) || typeof value !== 'string');
    if (fields.length === 0 || wrong !== undefined) {
      const found = wrong === undefined ? JSON.stringify(message) : `${wrong[0]}: ${JSON.stringify(wrong[1])}`;
      throw new ExploreError(
        `${file}: "${cell}" has ${found}. Expected a message, with one or more of to, type and template, which are text: ${requirement}`,
      );
    }
  }
  const messages = new Map(entries as [string, Required][]);
  const { nameOf, notes } = cellsNamed([...messages.keys()], '--require');
  return { messageAfter: (id: string): Required | undefined => messages.get(nameOf(id) ?? ''), notes };
}
