/** Texts leave out what confused readers. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { scenarioJsonSchema } from '../../src/language/scenario.js';

/** Words that must not be written, in any case, and their replacements. */
const words: readonly (readonly [banned: RegExp, instead: string])[] = [
  [/\bwhoever\b/i, 'name the subject: "anyone who", "when a customer writes"'],
  [/\b(?:is|are|was|be|been|gets?) told\b/i, '"is reported", "is logged", or a verb of what happens'],
  [/\b(?:unless|until) told\b/i, '"default: …" or "by default"'],
  [/(?<!')\btimetables?\b(?!')/i, '"retry schedule"'],
  [/\blook-ups?\b/i, '"lookup" (noun), "look up" (verb)'],
  [/\bone-time passwords?\b/i, '"one-time code"'],
  [/\b(?:contract|interface) §/i, 'nothing, or a heading that a reader can open'],
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

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => /\.(?:md|tsx?|c?js|mjs|ya?ml|json|sh|css|html|cfg|py|go)$|Dockerfile$/.test(path))
  .filter((path) => !path.endsWith('package-lock.json') && existsSync(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const shipped = files.filter(({ path }) => !/^(?:test|bench|clients)\//.test(path));

it('words that confused readers are in no file', () => {
  expect(shipped.length).toBeGreaterThan(100);
  const found = shipped.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) =>
      words.flatMap(([banned, instead]) => {
        const word = banned.exec(line)?.[0];
        return word === undefined ? [] : `${path}:${index + 1}: "${word}"; write ${instead}`;
      }),
    ),
  );
  expect(found).toStrictEqual([]);
});

/** Shapes of a compressed sentence. A comparison or a noun is missing there. */
const shapes: readonly (readonly [shape: RegExp, instead: string])[] = [
  [/\b(?:that|those) of\b/g, 'the noun again'],
  [/(?:^(?:- )?|[.;:] )What (?!is an?\b)/gm, 'a noun as the subject'],
  [/, too[.,;:]/g, '"even", "as well", or nothing'],
];

/** Returns the compressed sentences of a text. */
function compressed(path: string, prose: string): string[] {
  return shapes.flatMap(([shape, instead]) =>
    [...prose.matchAll(shape)].map(
      ({ 0: words, index }) =>
        `${path}:${prose.slice(0, index).split('\n').length}: "${words.trim()}"; write ${instead}`,
    ),
  );
}

it('sentences of the pages for users name their nouns', () => {
  const pages = files.filter(({ path }) => /^(?:README|SECURITY|(?:docs|clients|deploy|examples)\/.*)\.md$/.test(path));
  expect(pages.length).toBeGreaterThan(20);
  const found = pages.flatMap(({ path, text }) =>
    compressed(
      path,
      text.replace(/^```[^]*?^```$/gm, (code) => code.replace(/[^\n]/g, '')),
    ),
  );
  expect(found).toStrictEqual([]);
});

const sources = files.filter(({ path }) => /^src\/.*\.(?:tsx?|yaml)$/.test(path));

it('comments, help, errors and descriptions name their nouns', () => {
  expect(sources.length).toBeGreaterThan(200);
  expect(sources.flatMap(({ path, text }) => compressed(path, text))).toStrictEqual([]);
});

/** Words at the beginning of a comment that needs its identifier to be read. */
const questions = /^(?:What|Whether|How|Why|Which|Where|When|Who|Whose|That|Those|Of)\b/;
const prepositions =
  /^(?:In|For|With|Without|From|To|On|At|By|As|After|Before|Until|Since|Between|During|Under|Over|Beside|Among|Like)\b[^,]*$/;
const fillers = new Set('a an the of in for to and or by is are its it this that with each all returns'.split(' '));

/** The words of a text or an identifier, without fillers and endings. */
const wordsOf = (text: string): Set<string> =>
  new Set(
    (
      text
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase()
        .match(/[a-z]+/g) ?? []
    )
      .filter((word) => !fillers.has(word))
      .map((word) => word.replace(/s$/, '').slice(0, 5)),
  );

it('a comment is a phrase or a sentence, and says more than the name below it', () => {
  const found = sources.flatMap(({ path, text }) => {
    const lines = text.split('\n');
    return lines.flatMap((line, index) => {
      const said =
        /^\s*\/\*\* (.*?)(?: \*\/)?$/.exec(line)?.[1] ??
        (lines[index - 1]?.trim() === '/**' ? line.replace(/^\s*\* /, '') : '');
      const isFragment = questions.test(said) || prepositions.test(said);
      const name = line.endsWith(' */') && index > 0 ? wordsOf(lines[index + 1] ?? '') : new Set<string>();
      const repeats = wordsOf(said).size > 0 && [...wordsOf(said)].every((word) => name.has(word));
      return isFragment || repeats ? [`${path}:${index + 1}: ${said}`] : [];
    });
  });
  expect(found).toStrictEqual([]);
});

/** Parts of a description that are names or values, so that they need backticks. */
const bareNames =
  /(?:^|\. )[^A-Z`]\S*|\w_\w+|\w\.\w+|["{}$].*|\b\d+(?:ms|[smhd])\b|\b[Ii]f the \w+ is [a-z]+:|Default: (?!always|generated)\w+[.,]/g;

it('names and values are in backticks in the descriptions of scenario files', () => {
  const descriptions: string[] = [];
  JSON.stringify(scenarioJsonSchema(), (key, value: unknown) => {
    if (key === 'description' && typeof value === 'string') descriptions.push(value);
    return value;
  });
  expect(descriptions.length).toBeGreaterThan(100);
  const bare = descriptions.flatMap((text) => [...text.replace(/`[^`]+`/g, '`').matchAll(bareNames)].map(String));
  expect(bare).toStrictEqual([]);
});
