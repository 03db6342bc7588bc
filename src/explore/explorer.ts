/** Plays a story without faults, then with each fault at each point, and reports what broke twice. */
import pLimit from 'p-limit';
import { Beside } from './tries/beside.js';
import { Breaks } from './tries/breaks.js';
import { contrastsTo } from './tries/contrast.js';
import { canWait, cellOf, endOf, paceOf, secondsSince, settled, untried, type Tried } from './tries/cells.js';
import { ExploreError } from './facts/error.js';
import { passGate, shortestMsOf, type Gate } from './tries/gate.js';
import { Learning } from './tries/learning.js';
import { hasPlayedControl } from './faults/control.js';
import { isPassing } from './faults/faults.js';
import { inOrder, keepsCodes, kindOf } from './faults/placed.js';
import { hangs } from './oracle/open-call.js';
import { lasts } from './oracle/lasting.js';
import { patienceWith, patienceWithoutFaults } from './tries/patience.js';
import type { ExploreOptions, Patience } from './tries/options.js';
import { pointsOf } from './faults/points.js';
import { requiring } from './oracle/required.js';
import { isOneStory, testOf, together, type Sharing } from './tries/suite.js';
import { pause } from '../time/system-clock.js';
import type { Cell, Placed, Report } from './facts/types.js';

/** Time between two looks for room on the machine. */
const lookMs = 50;
/** After so many runs in which a fault that leaves something behind showed at other customers, none shares a run. */
const mostSpoilt = 2;

export async function explore(options: ExploreOptions): Promise<Report> {
  const { only = () => true, more = () => [], required, setsCode = () => false, now, deadlineMs } = options;
  const startedMs = now();
  const patience = patienceWithoutFaults(() => deadlineMs - now());
  const gate = await passGate({ ...options, patience }, options.over);
  const beganMs = now();
  const { reference, runs, notes } = gate;
  options.onNotes?.(notes);
  const points = pointsOf(runs);
  const placed = inOrder(points, reference.run.facts.steered, more(points));
  const all = requiring(placed.filter(keepsCodes(setsCode)), required);
  const wanted = all.filter(({ id }) => only(id));
  const exploration = new Exploration(options, gate, startedMs);
  await exploration.tryAll(wanted, all);
  const { tried, besides } = exploration;
  const breaks = exploration.breaks.conclude([...tried, ...besides]);
  const done = new Map(tried.map(({ cell }) => [cell.id, cell]));
  return {
    baseline: endOf(reference.run),
    points: points.map(({ id, title, kind }) => ({ id, title, kind })),
    cells: wanted.map((placed) => done.get(placed.id) ?? untried(placed)),
    breaks,
    tried: [...done.values()].filter(({ state }) => state !== 'not reached').length,
    secondsPerCell: paceOf(tried, beganMs),
    seconds: secondsSince(startedMs, now()),
    runSeconds: secondsSince(0, Math.max(...runs.map(({ tookMs }) => tookMs))),
    notes: [...notes, ...exploration.notes.values()],
    waits: [...reference.returns],
  };
}

class Exploration {
  readonly tried: Tried[] = [];
  /** Cells that were not asked for, with which others are compared. */
  readonly besides: Tried[] = [];
  readonly breaks: Breaks;
  /** One for each reason for which faults could not be tried. */
  readonly notes = new Map<string, string>();
  /** Others are only tried to learn how the application waits, or to compare. */
  #wanted: ReadonlySet<Placed> = new Set();
  #untried: readonly Placed[] = [];
  readonly #learning: Learning;
  /** Cells that are not tried together with others again. */
  readonly #alone = new Set<Placed>();
  readonly #beside = new Beside();
  /** Faults after which the story did not end at a point of this kind: others would show nothing in the same run. */
  readonly #endless = new Set<string>();
  #spoilt = 0;
  readonly #patienceAfter: (placed: readonly Placed[]) => Patience;

