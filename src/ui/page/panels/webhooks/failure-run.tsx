/** Shows the length of an endpoint's failure streak, and when the endpoint will be paused. */
import { clockWords, dayWords, type Endpoint, model, spanWords } from '../../core/index.js';
import { pauseAfterMs } from './ladder.js';

export function FailureRun({ endpoint }: { readonly endpoint: Endpoint }) {
  const { failing_since: since, status } = endpoint;
  if (status === 'paused' || since === null) return null;
  const sinceMs = Date.parse(since);
  const deadlineMs = sinceMs + pauseAfterMs;
  const nowMs = model.value.clock.second.value ?? sinceMs;
  const part = Math.min(1, Math.max(0, (nowMs - sinceMs) / pauseAfterMs));
  return (
    <span class="failure-run small-text">
      <span class="failure-bar" aria-hidden="true">
        <span style={{ width: `${part * 100}%` }} />
      </span>
      <span>
        Fails since {clockWords(sinceMs)}, paused in {spanWords(deadlineMs - nowMs)}
        <span class="for-readers">
          , on {dayWords(deadlineMs)} at {clockWords(deadlineMs)}
        </span>
      </span>
    </span>
  );
}
