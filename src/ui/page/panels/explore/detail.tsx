/**
 * One deviation: what was expected and found at the end, where the stories diverge, and the file that reproduces it.
 */
import { download } from '../../core/index.js';
import { Button } from '../../parts/index.js';
import { compared, idOf, type Cell, type Happening, type Report } from './report.js';

/** Number of common lines shown before the stories diverge. */
const mostCommon = 4;
const mostExpected = 12;

export function Detail({ report, cell }: { report: Report; cell: Cell | null }) {
  if (cell?.end === undefined) {
    return (
      <aside class="explore-detail surface breaks" aria-label="The try">
        {report.breaks.length === 0 ? (
          <p class="faint">
            Choose a red cell to see what was expected, what was found, and where the two runs diverge.
          </p>
        ) : (
          <>
            <h3>What broke</h3>
            <ol>
              {report.breaks.map(({ kind, at, fault, sentence }) => (
                <li key={`${kind} ${at}`}>
                  <b>{kind}</b>: {fault}. {sentence}
                </li>
              ))}
            </ol>
          </>
        )}
        {report.notes.map((note) => (
          <p key={note} class="faint">
            {note}
          </p>
        ))}
      </aside>
    );
  }
  const { baseline, breaks } = report;
  const partsAt = cell.parts_at ?? 0;
  const files = breaks.filter(({ cell: faults, scenario }) => scenario !== null && idOf({ faults }) === idOf(cell));
  return (
    <aside class="explore-detail surface breaks" aria-label="The try">
      <h3>{cell.title}</h3>
      {cell.deviations.map(({ kind, sentence, doubt }) => (
        <p key={kind + sentence}>
          <b>{kind}</b>: {sentence} {doubt !== null && <span class="faint">Doubtful: {doubt}</span>}
        </p>
      ))}
      {files.map(({ file, scenario }) => (
        <Button
          kind="small"
          key={file}
          onClick={() => download(file ?? 'explore.yaml', scenario ?? '', 'application/yaml')}
        >
          Download {file}
        </Button>
      ))}
      <table class="explore-ends whole small-text">
        <caption>End state</caption>
        <thead>
          <tr>
            <th scope="col">Expected</th>
            <th scope="col">Found</th>
          </tr>
        </thead>
        <tbody>
          {compared(baseline.end, cell.end).map(({ expected, found }) => (
            <tr key={`${expected ?? ''}\n${found ?? ''}`} class={expected === found ? 'faint' : 'bad'}>
              <td>{expected ?? '—'}</td>
              <td>{found ?? '—'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h4>Where the runs diverge</h4>
      {partsAt > mostCommon && (
        <p class="faint">{partsAt - mostCommon} earlier calls and events are the same in both.</p>
      )}
      <Story of={baseline.story.slice(Math.max(0, partsAt - mostCommon), partsAt)} label="The same in both" />
      <div class="explore-stories grid gap-75">
        <div>
          <h5>Without the fault</h5>
          <Story of={baseline.story.slice(partsAt, partsAt + mostExpected)} label="Without the fault" />
        </div>
        <div>
          <h5>With it</h5>
          <Story of={cell.story ?? []} label="With the fault" />
        </div>
      </div>
    </aside>
  );
}

function Story({ of, label }: { of: readonly Happening[]; label: string }) {
  return (
    <ol class="explore-story" aria-label={label}>
      {of.map(({ at, words }, i) => (
        <li key={i}>
          <span class="faint">{at}</span> {words}
        </li>
      ))}
    </ol>
  );
}
