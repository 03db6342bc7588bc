/** Tables and marked sections of Markdown, which the generators of documentation share. */

/** Returns the value in backticks; as JSON if it is not text. */
export const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

/** Returns a table. Its cells may contain bars. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Matches the section of a name with its marks. */
const section = (name: string): RegExp =>
  new RegExp(`(<!-- generated: ${name} -->\\n)[\\s\\S]*?(<!-- end: ${name} -->)`);

/** Returns the names of the marked sections of a page, in order. */
export function sectionNames(page: string): string[] {
  return [...page.matchAll(/^<!-- generated: ([\w-]+) -->$/gm)].map(([, name = '']) => name);
}

/**
 * Returns the page with each marked section filled again.
 * @throws Error if a section is not closed or has no generator
 */
export function fillSections(page: string, makers: Readonly<Record<string, () => string>>): string {
  return sectionNames(page).reduce((text, name) => {
    const make = makers[name];
    if (make === undefined) {
      throw new Error(`The section "${name}" has no generator. Known: ${Object.keys(makers).join(', ')}.`);
    }
    if (!section(name).test(text)) throw new Error(`The section "${name}" has no end: add <!-- end: ${name} -->.`);
    return text.replace(section(name), (_whole, open: string, close: string) => `${open}\n${make()}\n\n${close}`);
  }, page);
}
