/** Explains why the list of deliveries is empty, and how to fill it. */
import { exampleOf, here, model } from '../../core/index.js';
import { EmptyState } from '../../parts/index.js';

export function NoDeliveries({ filtering }: { filtering: boolean }) {
  const { site, webhooks } = model.value;
  if (filtering) {
    return (
      <EmptyState icon="search" title="No delivery matches">
        <a href={here('webhooks', ['deliveries'])}>Show all deliveries</a>
      </EmptyState>
    );
  }
  if (webhooks.state.value === 'ready' && webhooks.rows.length === 0) {
    return (
      <EmptyState
        icon="webhook"
        title="No endpoints yet"
        command={exampleOf(site, 'POST', '/v1/webhooks', {
          url: 'https://sink.sandbox/app',
          events: ['message.received', 'message.status'],
        })}
      >
        <p>
          Deliveries to your endpoints appear here. <a href={here('webhooks', ['endpoints'])}>Register an endpoint</a>,
          let your application do it, or run this for the built-in receiver:
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="webhook"
      title="No deliveries yet"
      command={exampleOf(site, 'POST', '/_sandbox/events', { type: 'message.received' })}
    >
      <p>
        Each event that is sent to an endpoint appears here. Send a message, write as a customer in the handset, emit an
        event above, or run:
      </p>
    </EmptyState>
  );
}
