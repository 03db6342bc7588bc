/** Shows whether the live stream is connected; if not, it is a button to reconnect at once. */
import { model } from '../core/index.js';
import { Button } from '../parts/index.js';

export function ConnectionDot() {
  const { stream } = model.value;
  const { state } = stream.connection.value;
  if (state === 'live') {
    return (
      <span class="connection live" role="status">
        <span class="dot" aria-hidden="true" />
        <span class="connection-words">Live</span>
      </span>
    );
  }
  const words = { connecting: 'Connecting', waiting: 'Reconnecting', refused: 'Refused' }[state];
  return (
    <span class={`connection ${state}`} role="status">
      <span class="dot" aria-hidden="true" />
      <span class="connection-words">{words}</span>
      {state !== 'connecting' && (
        <Button kind="quiet small" onClick={() => stream.retry()}>
          Try now
        </Button>
      )}
    </span>
  );
}