  constructor(
    private readonly options: ExploreOptions,
    private readonly gate: Gate,
    private readonly startedMs: number,
  ) {
    this.#learning = new Learning(options, gate);
    this.#patienceAfter = patienceWith({ gate, learning: this.#learning, leftMs: () => this.#leftMs() });
    this.breaks = new Breaks({
      ...options,
      reference: gate.reference,
      leftMs: () => this.#leftMs(),
      patienceAfter: this.#patienceAfter,
      inTurn: pLimit(gate.lanes > 1 ? 4 : 1),
      atOnce: pLimit(gate.lanes > 1 ? 2 : 1),
    });
  }

  readonly #play = (placed: readonly Placed[]) => this.options.play(placed, this.#patienceAfter(placed));

  #leftMs(): number {
    return this.options.deadlineMs - this.options.now();
  }

  /**
   * Tries the mildest fault of each kind of call first, which shows how the application waits, and a call without a response, which
   * takes longest; then all in order. A fault whose result depends on that waits for it before the run of a server, and else before it is judged.
   */
  async tryAll(queue: readonly Placed[], all: readonly Placed[]): Promise<void> {
    this.#wanted = new Set(queue);
    this.#untried = all;
    const probes = this.#learning.begin(queue, all);
    await Promise.race([
      this.options.over,
      this.#tryInLanes([...new Set([...probes, ...queue.filter(hangs).slice(0, 1), ...queue])]),
    ]);
  }

  /** True for a command: its run does not depend on how it waits, other than the time limit and the judgment. */
  get #playsByItself(): boolean {
    return this.gate.reference.run.flows !== true;
  }

  get #sharing(): Sharing {
    return {
      isAlone: (one) => this.#alone.has(one) || this.#endless.has(kindOf(one)) || this.#learning.isProbe(one),
      // A command or a suite has one end for all customers.
      mayLeave: !this.#playsByItself && this.#spoilt < mostSpoilt,
    };
  }

  async #tryInLanes(left: Placed[]): Promise<void> {
    const running = new Map<Promise<boolean>, readonly Placed[]>();
    const { hasRoom = () => false } = this.options;
    // An application that waits for a response needs no processor.
    const isOwn = () => [...running.values()].filter((group) => !group.some(hangs)).length < this.gate.lanes;
    const work = async () => {
      while (left.length > 0 && this.#leftMs() > shortestMsOf(this.gate, this.tried)) {
        const known = left.filter((one) => this.#learning.isReady(one));
        const ready = known.length > 0 || !this.#playsByItself ? known : left.filter((one) => !hangs(one));
        const [next, ...others] = ready;
        if (next === undefined || this.breaks.needsAll || !(isOwn() || hasRoom())) {
          await Promise.race([...running.keys(), pause(lookMs)]);
          continue;
        }
        const group = together(next, others, this.gate, this.#sharing);
        left.splice(0, left.length, ...left.filter((one) => !group.includes(one)));
        this.#untried = this.#untried.filter((one) => !group.includes(one));
        const trying = this.#try(group, left).finally(() => {
          running.delete(trying);
          for (const one of group) if (!left.includes(one)) this.#learning.end(one);
        });
        running.set(trying, group);
        // Other lanes go on meanwhile.
        if (await trying) await this.breaks.confirmed;
      }
    };
    // A story that is slower beside others gets no more than the runs without faults have shown.
    const { lanes, isFree } = this.gate;
    const most = isFree ? this.options.lanes : lanes > 1 ? lanes + 1 : lanes;
    await Promise.all(Array.from({ length: most }, work));
  }

  /**
   * Tries a fault, or several. If the story or a test deviates, its faults are tried again by themselves.
   * @returns whether a break is to be confirmed
   */
  async #try(group: readonly Placed[], left: Placed[]): Promise<boolean> {
    let isFound = false;
    const whole = await this.#play(group).catch((error: unknown) => this.#noteUnplayed(group, left, error));
    if (whole === null) return false;
    for (const one of group) await this.#learning.untilReady(one);
    const isSingle = group.length === 1;
    const isWhole = isOneStory(group);
    const results = group.map((placed) => {
      const test = isWhole ? null : testOf(this.gate, whole, placed.point.account);
      const judged = isWhole ? { run: whole, reference: this.gate.reference } : test;
      const cell = judged && cellOf(judged.reference, judged.run, placed, group);
      return { placed, judged, cell: cell && settled(cell, placed, this.tried, this.#alone) };
    });
    const isMixed = !isSingle && isWhole && results.some(({ cell }) => cell?.state !== 'fine');
    // Every deviation belongs to a customer, or else to all faults of the run.
    const isClear = (cell: Cell | null, { to }: Placed['point']) =>
      cell?.deviations.length === 0 && (!isMixed || (cell.state === 'fine' && to !== null));
    const clear = results.flatMap(({ placed, cell }) => (isClear(cell, placed.point) ? [placed] : []));
    for (const { placed, judged, cell } of results) {
      if (this.#leftMs() <= 0) return isFound;
      const isKnown = cell !== null && this.breaks.isKnown(placed, cell);
      if (!isSingle && !clear.includes(placed) && !isKnown) {
        this.#alone.add(placed);
        if (cell?.deviations.length !== 0) this.#beside.note(placed, clear);
        if (canWait(cell)) left.push(placed);
        else left.unshift(placed);
        continue;
      }
      if (!judged || !cell) continue;
      if (isSingle && cell.state === 'fine') this.#doubtOthers(placed, left);
      // More time may undo other deviations.
      const again = cell.deviations.every((one) => lasts(one, judged.run)) ? [] : this.#learning.outdated(placed);
      if (again.length > 0) {
        left.unshift(...again, ...(again.includes(placed) ? [] : [placed]));
        continue;
      }
      const { run } = judged;
      if (isSingle && run.timedOut) this.#endless.add(kindOf(placed));
      this.#learning.note(placed, run);
      const learns = isSingle && (await hasPlayedControl(cell, placed, this.gate.reference, this.#play));
      const judgedCell = learns ? cellOf(judged.reference, run, placed) : cell;
      const fails = placed.fault.class !== 'recoverable' && run.exited === true && run.crashed !== true;
      const end = { placed, cell: judgedCell, fails, isEndless: run.timedOut, endedMs: this.options.now() };
      if (!this.#wanted.has(placed)) this.besides.push(end);
      else if (this.#note(end, left.length)) {
        isFound = true;
        const next = contrastsTo(end, this.#untried);
        left.splice(0, left.length, ...next, ...left.filter((one) => !next.includes(one)));
      }
    }
    return isFound;
  }

  /** Tries the other faults of a run alone if the one whose customer deviated shows nothing alone: one of them is the cause. */
  #doubtOthers(placed: Placed, left: Placed[]): void {
    const others = this.#beside.causesOf(placed, (one) => this.#alone.has(one));
    for (const one of others) this.#alone.add(one);
    left.unshift(...others);
    // For example, the application counts its failures.
    if (!others.every(isPassing)) this.#spoilt += 1;
  }

  /** Goes on with the others: faults that cannot be played together are tried alone. */
  #noteUnplayed(group: readonly Placed[], left: Placed[], error: unknown): null {
    if (error instanceof ExploreError) throw error;
    const { message } = error as Error;
    for (const one of group) this.#alone.add(one);
    if (group.length > 1) left.push(...group);
    else this.notes.set(message, `${group[0]?.title ?? ''} could not be tried: ${message}`);
    return null;
  }

  /** @returns whether a break is to be confirmed */
  #note(tried: Tried, left: number): boolean {
    const { placed, cell } = tried;
    this.tried.push(tried);
    const isFound = this.breaks.add(tried);
    this.options.onProgress?.({
      done: this.tried.length,
      left,
      broken: this.breaks.found,
      seconds: secondsSince(this.startedMs, this.options.now()),
      latest: `${placed.title}: ${cell.state}`,
    });
    return isFound;
  }
}
