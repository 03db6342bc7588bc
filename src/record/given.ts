import { windowLengthMs } from '../domain/customer.js';
import type { Given, GivenTemplate, GivenWebhook } from '../language/given.js';
import type { LoadedCustomer } from '../language/scenario.js';
import { formatDuration } from '../time/duration.js';
import type { Recording } from './recording.js';

/** Includes the given records of the scenario, if the recording starts with one. */
export function givenAt(recording: Recording): Required<Given> {
  const given = recording.scenario?.given ?? { templates: [], customers: [], webhooks: [] };
  return {
    templates: joined(given.templates, templates(recording), 'name'),
    customers: joined(given.customers, customers(recording), 'phone'),
    webhooks: joined(given.webhooks, webhooks(recording), 'url'),
  };
}

const joined = <T>(own: readonly T[], found: readonly T[], key: keyof T): T[] => [
  ...own,
  ...found.filter((each) => !own.some((known) => known[key] === each[key])),
];

function templates({ account, fromSeq, startMs }: Recording): GivenTemplate[] {
  return [...account.store.tables.templates.all()]
    .filter(({ seq }) => seq < fromSeq)
    .map(({ name, category, language, body, status, history, rejectionReason }) => {
      // A template without a history has not moved since it was stored.
      const then = history ? (history.findLast(({ atMs }) => atMs <= startMs)?.status ?? 'pending') : status;
      return {
        name,
        category,
        language,
        ...(body !== null && { body }),
        ...(then !== 'approved' && { status: then }),
        ...(then === 'rejected' && rejectionReason !== null && { because: rejectionReason }),
      };
    });
}

function customers({ account, fromSeq, startMs }: Recording): LoadedCustomer[] {
  const { tables } = account.store;
  return [...tables.customers.all()]
    .filter(({ seq }) => seq < fromSeq)
    .map(({ id: phone, profileName, lastInboundAtMs, windowClosesAtMs }) => {
      const wrote = [...tables.messages.list('customer', phone)].findLast(
        ({ origin, seq }) => origin === 'inbound' && seq < fromSeq,
      );
      const atMs =
        wrote?.createdAtMs ?? (lastInboundAtMs !== null && lastInboundAtMs <= startMs ? lastInboundAtMs : null);
      const moved = windowClosesAtMs !== null && windowClosesAtMs !== (lastInboundAtMs ?? 0) + windowLengthMs;
      const name = profileName === null ? {} : { name: profileName };
      // The window was opened or closed manually before the recording: its state at the start.
      if (moved && windowClosesAtMs - windowLengthMs < startMs) {
        return { phone, ...name, window: windowClosesAtMs > startMs ? 'open' : 'closed' };
      }
      if (atMs === null) return { phone, ...name };
      return { phone, ...name, window: formatDuration(Math.min(atMs - startMs, -1)) };
    });
}

function webhooks({ account, fromSeq }: Recording): GivenWebhook[] {
  return [...account.store.tables.endpoints.all()]
    .filter(({ seq }) => seq < fromSeq)
    .map(({ alias, url, events, secret, status }, index) => ({
      alias: alias ?? `webhook-${index + 1}`,
      url,
      events: [...events],
      secret,
      ...(status === 'paused' && { status }),
    }));
}
