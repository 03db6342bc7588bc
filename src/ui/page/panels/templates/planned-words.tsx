/** What becomes of a template by itself, and when, counting down on the account's clock. */
import type { Template } from '../../core/records.js';
import { RelativeTime } from '../../parts/relative-time.js';

export function PlannedWords({ template: { planned, status } }: { readonly template: Template }) {
  const [next] = planned;
  if (!next) return status === 'pending' ? <> · waits for you</> : null;
  return (
    <>
      {next.status} by itself <RelativeTime at={next.at} />
    </>
  );
}
