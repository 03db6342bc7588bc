/** A body exactly as transmitted, with its length in bytes. */
import { CopyButton } from './copy-button.js';

interface Props {
  readonly text: string | null;
  /** A description, such as "request body". */
  readonly label: string;
}

export function BytesView({ text, label }: Props) {
  if (text === null || text === '') return <p class="faint">No body.</p>;
  const bytes = new TextEncoder().encode(text).length;
  return (
    <figure class="bytes">
      <figcaption>
        {bytes} {bytes === 1 ? 'byte' : 'bytes'}
        <CopyButton text={text} label={label} />
      </figcaption>
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
    </figure>
  );
}
