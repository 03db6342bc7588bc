/** Words that confused readers must not return: each finding has its file, its line and a replacement. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Words that must not be written, in any case, and their replacements. */
const words: readonly (readonly [banned: RegExp, instead: string])[] = [
  [/\bwhoever\b/i, 'name the subject: "anyone who", "when a customer writes"'],
  [/\b(?:is|are|was|be|been|gets?) told\b/i, '"is reported", "is logged", or a verb of what happens'],
  [/\b(?:unless|until) told\b/i, '"default: …" or "by default"'],
  [/(?<!')\btimetables?\b(?!')/i, '"retry schedule"'],
  [/\blook-ups?\b/i, '"lookup" (noun), "look up" (verb)'],
  [/\bone-time passwords?\b/i, '"one-time code"'],
  [/\bcontract §/i, 'nothing, or a heading that a reader can open'],
  [/\binterface §/i, 'nothing, or the heading in the interface document: "Errors" there'],
  [
    /(?<!\bthere )\b(?:is|are|was|were) no (?!(?:longer|more|less|such|better|worse|reason|need|point|matter|doubt|way)\b)[a-z]/i,
    '"is not a …" or "invalid …"',
  ],
  [/\bworlds? of (?:its|their) own\b/i, '"isolated account"'],
  [/\bin force\b/i, '"active"'],
  [/\bowed\b/i, '"pending", "queued"'],
  [/\bfor good\b/i, '"permanently"'],
  [/\b(?:came|comes) of it\b/i, '"the result"'],
  [/\bfor ever\b/i, '"forever", "indefinitely"'],
  [/\b(?:he or she|his or her)\b/i, '"they", "their"'],
];

/**
 * Files and folders that still have such words. The list only shrinks: an entry without a finding fails, and all other
 * files must have none.
 */
const notYetClean: readonly string[] = [];

const scope = ['*.md', 'docs', 'examples', 'scenarios', 'scripts', 'deploy', 'src', 'openapi.yaml', 'action.yml'];
const written = /\.(?:md|tsx?|c?js|mjs|ya?ml|json|sh|css|html|py|go)$|Dockerfile$/;
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', ...scope], {
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => written.test(path) && !/package-lock\.json$/.test(path) && existsSync(path));

/** Returns each banned word of a text, with its line and replacement. */
function findings(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) =>
    words.flatMap(([banned, instead]) => {
      const found = banned.exec(line);
      return found === null ? [] : [`${path}:${index + 1}: "${found[0]}"; write ${instead}`];
    }),
  );
}

const isIn = (path: string, entry: string): boolean => path === entry || path.startsWith(`${entry}/`);
const all = [...new Set(files)].map((path) => ({ path, found: findings(path, readFileSync(path, 'utf8')) }));

describe('words that do not come back', () => {
  it('are in no file but those that are not clean yet', () => {
    const clean = all.filter(({ path }) => !notYetClean.some((entry) => isIn(path, entry)));
    expect(clean.length).toBeGreaterThan(100);
    expect(clean.flatMap(({ found }) => found)).toStrictEqual([]);
  });

  it('are in everything that counts as not clean; remove an entry once it is', () => {
    const done = notYetClean.filter((entry) => !all.some(({ path, found }) => isIn(path, entry) && found.length > 0));
    expect(done).toStrictEqual([]);
  });

  it.each([
    ['Whoever writes has a window.', 'whoever'],
    ['The log is told of it.', 'is told'],
    ['"abc" is no phone number', 'is no p'],
    ['see contract §4', 'contract §'],
    ['each key is a world of its own', 'world of its own'],
  ])('finds "%s"', (line, word) => {
    expect(findings('page.md', `ok\n${line}`)).toStrictEqual([
      expect.stringMatching(new RegExp(`^page\\.md:2: "${word}"; write `, 'i')),
    ]);
  });

  it('accepts what is good English', () => {
    expect(
      findings('page.md', 'There is no scenario "x". The key is no longer used. It looks up a lookup.'),
    ).toStrictEqual([]);
  });
});
