/** An attacker brings a package into ours, through an unnoticed new dependency or a change of another one. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Locked {
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, Record<string, unknown>>;
const locked = Object.entries(read('package-lock.json')['packages'] as Record<string, Locked>).filter(
  ([at]) => at !== '',
);

/** The packages that our sources import, by name. */
const imports = execFileSync('git', ['grep', '-hE', `(from |import\\(|createRequire.*\\()'`, '--', 'src']).toString();
const imported = new Set(
  [
    ...imports.matchAll(
      /(?:^(?:import|export|\}).* from |import\(|createRequire\(import\.meta\.url\)\()'([^.'][^']*)'/gm,
    ),
  ]
    .map(([, specifier = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '')
    .filter((name) => !name.startsWith('node:')),
);

describe('dependencies', () => {
  it('carry licences that allow what we do', () => {
    const allowed = /^\(?(?:MIT|MIT-0|ISC|BSD-2-Clause|BSD-3-Clause|0BSD|Apache-2\.0|BlueOak-1\.0\.0|Python-2\.0)\b/;
    const used = locked.filter(([at, { dev }]) => dev !== true || imported.has(at.replace(/^.*node_modules\//, '')));
    expect(used.length).toBeGreaterThan(50);
    for (const [at, { license }] of used) expect(license ?? licenceOf(at), at).toMatch(allowed);
  });

  it('are pinned by hash, and run nothing when they are installed for use', () => {
    for (const [at, { integrity, link, dev, hasInstallScript }] of locked) {
      if (link === true) continue;
      expect(integrity, at).toMatch(/^sha512-/);
      if (dev !== true) expect(hasInstallScript, at).toBeUndefined();
    }
    expect(locked.length).toBeGreaterThan(100);
  });
});

/** Older packages list their licences. */
function licenceOf(at: string): string {
  const manifest = `${at}/package.json`;
  if (!existsSync(manifest)) return 'none';
  const { license, licenses } = read(manifest) as { license?: string; licenses?: readonly { type?: string }[] };
  return license ?? licenses?.[0]?.type ?? 'none';
}
