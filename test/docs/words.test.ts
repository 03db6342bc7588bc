/** Words that confused readers must not return: each finding has its file, its line and a replacement. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

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

it('words that confused readers are in no file', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((path) => findings(path, readFileSync(path, 'utf8')))).toStrictEqual([]);
});
