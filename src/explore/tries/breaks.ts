/** Breaks are tries that deviate in the same way, of which some are repeated to confirm it. */
import type { LimitFunction } from 'p-limit';
import { doubted, proofOf, type Tried } from './cells.js';
import { doubtByContrast } from './contrast.js';
import type { Reference } from '../facts/end-state.js';
import { isRequired } from '../oracle/required.js';
import { hangs, isOpenCall } from '../oracle/open-call.js';
import { deviationsOf } from '../oracle/oracle.js';
import { breakAt, ofCustomers, writeFile } from './file.js';
import type { ExploreOptions, Patience } from './options.js';
import type { Break, Cell, Deviation, DeviationKind, Placed } from '../facts/types.js';

/** Maximum number of cells of one kind of break that are repeated to confirm it. */
const mostConfirmations = 3;
/** A break that so many runs with the same fault show is certain even if none was repeated. */
const enoughRuns = 3;
/** Machine milliseconds that a call without a response is waited for longer, to confirm that it has no time limit. */
const callMs = 25_000;
/** Starting the command line that plays a file takes this long, even on a busy machine. */
const startMs = 10_000;
/** A try that is repeated, and its scenario, end so long before the budget does, if the try had its time. */
const slackMs = 2_000;
/** A story that did not end is not waited for any longer when its file is played. */
const endlessMs = 30_000;

const notRepeated = 'The budget ended before it was repeated: pass a longer --budget.';
const notPlayed = 'The budget ended before its scenario did.';
const failsTheRight =
  'No scenario can show it: it would also fail if the application rightly ends with an error after this fault.';

/** Machine milliseconds before the end of the budget in which nothing new is tried beside a confirmation. */
const lastMs = 30_000;

/** The place of a state that differs: a difference at another place is another one. */
const placeOf = ({ kind, sentence }: Deviation): string | undefined =>
  kind === 'state differs' ? sentence.split(': ')[0] : undefined;

interface Parts extends Pick<ExploreOptions, 'play' | 'playFile' | 'how' | 'longestMs' | 'ignored'> {
  readonly reference: Reference;
  readonly leftMs: () => number;
  readonly patienceAfter: (placed: readonly Placed[]) => Patience;
  /** Waits with a play until it may run: beside others, or after them. */
  readonly inTurn: LimitFunction;
  /** Maximum number of breaks that are confirmed at the same time. */
  readonly atOnce: LimitFunction;
}

interface Group {
  readonly kind: DeviationKind;
  readonly at: string;
  readonly cells: Set<Tried>;
  confirmations: number;
  found: { readonly tried: Tried; readonly sentence: string; readonly file: Repeated['file'] } | null;
}

interface Repeated {
  /** `noFile` gives the reason for a missing file. */
  readonly file: { readonly name: string; readonly text: string; readonly noFile: string | null };
  /** Null if the break is proven. */
  readonly problem: string | null;
  readonly sentence: string;
}

export class Breaks {
  readonly #groups = new Map<string, Group>();
  readonly #waiting: Tried[] = [];
  /** Confirmations of a kind of break come one after another, so that the same one is shown each time. */
  readonly #underWay = new Map<string, Promise<void>>();
  /** Resolves when everything that was added is confirmed or doubtful. */
  confirmed = Promise.resolve();

  constructor(private readonly parts: Parts) {}

