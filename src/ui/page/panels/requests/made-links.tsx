/** Links to the records that a call created, and to their stories. */
import { counted, here, type JournalRequest } from '../../core/index.js';
import { madeBy } from './call.js';

/** Number of records with a link each; a batch may have created a hundred. */
const mostNamed = 8;

export function MadeLinks({ call }: { call: JournalRequest }) {
  const made = madeBy(call);
  return (
    <>
      {made.slice(0, mostNamed).map(({ panel, path, title, story }) => (
        <span key={path.join('/')}>
          <a class="mono" href={here(panel, path)}>
            {title}
          </a>
          {story && (
            <>
              {' '}
              (<a href={here('story', story)}>story</a>)
            </>
          )}
        </span>
      ))}
      {made.length > mostNamed && <span class="faint">and {made.length - mostNamed} more</span>}
    </>
  );
}

/** Returns `Its message` or `Its 3 messages`; null if the call created nothing. */
export function madeWords(call: JournalRequest): string | null {
  const made = madeBy(call);
  const [one] = made;
  if (!one) return null;
  return made.length === 1 ? `Its ${one.noun}` : `Its ${counted(made.length, one.noun)}`;
}
