/** Explore: a matrix of points and faults that shows the effect of every fault on the application. */
import { useState } from 'preact/hooks';
import { here, model, replace, type Route, toast, upload, useFollowed } from '../../core/index.js';
import { Button, EmptyState } from '../../parts/index.js';
import { Detail } from './detail.js';
import {
  idOf,
  matrixOf,
  readReport,
  signs,
  type Cell,
  type CellState,
  type Exploration,
  type Report,
} from './report.js';
import './explore.css';

const none: Exploration = { state: 'none', progress: null, report: null };
const states: readonly CellState[] = ['fine', 'broken', 'doubtful', 'ignored', 'not reached', 'not tried'];

/** `explore/CELL` opens a deviation. */
export function Explore({ route }: { route: Route }) {
  const { api } = model.value;
  const read = async () => (await api.get('/_sandbox/explore')) as unknown as Exploration;
  const followed = useFollowed<Exploration>(read, none).value;
  const [opened, setOpened] = useState<Report | null>(null);
  if (followed === null) return <p class="report-note centred faint">Loading …</p>;
  const report = opened ?? followed.report;
  const progress = opened === null ? followed.progress : null;
  const open = () =>
    upload('.json', (text) => {
      const found = readReport(text);
      if (found === null) toast('bad', 'This file is not the report.json of an exploration.');
      else setOpened(found);
    });
  if (report === null) {
    return (
      <EmptyState icon="bolt" title="There is no exploration yet" command="messaging-sandbox explore -- npm test">
        <p>The command tries every failure on your tests. It prints the address at which you can follow it.</p>
        <Button onClick={open}>Open report.json</Button>
      </EmptyState>
    );
  }
  const chosen = report.cells.find((cell) => idOf(cell) === route.path[0]) ?? null;
  return (
    <div class="report grid full">
      <header class="report-head surface ruled row">
        {progress !== null && (
          <p role="status">
            <b>{followed.state === 'running' ? 'Exploring' : 'Explored'}</b>: {progress.done} done, {progress.left}{' '}
            left, {progress.broken} broken, {Math.round(progress.seconds)} s
          </p>
        )}
        {progress !== null && followed.state === 'running' && (
          <progress value={progress.done} max={progress.done + progress.left} aria-label="Tries done" />
        )}
        <ul class="explore-legend wraps faint small-text" aria-label="How to read the cells">
          {states.map((state) => (
            <li key={state}>
              <span class={`explore-sign centred ${classOf(state)}`} aria-hidden="true">
                {signs[state]}
              </span>{' '}
              {state}
            </li>
          ))}
        </ul>
        <Button kind="small" onClick={open}>
          Open report.json
        </Button>
      </header>
      <div class="explore-body low grid">
        <MatrixTable report={report} chosen={chosen} />
        <Detail report={report} cell={chosen} />
      </div>
    </div>
  );
}

const tones = { fine: 'good', broken: 'bad', doubtful: 'warn', ignored: 'warn', 'not reached': 'off', 'not tried': '' };
const classOf = (state: CellState): string => `toned ${tones[state]}`;

function MatrixTable({ report, chosen }: { report: Report; chosen: Cell | null }) {
  const { faults, rows } = matrixOf(report);
  const pairs = report.cells.filter(({ faults: both, end }) => both.length > 1 && end !== undefined);
  return (
    <div class="explore-scroll">
      <table class="explore-matrix small-text">
        <thead>
          <tr>
            <td />
            {faults.map((fault) => (
              <th key={fault} scope="col">
                <span>{fault}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ title, cells }) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              {cells.map((cell, i) => (
                <td key={faults[i]} class={cell === null ? '' : classOf(cell.state)}>
                  {cell !== null && <Sign cell={cell} chosen={cell === chosen} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {pairs.length > 0 && (
        <ul class="explore-pairs small-text" aria-label="Pairs of faults that deviate">
          {pairs.map((cell) => (
            <li key={idOf(cell)} class={classOf(cell.state)}>
              <Sign cell={cell} chosen={cell === chosen} /> {cell.title}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A cell with a deviation is a button; the others have no detail. */
function Sign({ cell, chosen }: { cell: Cell; chosen: boolean }) {
  const words = `${cell.title}: ${cell.state}`;
  if (cell.end === undefined) {
    return (
      <span title={words} role="img" aria-label={words}>
        {signs[cell.state]}
      </span>
    );
  }
  return (
    <button
      type="button"
      title={words}
      aria-label={words}
      aria-pressed={chosen}
      onClick={() => replace(here('explore', [idOf(cell)]))}
    >
      {signs[cell.state]}
    </button>
  );
}
