/** What was measured, kept as `bench/results/NAME.nodeMAJOR.json`; the page is made from these files alone. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import type { LoadResults } from '../measurements/peers-load.js';
import type { StartResults } from '../measurements/peers-start.js';
import type { Row } from './figure.js';
import type { Machine } from './machine.js';
import type { Settings } from './settings.js';
import { rounded } from './units.js';

/** What a measurement has found: rows of a table, or the figures of several servers side by side. */
export type Findings = { readonly kind: 'rows'; readonly rows: readonly Row[] } | LoadResults | StartResults;

export interface Result {
  readonly measurement: string;
  /** ISO 8601, UTC. */
  readonly takenAt: string;
  readonly commit: string;
  /** The node that ran the servers, such as `v20.20.2`. */
  readonly node: string;
  readonly machine: Machine;
  /** Processes that wanted a core in the minute before, on average: near 0 where the machine was left alone. */
  readonly loadBefore: number;
  readonly settings: Settings;
  readonly findings: Findings;
}

const folder = 'bench/results';

/** All of them, by name of measurement and version of Node. */
export function readResults(): Result[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return names.sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Result);
}

/** Takes the place of what was measured before on the same version of Node. */
export async function writeResult(result: Result): Promise<string> {
  const path = join(folder, `${result.measurement}.node${majorOf(result.node)}.json`);
  const short = JSON.stringify(result, (_key, value: unknown) => (typeof value === 'number' ? rounded(value) : value));
  await mkdir(folder, { recursive: true });
  await writeFile(path, await format(short, { parser: 'json', printWidth: 120 }));
  return path;
}

export function majorOf(node: string): string {
  return /^v?(\d+)/.exec(node)?.[1] ?? node;
}
