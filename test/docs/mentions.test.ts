/** Files named in a text exist: pages named by code and manifests, paths named by pages. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { headingAnchors } from '../support/markdown.js';

const folders = ['.github', 'bench', 'deploy', 'docs', 'examples', 'scenarios', 'scripts', 'src', 'test'];
const made = /(?:^|\/)(?:node_modules|generated|results|images)(?:\/|$)/;
const written = /\.(?:md|tsx?|m?js|ya?ml|sh|cfg|py|go)$|(?:^|\/)Dockerfile$/;

const files = ['.', ...folders]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: folder !== '.', encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((path) => written.test(path) && !made.test(path));
const text = (path: string): string => readFileSync(path, 'utf8');

describe('texts name what is there', () => {
  it('pages of docs/, and the headings in them', () => {
    const named = files.flatMap((path) =>
      [...text(path).matchAll(/(?<![\w./-])docs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([page]) => [path, page] as const),
    );
    expect(named.length).toBeGreaterThan(20);
    const missing = named.filter(([, named]) => {
      const [page = '', anchor] = named.split('#');
      return !existsSync(page) || (anchor !== undefined && !headingAnchors(text(page)).includes(anchor));
    });
    expect(missing).toStrictEqual([]);
  });

  it('paths between backticks in a page, from the root, from src or from the page', () => {
    const named = files
      .filter((path) => path.endsWith('.md'))
      .flatMap((page) =>
        [...text(page).matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|m?js|ya?ml|sh|cfg|py|go|md|json))`/g)].map(
          ([, path = '']) => [page, path] as const,
        ),
      );
    expect(named.length).toBeGreaterThan(30);
    const missing = named.filter(
      // A folder or file in capitals is a placeholder.
      ([page, path]) =>
        !/(?:^|\/)[A-Z]+(?:\/|\.)/.test(path) &&
        ![path, join('src', path), join(dirname(page), path)].some((each) => existsSync(each)),
    );
    expect(missing).toStrictEqual([]);
  });
});
