/** A link to a page of the documentation, served by the sandbox itself, in a new tab. */
import type { ComponentChildren } from 'preact';

interface Props {
  /** `time.md#advance`, in `docs/`; empty for the API reference. */
  readonly page: string;
  readonly children: ComponentChildren;
}

export function HelpLink({ page, children }: Props) {
  return (
    <a href={`/_sandbox/docs/${page}`.replace(/\/$/, '')} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
