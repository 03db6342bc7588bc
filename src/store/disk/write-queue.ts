/**
 * Lines that wait to be written. While the disk refuses them there may be only so many: what changed is in the account's
 * memory anyway, so past the bound they are let go, and the account has to be written down whole instead.
 */

/** Characters of lines that may wait for a disk that fails. */
export const longestBacklog = 8 * 1024 * 1024;

export class Backlog {
  #lines: string[] = [];
  #chars = 0;

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  get isTooLong(): boolean {
    return this.#chars > longestBacklog;
  }

  add(line: string): void {
    this.#lines.push(line);
    this.#chars += line.length;
  }

  /** What was tried in vain goes before what came since. */
  putBack(text: string): void {
    if (text === '') return;
    this.#lines.unshift(text);
    this.#chars += text.length;
  }

  take(): string {
    const text = this.#lines.join('');
    this.drop();
    return text;
  }

  drop(): void {
    this.#lines = [];
    this.#chars = 0;
  }
}
