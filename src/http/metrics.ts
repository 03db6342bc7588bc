/** What a Prometheus scrapes (contract §4). Per account only where the sum says too little. */
import type { ContractAudit } from './audit/audit.js';
import type { ControlService } from './control/handler.js';

export function metricsText(service: ControlService): string {
  const { uptimeMs } = service.facts();
  const sums = { messages: 0, events: 0, requests: 0, pending: 0, inFlight: 0, attempts: 0 };
  const deliveries = { pending: 0, retrying: 0, delivered: 0, held: 0, dropped: 0 };
  for (const { store, scheduler, dispatcher } of service.accounts.all()) {
    const { tables } = store;
    sums.messages += tables.messages.list('sent', 'only').size;
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
    ...metric('messaging_sandbox_info', 'gauge', 'The version that runs.', [`{version="${service.version}"}`, 1]),
    ...metric('messaging_sandbox_uptime_seconds', 'gauge', 'Time since the start.', ['', uptimeMs / 1000]),
    ...metric('messaging_sandbox_accounts', 'gauge', 'Accounts held.', ['', service.accounts.size]),
    ...metric('messaging_sandbox_messages', 'gauge', 'Messages stored that were sent through the API.', [
      '',
      sums.messages,
    ]),
    ...metric('messaging_sandbox_events', 'gauge', 'Events stored.', ['', sums.events]),
    ...metric('messaging_sandbox_journal_entries', 'gauge', 'API-plane calls in the journals.', ['', sums.requests]),
    ...metric('messaging_sandbox_attempts_total', 'counter', 'Webhook attempts made.', ['', sums.attempts]),
    ...metric('messaging_sandbox_attempts_in_flight', 'gauge', 'Webhook attempts under way.', ['', sums.inFlight]),
    ...metric('messaging_sandbox_jobs_pending', 'gauge', 'Jobs that wait for their time.', ['', sums.pending]),
    ...metric(
      'messaging_sandbox_deliveries',
      'gauge',
      'Deliveries stored, by state.',
      ...Object.entries(deliveries).map(([state, count]): Sample => [`{state="${state}"}`, count]),
    ),
    ...auditMetrics(service.audit),
    ...metric('process_resident_memory_bytes', 'gauge', 'Resident memory.', ['', rss]),
    ...metric('nodejs_heap_size_used_bytes', 'gauge', 'Heap in use.', ['', heapUsed]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Nothing without `--audit`: a count of violations that nobody looks for would read as none. */
function auditMetrics(audit: ContractAudit | null): string[] {
  if (!audit) return [];
  const checked = Object.entries(audit.checked).map(([of, count]): Sample => [`{of="${of}"}`, count]);
  return [
    ...metric('messaging_sandbox_contract_checked_total', 'counter', 'Answers and events audited.', ...checked),
    ...metric('messaging_sandbox_contract_excused_total', 'counter', 'Answers and events bent on purpose.', [
      '',
      audit.excused,
    ]),
    ...metric('messaging_sandbox_contract_violations_total', 'counter', 'Places that broke the documents.', [
      '',
      audit.count,
    ]),
  ];
}

type Sample = readonly [labels: string, value: number];

function metric(name: string, type: 'counter' | 'gauge', help: string, ...samples: Sample[]): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([labels, value]) => `${name}${labels} ${value}`),
  ];
}
