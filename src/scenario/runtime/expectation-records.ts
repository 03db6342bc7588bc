/** What happened in an account, as the records that expectations speak of. */
import type { Account } from '../../account/account.js';
import { dataOf } from '../../domain/lazy-event.js';
import { bodyOf, type RequestRecord } from '../../domain/request-record.js';
import type { Row } from '../../domain/row.js';
import { activeId } from '../../domain/script-state.js';
import { hookOf } from '../engine/operation-names.js';
import type { Evidence, EvidenceRecord } from '../engine/evidence.js';
import type { LoadedScenario } from '../language/scenario.js';
import type { Message } from '../../domain/message.js';
import { fillTemplate } from '../../domain/template.js';
import { isoTime } from '../../domain/instant.js';
import { shownState } from '../../domain/otp.js';
import { deliveryFacts } from '../../webhooks/delivery/fan-out.js';
import type { Delivery } from '../../domain/delivery.js';
import { addressOf, type Endpoint } from '../../domain/endpoint.js';

/** Returns what the application did while the scenario was active: what came before it is no evidence. */
export function evidenceOf(account: Account): Evidence {
  const activatedSeq = account.store.tables.scenarios.get(activeId)?.seq ?? 0;
  return evidenceWithin(account, ({ seq }) => seq > activatedSeq);
}

/** Returns what the application did as far as `within` says; endpoints and templates are as they are now. */
export function evidenceWithin(account: Account, within: (row: Row) => boolean): Evidence {
  const { tables } = account.store;
  const since = <R extends Row>(table: { all(): Iterable<R> }): R[] => [...table.all()].filter(within);
  return {
    requests: () =>
      since(tables.requests).map((row) => ({
        ...requestFacts(bodyOf(row.request)),
        ...flat(row),
        operation: hookOf(row.operation),
        ...moment(row, row.atMs),
      })),
    webhooks: () =>
      [...tables.endpoints.all()].map((row) => ({
        id: row.id,
        ref: row.id,
        alias: row.alias,
        url: row.url,
        events: row.events,
        status: row.status,
        pause_reason: row.pauseReason,
      })),
    attempts: () =>
      since(tables.attempts).map((row) => {
        const delivery = tables.deliveries.get(row.deliveryId);
        return {
          ...(delivery && deliveryRecord(account, delivery)),
          delivery: row.deliveryId,
          number: row.number,
          status: row.status,
          error: row.error?.code,
          rule: row.explain?.id,
          ...moment(row, row.atMs),
          ref: row.deliveryId,
        };
      }),
    deliveries: () =>
      since(tables.deliveries).map((row) => ({
        ...deliveryRecord(account, row),
        state: row.state,
        attempts: row.attemptCount,
        rule: row.explain?.id,
        ...moment(row, row.createdAtMs),
      })),
    messages: () =>
      since(tables.messages)
        .filter((row) => row.origin !== 'otp')
        .map(messageRecord),
    templates: () =>
      [...tables.templates.all()].map((row) => ({
        ref: row.id,
        name: row.name,
        category: row.category,
        language: row.language,
        body: row.body,
        status: row.status,
        rejection_reason: row.rejectionReason,
      })),
    otps: () =>
      since(tables.otps).map((row) => ({
        to: row.to,
        state: shownState(row, account.clock.now()),
        attempts_left: row.attemptsLeft,
        template: tables.templates.get(row.templateId)?.name,
        otp_id: row.id,
        ...moment(row, row.createdAtMs),
      })),
    events: () =>
      since(tables.events).map((row) => {
        const data = dataOf(row);
        return { ...data, data, id: row.id, type: row.type, ...moment(row, row.createdAtMs) };
      }),
  };
}

/** What a scenario cannot name but a verdict needs: which record it is, and what came first at one instant. */
function moment({ id: ref, seq }: Row, atMs: number): { at: string; seq: number; ref: string } {
  return { at: isoTime(atMs), seq, ref };
}

function flat(row: RequestRecord) {
  const { method, path, status, error, explain } = row;
  const request = { ...row.request, body: bodyOf(row.request) };
  const response = { ...row.response, body: bodyOf(row.response) };
  return { method, path, status, error, rule: explain?.id, request, response };
}

/** The fields of a body that expectations may name without digging. */
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
    to: facts.to,
    message_id: event?.subject,
    message_status: facts.status,
  };
}

/** An application that takes its webhook away as it stops has done with it what it did; a given one keeps its alias here. */
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
