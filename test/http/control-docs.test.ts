/** docs/control-plane.md is printed from the document that validates the calls, so it cannot tell of others. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { curlOf } from '../../scripts/control-docs/curl.js';
import { callsOf, readControlDocument } from '../../scripts/control-docs/document.js';
import { controlPage } from '../../scripts/control-docs/page.js';

const page = readFileSync('docs/control-plane.md', 'utf8');
const calls = callsOf(readControlDocument());

describe('docs/control-plane.md', () => {
  it('is what the generator prints; run npx tsx scripts/control-docs.ts > docs/control-plane.md', async () => {
    expect(page).toBe(await controlPage());
  });

  it('leads every link to a heading, and no two headings share an anchor', () => {
    const anchorOf = (heading: string) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-');
    const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading.replaceAll('\\', '')));
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([]);
    const links = [...page.matchAll(/\]\(#([^)]*)\)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(100);
    expect([...new Set(links)].filter((link) => !anchors.includes(link))).toEqual([]);
  });

  it('shows commands that a shell reads as meant', () => {
    for (const call of calls) {
      const words = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${curlOf(call)}`], {
        encoding: 'utf8',
      });
      const [url = '', ...options] = words.trimEnd().split('\n');
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:4242\/[^\s{}]+$/);
      const body = options[options.indexOf('-d') + 1];
      const media = Object.values(call.operation.requestBody?.content ?? {})[0];
      if (media) expect(JSON.parse(body ?? '')).toEqual(media.example);
      else expect(options).not.toContain('-d');
    }
  });
});
