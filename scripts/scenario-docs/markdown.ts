/** Tables and marked sections of Markdown: what generators of documentation share. */

/** In backticks; JSON when it is no text. */
export const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

/** A table whose cells may hold bars. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Where the section of a name stands in a page, its marks included. */
const section = (name: string): RegExp =>
  new RegExp(`(<!-- generated: ${name} -->\\n)[\\s\\S]*?(<!-- end: ${name} -->)`);

/** Names of the marked sections of a page, in order. */
export function sectionNames(page: string): string[] {
  return [...page.matchAll(/^<!-- generated: ([\w-]+) -->$/gm)].map(([, name = '']) => name);
}

/**
 * The page with each marked section filled anew.
 * @throws Error when a section is opened and not closed, or nobody makes it
 */
export function fillSections(page: string, makers: Readonly<Record<string, () => string>>): string {
  return sectionNames(page).reduce((text, name) => {
    const make = makers[name];
    if (make === undefined) {
      throw new Error(`Nobody makes the section "${name}". Known: ${Object.keys(makers).join(', ')}.`);
    }
    if (!section(name).test(text)) throw new Error(`The section "${name}" has no end: add <!-- end: ${name} -->.`);
    return text.replace(section(name), (_whole, open: string, close: string) => `${open}\n${make()}\n\n${close}`);
  }, page);
}