  get found(): number {
    return [...this.#groups.values()].filter(({ found }) => found !== null).length;
  }

  /** True if little time is left to confirm the first break: what was seen counts more than what is not tried. */
  get needsAll(): boolean {
    return this.found === 0 && this.#waiting.length + this.#underWay.size > 0 && this.parts.leftMs() < lastMs;
  }

  /** True if this fault broke another point of this kind in the same way, and its customer shows the same in a run of several. */
  isKnown({ fault, point }: Placed, cell: Cell): boolean {
    const kind = proofOf(cell)?.kind ?? '';
    const found = this.#groups.get(breakAt(kind, point))?.found;
    return ofCustomers.has(kind) && found?.tried.placed.fault.id === fault.id;
  }

  /** @returns whether it is to be confirmed */
  add(tried: Tried): boolean {
    if (!this.#note(tried)) return false;
    this.#waiting.push(tried);
    const own = this.parts.atOnce(() => this.#confirmNext());
    this.confirmed = Promise.all([this.confirmed, own]).then(() => undefined);
    return true;
  }

  async #confirmNext(): Promise<void> {
    const keyOf = ({ cell, placed }: Tried) => breakAt(proofOf(cell)?.kind ?? '', placed.point);
    const inOrder = this.#waiting.sort((a, b) => a.placed.fault.rank - b.placed.fault.rank);
    const free = inOrder.findIndex((one) => !this.#underWay.has(keyOf(one)));
    const [next] = inOrder.splice(Math.max(0, free), 1);
    if (next === undefined) return;
    const key = keyOf(next);
    const own = (this.#underWay.get(key) ?? Promise.resolve()).then(() => this.#confirm(next));
    this.#underWay.set(key, own);
    await own;
    if (this.#underWay.get(key) === own) this.#underWay.delete(key);
  }

  #note(tried: Tried): { readonly group: Group; readonly proof: Deviation } | null {
    const proof = proofOf(tried.cell);
    if (proof === undefined) return null;
    const { kind } = proof;
    const at = tried.placed.point.kind;
    const key = breakAt(kind, tried.placed.point);
    const group = this.#groups.get(key) ?? { kind, at, cells: new Set(), confirmations: 0, found: null };
    this.#groups.set(key, group);
    group.cells.add(tried);
    return { group, proof };
  }

  /** Repeats a try, unless enough of its kind were; what does not happen again is doubtful. */
  async #confirm(tried: Tried): Promise<void> {
    for (;;) {
      const noted = this.#note(tried);
      if (noted === null || this.parts.leftMs() <= 0) return;
      const { group, proof } = noted;
      if (group.found !== null || group.confirmations >= mostConfirmations) return;
      group.confirmations += 1;
      const repeated = await this.#repeated(tried, proof);
      if (repeated === null) return;
      const { file, problem, sentence } = repeated;
      if (problem === null) {
        group.found = { tried, sentence, file };
        return;
      }
      tried.cell = doubted(tried.cell, group.kind, problem);
    }
  }

  /**
   * Plays a file of the break, and the story, with the fault and without it. It must show the break each time, and not
   * without the fault.
   * @returns null if the time was over
   */
  async #repeated({ placed, isEndless }: Tried, deviation: Deviation): Promise<Repeated | null> {
    const { leftMs, play, playFile, how, longestMs, patienceAfter, reference, inTurn } = this.parts;
    const patience = patienceAfter([placed]);
    // A loss is only believed after twice the usual time.
    const patienceMs = Math.min(longestMs, 2 * patience.realMs);
    const longMs = patience.limitMs + (hangs(placed) ? 0 : patienceMs + callMs);
    const fileMs = isEndless ? endlessMs : longMs + startMs;
    const long = { ...patience, realMs: patienceMs, callMs: patience.callMs + callMs };
    const { steered } = reference.run.facts;
    const { name, text, without, hidden } = writeFile(placed, deviation, reference.run, how, patienceMs);
    // What the application must not show, it may show without the fault; a required message follows the fault alone.
    const needsFault = deviation.kind === 'failure hidden' || isRequired(deviation);
    const playing = (part: string, content: string) =>
      hidden === null && playFile && !(needsFault && content === without)
        ? inTurn(() => playFile(part, content, steered, Math.min(fileMs, leftMs() - slackMs)))
        : undefined;
    const [wrong = 'failed', right = 'passed', again, anyway] = await Promise.all([
      playing(name, text),
      playing(`without-${name}`, without),
      inTurn(() =>
        play([placed], { ...long, limitMs: Math.min(longMs, Math.max(patience.limitMs, leftMs() - slackMs)) }),
      ),
      inTurn(() => play([], patienceAfter([]))),
    ]);
    if (leftMs() <= 0) return null;
    // Its scenario was stopped, and the runs alone decide.
    const isCut = hidden === null && leftMs() <= slackMs;
    // With more time, a story that did not end may end, and show what broke.
    const isAlike = (one: Deviation) => one.kind === deviation.kind && placeOf(one) === placeOf(deviation);
    const isSame = (one: Deviation) => one.doubt === null && (isEndless || isAlike(one));
    const same = deviationsOf(reference, again, placed).find(isSame);
    // A state may need more time than a scenario gives; the plays have shown it.
    const isShown = isCut || wrong === 'failed' || 'state' in (deviation.expect ?? {});
    const problem = !isShown
      ? `Its scenario did not show it again: with the fault it ${wrong}.`
      : same === undefined
        ? 'It did not happen again when it was repeated.'
        : deviationsOf(reference, anyway, null).some(isAlike)
          ? 'It also happened without the fault.'
          : null;
    // Plays of the story may show what its file cannot.
    const failsWithout = right === 'passed' ? null : `Without the fault, its scenario ${right}.`;
    const ofFile = wrong === 'failed' ? failsWithout : `With the fault, its scenario ${wrong}.`;
    const noFile = hidden ?? (isCut ? notPlayed : ofFile);
    return { file: { name, text, noFile }, problem, sentence: same?.sentence ?? deviation.sentence };
  }

  /**
   * Returns all breaks in order; what was not confirmed is doubtful.
   * @param all the cells with which each is compared
   */
  conclude(all: readonly Tried[]): Break[] {
    const { ignored = () => null } = this.parts;
    // The application reports failures by its exit code.
    const endsInError = all.some(({ fails }) => fails);
    const groups = [...this.#groups.values()];
    const doubts = groups.flatMap(({ cells }) => [...cells].map((one) => [one, doubtByContrast(one, all)] as const));
    for (const [tried, doubt] of doubts) if (doubt !== null) tried.cell = doubted(tried.cell, null, doubt);
    const own = groups.flatMap(({ kind, at, cells: noted, found }): Break[] => {
      // What did not happen again may have left another proof.
      const isOf = ({ cell }: Tried) => cell.state === 'broken' && proofOf(cell)?.kind === kind;
      const cells = new Set([...noted].filter(isOf));
      if (cells.size === 0) return [];
      const shown = found !== null && cells.has(found.tried) ? found : this.#certain(cells);
      if (shown === null) {
        for (const tried of cells) tried.cell = doubted(tried.cell, null, notRepeated);
        return [];
      }
      const { tried, sentence, file } = shown;
      const because = ignored(tried.cell.id);
      for (const each of because === null ? [] : cells) {
        if (each.cell.state === 'broken') each.cell = { ...each.cell, state: 'ignored' };
      }
      const mayFail = endsInError && tried.placed.fault.class !== 'recoverable';
      const noFile = file.noFile ?? (mayFail ? failsTheRight : null);
      const written = { file: noFile === null ? file.name : null, noFile, scenario: file.text };
      return [{ kind, at, cell: tried.cell, sentence, tries: cells.size, ignored: because, ...written }];
    });
    const nameOf = ({ kind, at, cell }: Break) => `${kind} ${at} ${cell.id}`;
    return own.sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
  }

  /** Returns a try that counts although it was not repeated; null if there is none. */
  #certain(cells: ReadonlySet<Tried>): Group['found'] {
    const { how, reference, patienceAfter } = this.parts;
    // Each run that ends the same way repeats the others. Cells of one run took equally long.
    const runsWith = ({ placed: { fault } }: Tried) =>
      new Set([...cells].flatMap(({ placed, cell }) => (placed.fault.id === fault.id ? [cell.seconds] : []))).size;
    for (const tried of cells) {
      const proof = proofOf(tried.cell);
      if (proof === undefined || !(isOpenCall(proof) || runsWith(tried) >= enoughRuns)) continue;
      const { realMs } = patienceAfter([tried.placed]);
      const { name, text } = writeFile(tried.placed, proof, reference.run, how, realMs);
      return { tried, sentence: proof.sentence, file: { name, text, noFile: notRepeated } };
    }
    return null;
  }
}
