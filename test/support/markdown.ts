/** The parts of a Markdown page that can be true or false: fenced examples, links, headings. */

export interface Example {
  /** Page and line, for the name of a test. */
  readonly at: string;
  readonly language: string;
  /** The text after the language of the fence. */
  readonly note: string;
  readonly body: string;
}

const FENCE = /^```(\w*) ?([^\n]*)\n([\s\S]*?)^```$/gm;

export function examplesOf(page: string, markdown: string): Example[] {
  return [...markdown.matchAll(FENCE)].map(({ 1: language = '', 2: note = '', 3: body = '', index }) => ({
    at: `${page}:${markdown.slice(0, index).split('\n').length}`,
    language,
    note,
    body,
  }));
}

/** Links within the project, except those in examples. */
export function linksOf(markdown: string): string[] {
  const prose = markdown.replace(FENCE, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link));
}

/** Anchors as usual renderers make them: lower case, without punctuation, spaces as hyphens. */
export function headingAnchors(markdown: string): string[] {
  const made = new Map<string, number>();
  const prose = markdown.replace(FENCE, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-');
    const before = made.get(anchor) ?? 0;
    made.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}
