/** Pieces of text, each with what stands under it, to be looked for in one text after another. */

interface Entry<T> {
  readonly piece: string;
  readonly letters: number;
  readonly under: T[];
}

/** A text this many times as long as there are pieces is sooner searched for each than looked over letter by letter. */
const lettersPerPiece = 4;

export class PieceList<T> {
  readonly #entries = new Map<string, Entry<T>>();

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** What stands under a piece; to be added to. */
  under(piece: string): T[] {
    let entry = this.#entries.get(piece);
    if (entry === undefined) this.#entries.set(piece, (entry = { piece, letters: lettersOf(piece), under: [] }));
    return entry.under;
  }

  /** Hands over what stands under the pieces that the text holds. */
  find(text: string, take: (found: readonly T[]) => void): void {
    const missing = text.length < this.#entries.size * lettersPerPiece ? ~lettersOf(text) : 0;
    for (const { piece, letters, under } of this.#entries.values()) {
      if ((letters & missing) === 0 && text.includes(piece)) take(under);
    }
  }
}

/** Which letters a text has, a bit for each; letters that share a bit are taken for one another. */
function lettersOf(text: string): number {
  let letters = 0;
  for (let i = 0; i < text.length; i += 1) letters |= 1 << (text.charCodeAt(i) & 31);
  return letters;
}
