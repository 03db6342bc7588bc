/** The next automatic change of a template, and its instant on the account's clock. */
import type { Template } from '../../core/index.js';
import { RelativeTime } from '../../parts/index.js';

export function PlannedWords({ template: { planned, status } }: { readonly template: Template }) {
  const [next] = planned;
  if (!next) return status === 'pending' ? <> · pending your review</> : null;
  return (
    <>
      {next.status} automatically <RelativeTime at={next.at} />
    </>
  );
}
