import type { Account } from '../account/account.js';
import { bodyOf } from '../domain/request.js';
import type { Attempt, Delivery, Endpoint, Message, RequestRecord, Row } from '../domain/rows.js';
import { hookOf } from '../language/hooks.js';
import type { Evidence, EvidenceRecord } from '../rules/evidence.js';
import type { LoadedScenario } from '../language/scenario.js';
import { fillTemplate } from '../domain/template.js';
import { isoTime } from '../domain/instant.js';
import { shownState } from '../domain/otp.js';
import { deliveryFacts } from '../webhooks/events.js';
import { addressOf } from '../domain/webhook.js';

export function sinceActivation({ script }: Account): (row: Row) => boolean {
  const activatedSeq = script.active?.seq ?? 0;
  return ({ seq }) => seq > activatedSeq;
}

/** Endpoints and templates are in their current state. */
export function evidenceWithin(account: Account, within: (row: Row) => boolean): Evidence {
  const { tables } = account.store;
  const nowMs = account.clock.now();
  return {
    requests: () => tables.requests.filter(within).map(requestRecord),
    webhooks: () =>
      tables.endpoints.all().map(({ id, alias, url, events, status, pauseReason }) => {
        return { id, ref: id, alias, url, events, status, pause_reason: pauseReason };
      }),
    attempts: () =>
      tables.attempts.filter(within).map((row) => {
        const delivery = tables.deliveries.get(row.deliveryId);
        return {
          ...(delivery && deliveryRecord(account, delivery)),
          delivery: row.deliveryId,
          number: row.number,
          status: row.status,
          error: row.error?.code,
          ...(row.error && { failure: failureIn(row.error) }),
          rule: row.explain?.id,
          ...moment(row, row.atMs),
          ref: row.deliveryId,
        };
      }),
    deliveries: () =>
      tables.deliveries.filter(within).map((row) => ({
        ...deliveryRecord(account, row),
        state: row.state,
        attempts: row.attemptCount,
        rule: row.explain?.id,
        ...moment(row, row.createdAtMs),
      })),
    messages: () => tables.messages.filter((row) => within(row) && row.origin !== 'otp').map(messageRecord),
    sent: () => tables.messages.filter((row) => within(row) && row.origin === 'api').map(messageRecord),
    received: () =>
      tables.messages
        .filter((row) => within(row) && row.origin === 'inbound')
        .map((row) => ({ ...messageRecord(row), from: row.customer })),
    templates: () =>
      tables.templates.all().map(({ id, name, category, language, body, status, rejectionReason }) => {
        return { ref: id, name, category, language, body, status, rejection_reason: rejectionReason };
      }),
    otps: () =>
      tables.otps.filter(within).map((row) => ({
        to: row.to,
        state: shownState(row, nowMs),
        attempts_left: row.attemptsLeft,
        template: tables.templates.get(row.templateId)?.name,
        otp_id: row.id,
        ...moment(row, row.createdAtMs),
      })),
    events: () =>
      tables.events.filter(within).map(({ data, ...row }) => {
        return { ...data, data, id: row.id, type: row.type, ...moment(row, row.createdAtMs) };
      }),
  };
}

/** `No response within 10s: still waiting for …` → `time-out after 10 s` */
function failureIn({ code, message }: NonNullable<Attempt['error']>): string {
  const [, number, unit] = /within (\d+)(\w+)/.exec(message) ?? [];
  if (code !== 'timeout') return message.replace(/\.$/, '');
  return number === undefined ? 'time-out' : `time-out after ${number} ${unit}`;
}

/** Two fields that a scenario cannot name: the id of a record, and its order at one instant. */
function moment({ id: ref, seq }: Row, atMs: number): { at: string; seq: number; ref: string } {
  return { at: isoTime(atMs), seq, ref };
}

/** The bodies are parsed when a condition needs them, and not kept: a parsed journal is many times as large. */
function requestRecord(row: RequestRecord): EvidenceRecord {
  const { method, path, status, error, explain } = row;
  return {
    ...requestFacts(bodyOf(row.request)),
    method,
    path,
    status,
    error,
    rule: explain?.id,
    get request() {
      return { ...row.request, body: bodyOf(row.request) };
    },
    get response() {
      return { ...row.response, body: bodyOf(row.response) };
    },
    operation: hookOf(row.operation),
    // For gaps between calls, in machine time: from a response to the next call.
    ...(row.realMs !== undefined && { realMs: row.realMs, realEndMs: row.realMs + row.durationMs }),
    ...moment(row, row.atMs),
  };
}

function requestFacts(body: unknown): EvidenceRecord {
  if (typeof body !== 'object' || body === null) return {};
  const { to, type, template } = body as { to?: unknown; type?: unknown; template?: unknown };
  const name = typeof template === 'object' && template !== null ? (template as { name?: unknown }).name : template;
  return { to, type, template: name, batch: Array.isArray(to) };
}

function deliveryRecord({ store, script }: Account, delivery: Delivery): EvidenceRecord {
  const event = store.tables.events.get(delivery.eventId);
  const endpoint = store.tables.endpoints.get(delivery.endpointId) ?? removedEndpoint(script.scenario, delivery);
  const facts = event ? deliveryFacts(event, endpoint, 1) : {};
  return {
    alias: endpoint.alias,
    url: delivery.url,
    event: delivery.eventType,
    event_id: delivery.eventId,
    to: facts.phone,
    message_id: event?.subject,
    message_status: facts.status,
  };
}

/** Deliveries stay attributed to an endpoint that was removed before the verdict; one from `given` keeps its alias. */
function removedEndpoint(scenario: LoadedScenario | null, { url }: Delivery): Pick<Endpoint, 'url' | 'alias'> {
  const given = scenario?.given.webhooks.find((webhook) => addressOf(webhook.url) === addressOf(url));
  return given ? { url, alias: given.alias } : { url };
}

function messageRecord(row: Message): EvidenceRecord {
  const { template, text, media_url, interactive } = row.content;
  return {
    message_id: row.id,
    batch_id: row.batchId,
    direction: row.origin === 'inbound' ? 'inbound' : 'outbound',
    to: row.customer,
    type: row.type,
    status: row.status,
    text: template ? fillTemplate(template.body, template.variables) : text,
    template: template?.name,
    language: template?.language,
    variables: template?.variables,
    media_url,
    interactive,
    error: row.error,
    rule: row.explain.id,
    ...moment(row, row.createdAtMs),
  };
}
