/** Metrics in the text format of Prometheus, summed over all accounts. */
import type { ControlService } from './control/handler.js';

export function metricsText(service: ControlService): string {
  const { uptimeMs } = service.facts();
  const sums = { messages: 0, events: 0, requests: 0, pending: 0, inFlight: 0, attempts: 0 };
  const deliveries = { pending: 0, retrying: 0, delivered: 0, held: 0, dropped: 0, failed: 0 };
  for (const { store, scheduler, dispatcher } of service.accounts.all()) {
    const { tables } = store;
    sums.messages += tables.messages.filter(({ origin }) => origin === 'api').length;
    sums.events += tables.events.size;
    sums.requests += tables.requests.size;
    sums.attempts += dispatcher.made;
    sums.pending += scheduler.pending;
    sums.inFlight += dispatcher.count;
    for (const state of Object.keys(deliveries) as (keyof typeof deliveries)[]) {
      deliveries[state] += tables.deliveries.filter((row) => row.state === state).length;
    }
  }
  const { rss, heapUsed } = process.memoryUsage();
  const metrics: readonly (readonly [name: string, help: string, value: number | Record<string, number>])[] = [
    ['messaging_sandbox_info', 'Version of the sandbox.', labelled('version', { [service.version]: 1 })],
    ['messaging_sandbox_uptime_seconds', 'Time since the start.', uptimeMs / 1000],
    ['messaging_sandbox_accounts', 'Accounts held.', service.accounts.size],
    ['messaging_sandbox_messages', 'Stored messages that were sent through the API.', sums.messages],
    ['messaging_sandbox_events', 'Events stored.', sums.events],
    ['messaging_sandbox_journal_entries', 'API-plane calls in the journals.', sums.requests],
    ['messaging_sandbox_attempts_total', 'Webhook attempts made.', sums.attempts],
    ['messaging_sandbox_attempts_in_flight', 'Webhook attempts in progress.', sums.inFlight],
    ['messaging_sandbox_jobs_pending', 'Pending jobs.', sums.pending],
    ['messaging_sandbox_deliveries', 'Stored deliveries, by state.', labelled('state', deliveries)],
    ['process_resident_memory_bytes', 'Resident memory.', rss],
    ['nodejs_heap_size_used_bytes', 'Heap in use.', heapUsed],
  ];
  const lines = metrics.flatMap(([name, help, value]) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${name.endsWith('_total') ? 'counter' : 'gauge'}`,
    ...Object.entries(typeof value === 'number' ? { '': value } : value).map(
      ([labels, each]) => `${name}${labels} ${each}`,
    ),
  ]);
  return `${lines.join('\n')}\n`;
}

function labelled(label: string, values: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`{${label}="${name}"}`, value]));
}
