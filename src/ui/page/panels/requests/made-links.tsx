/** Links to what a call made, and to its stories. */
import { here } from '../../core/location.js';
import type { JournalRequest } from '../../core/records.js';
import { madeBy } from './call.js';

/** Things made that are named one by one; a batch may have made a hundred. */
const mostNamed = 8;

export function MadeLinks({ call }: { readonly call: JournalRequest }) {
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

/** `Its message`, `Its 3 messages`; null for a call that made nothing. */
export function madeWords(call: JournalRequest): string | null {
  const made = madeBy(call);
  const [one] = made;
  if (!one) return null;
  return made.length === 1 ? `Its ${one.noun}` : `Its ${made.length} ${one.noun}s`;
}
