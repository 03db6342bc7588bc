/** Metrics in the text format of Prometheus, summed over all accounts. */
import type { ControlService } from './control/handler.js';
import { ALL } from '../store/tables/account-data.js';

export function metricsText(service: ControlService): string {
  const { uptimeMs } = service.facts();
  const sums = { messages: 0, events: 0, requests: 0, pending: 0, inFlight: 0, attempts: 0 };
  const deliveries = { pending: 0, retrying: 0, delivered: 0, held: 0, dropped: 0, failed: 0 };
  for (const { store, scheduler, dispatcher } of service.accounts.all()) {
    const { tables } = store;
    sums.messages += tables.messages.list('sent', ALL).size;
    sums.events += tables.events.size;
    sums.requests += tables.requests.size;
    sums.attempts += dispatcher.made;
    sums.pending += scheduler.pending;
    sums.inFlight += dispatcher.count;
    for (const state of Object.keys(deliveries) as (keyof typeof deliveries)[]) {
      deliveries[state] += tables.deliveries.list('state', state).size;
    }
  }
  const { rss, heapUsed } = process.memoryUsage();
  const lines = [
    ...metric('messaging_sandbox_info', 'gauge', 'Version of the sandbox.', [`{version="${service.version}"}`, 1]),
    ...metric('messaging_sandbox_uptime_seconds', 'gauge', 'Time since the start.', ['', uptimeMs / 1000]),
    ...metric('messaging_sandbox_accounts', 'gauge', 'Accounts held.', ['', service.accounts.size]),
    ...metric('messaging_sandbox_messages', 'gauge', 'Stored messages that were sent through the API.', [
      '',
      sums.messages,
    ]),
    ...metric('messaging_sandbox_events', 'gauge', 'Events stored.', ['', sums.events]),
    ...metric('messaging_sandbox_journal_entries', 'gauge', 'API-plane calls in the journals.', ['', sums.requests]),
    ...metric('messaging_sandbox_attempts_total', 'counter', 'Webhook attempts made.', ['', sums.attempts]),
    ...metric('messaging_sandbox_attempts_in_flight', 'gauge', 'Webhook attempts in progress.', ['', sums.inFlight]),
    ...metric('messaging_sandbox_jobs_pending', 'gauge', 'Pending jobs.', ['', sums.pending]),
    ...metric(
      'messaging_sandbox_deliveries',
      'gauge',
      'Stored deliveries, by state.',
      ...Object.entries(deliveries).map(([state, count]): Sample => [`{state="${state}"}`, count]),
    ),
    ...metric('process_resident_memory_bytes', 'gauge', 'Resident memory.', ['', rss]),
    ...metric('nodejs_heap_size_used_bytes', 'gauge', 'Heap in use.', ['', heapUsed]),
  ];
  return `${lines.join('\n')}\n`;
}

type Sample = readonly [labels: string, value: number];

function metric(name: string, type: 'counter' | 'gauge', help: string, ...samples: Sample[]): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([labels, value]) => `${name}${labels} ${value}`),
  ];
}
