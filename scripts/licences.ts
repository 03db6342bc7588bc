/** Collects the licences of bundled packages, which require their text to be distributed with the code. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/**
 * Name, version and licence text of every package among the bundled files.
 * @param files paths from the project's root
 */
export async function licenceTexts(files: readonly string[]): Promise<string> {
  const folders = new Set(files.flatMap((file) => packageFolder(file) ?? []));
  const texts = await Promise.all([...folders].sort().map(licenceOf));
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

/** Returns the innermost package of a file; none for a file of ours. */
function packageFolder(file: string): string | null {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? null;
}

async function licenceOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  // A notice next to the licence must also be distributed (Apache 2.0, section 4).
  const files = (await readdir(folder)).filter((entry) => /^(?:licen[cs]e|notice)(?:[.-]|$)/i.test(entry)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const text = texts.length === 0 ? 'No licence file is part of the package.\n' : texts.join('\n');
  return `${name} ${version}${license === undefined ? '' : ` (${license})`}\n\n${text.trimEnd()}\n`;
}
