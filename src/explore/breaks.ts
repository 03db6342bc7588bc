/** What broke: tries that deviate in the same way, of which some are repeated to confirm it. */
import { doubted, proofOf, type Tried } from './cells.js';
import type { Reference } from './end-state.js';
import { deviationsOf } from './oracle.js';
import type { ExploreOptions, Patience, PlayedFile } from './options.js';
import type { Break, Deviation, DeviationKind, Placed } from './types.js';

/** Maximum number of cells of one kind of break that are repeated to confirm it. */
const mostConfirmations = 3;
/** Machine milliseconds that a call without a response is waited for longer, to confirm that it has no time limit. */
const callMs = 55_000;

/** Starting the command line that plays a file takes this long, even on a busy machine. */
const startMs = 10_000;

const notRepeated = 'The budget ended before it was repeated.';
const failsTheRight = 'After this fault, a correct application may end with an error, which would fail its scenario.';

interface Parts extends Pick<ExploreOptions, 'play' | 'playFile' | 'longestMs' | 'retryWithinMs' | 'ignored'> {
  readonly reference: () => Reference;
  /** Machine milliseconds until the end of the exploration. */
  readonly leftMs: () => number;
  readonly patienceAfter: (placed: Placed | null) => Patience;
  /** Whether the story may be played several times at once. */
  readonly together: () => boolean;
}

/** The tries that broke in the same way at points of one kind. */
interface Group {
  readonly kind: DeviationKind;
  readonly at: string;
  readonly cells: Tried[];
  confirming: boolean;
  tries: number;
  found: { readonly tried: Tried; readonly sentence: string; readonly file: PlayedFile } | null;
}

export class Breaks {
  readonly #groups = new Map<string, Group>();
  readonly #confirmations: (() => Promise<void>)[] = [];

  constructor(private readonly parts: Parts) {}

  /** Number of breaks that are confirmed. */
  get found(): number {
    return [...this.#groups.values()].filter(({ found }) => found !== null).length;
  }

  /** Returns what confirms the next break. */
  next(): (() => Promise<void>) | undefined {
    return this.#confirmations.shift();
  }

  add(tried: Tried): void {
    const kind = proofOf(tried.cell)?.kind;
    if (kind === undefined) return;
    const at = tried.placed.point.kind;
    const group = this.#groups.get(`${kind} ${at}`) ?? {
      kind,
      at,
      cells: [],
      confirming: false,
      tries: 0,
      found: null,
    };
    this.#groups.set(`${kind} ${at}`, group);
    group.cells.push(tried);
    if (group.confirming || group.found || group.tries >= mostConfirmations) return;
    group.confirming = true;
    this.#confirmations.push(() => this.#confirm(group));
  }

  async #confirm(group: Group): Promise<void> {
    const inOrder = [...group.cells].sort((a, b) => a.placed.fault.rank - b.placed.fault.rank);
    for (const tried of inOrder) {
      if (group.tries >= mostConfirmations || this.parts.leftMs() <= 0) break;
      const deviation = proofOf(tried.cell);
      if (deviation?.kind !== group.kind) continue;
      group.tries += 1;
      const file = await this.#proven(tried.placed, deviation);
      if (file?.problem === null) {
        group.found = { tried, sentence: deviation.sentence, file };
        break;
      }
      tried.cell = doubted(tried.cell, group.kind, file?.problem ?? notRepeated);
      this.add(tried);
    }
    group.confirming = false;
  }

  /** Plays a file of the break, and the story, with the fault and without it. @returns null if the time was over */
  async #proven(placed: Placed, deviation: Deviation): Promise<PlayedFile | null> {
    const { leftMs, play, playFile, longestMs, patienceAfter, retryWithinMs } = this.parts;
    const [reference, together] = [this.parts.reference(), this.parts.together()];
    const patience = patienceAfter(placed);
    // A loss is only believed after twice the usual time.
    const patienceMs = Math.min(longestMs, 2 * patience.realMs);
    const waitedMs = placed.fault.id === 'hang' ? callMs : 0;
    const longMs = patience.limitMs + patienceMs + waitedMs;
    const fileLimitMs = () => Math.min(longMs + startMs, leftMs());
    const playing = playFile({ placed, deviation, reference, patienceMs, limitMs: fileLimitMs, together });
    if (!together) await playing;
    const repeating = play(placed, {
      ...patience,
      realMs: patienceMs,
      callMs: patience.callMs + waitedMs,
      limitMs: Math.min(longMs, leftMs()),
    });
    if (!together) await repeating;
    const [file, again, without] = await Promise.all([playing, repeating, play(null, patienceAfter(null))]);
    if (leftMs() <= 0) return null;
    if (file.problem !== undefined) return { ...file, problem: file.problem };
    const isSame = ({ kind, doubt }: Deviation) => kind === deviation.kind && doubt === null;
    const isRepeated = deviationsOf(reference, again, placed, retryWithinMs).some(isSame);
    if (!isRepeated) return { ...file, problem: 'It did not happen again when it was repeated.' };
    const anyway = deviationsOf(reference, without, null).some(isSame);
    return { ...file, problem: anyway ? 'It also happened without the fault.' : null };
  }

  /**
   * Returns all breaks in order; what was not confirmed is doubtful.
   * @param earlier those of a resumed exploration
   * @param endsInError whether the application reports failures by its exit code
   */
  conclude(earlier: readonly Break[], endsInError: boolean): Break[] {
    const { ignored = () => null } = this.parts;
    const groups = [...this.#groups.values()];
    const own = groups.flatMap(({ kind, at, cells, found }): Break[] => {
      const because = found && ignored(found.tried.cell.id);
      for (const tried of cells) {
        if (found === null) tried.cell = doubted(tried.cell, null, notRepeated);
        else if (because !== null && tried.cell.state === 'broken') tried.cell = { ...tried.cell, state: 'ignored' };
      }
      if (found === null) return [];
      const { tried, sentence, file } = found;
      const mayFail = endsInError && tried.placed.fault.class !== 'recoverable';
      const noFile = file.noFile ?? (mayFail ? failsTheRight : null);
      const shown = { file: noFile === null ? file.name : null, noFile, scenario: file.text };
      return [{ kind, at, cell: tried.cell, sentence, tries: cells.length, ignored: because, ...shown }];
    });
    const kinds = new Set(own.map(({ kind, at }) => `${kind} ${at}`));
    return [...earlier.filter(({ kind, at }) => !kinds.has(`${kind} ${at}`)), ...own].sort(
      (a, b) => a.kind.localeCompare(b.kind) || a.at.localeCompare(b.at),
    );
  }
}
