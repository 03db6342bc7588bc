/**
 * Stored records as the control plane shows them: with everything a tester may want to know (contract §4, shapes).
 */
import { isShallow } from '../domain/depth.js';
import type { Customer, WindowState } from '../domain/customer.js';
import type { Attempt, Delivery } from '../domain/delivery.js';
import type { Endpoint } from '../domain/endpoint.js';
import { accountNumber, type Event } from '../domain/event.js';
import { withHands } from '../domain/explain.js';
import { isoTime, isoTimeOrNull } from '../domain/instant.js';
import type { Job } from '../domain/job.js';
import type { Message, MessageContent } from '../domain/message.js';
import { shownState, type Otp } from '../domain/otp.js';
import type { RequestRecord } from '../domain/request-record.js';
import type { SinkRequest } from '../domain/sink.js';
import { fillTemplate, templateBody, type Template } from '../domain/template.js';

/** Characters of the latest message that a list of conversations shows. */
const glimpseLength = 140;

/**
 * @param last the latest message of the conversation
 * @param window as it counts now, which the customer's own record does not say alone
 */
export function showCustomer(customer: Customer, last: Message | undefined, window: WindowState) {
  return {
    seq: customer.seq,
    phone: customer.id,
    profile_name: customer.profileName,
    window: { open: window.open, closes_at: isoTimeOrNull(window.closesAtMs) },
    last_inbound_at: isoTimeOrNull(customer.lastInboundAtMs),
    last_message: last ? glimpse(last) : null,
  };
}

function glimpse(message: Message) {
  const { message_id, seq, direction, type, text, interactive, status, created_at } = showMessage(message);
  const words = text ?? (interactive && 'body' in interactive ? interactive.body : null);
  return { message_id, seq, direction, type, text: words?.slice(0, glimpseLength) ?? null, status, created_at };
}

export function showJob({ seq, kind, subject, dueMs }: Job) {
  return { seq, job: kind, subject, due: isoTime(dueMs) };
}

/** A message of either direction, its content as the customer sees it: variables and code filled in. */
export function showMessage(message: Message, profileName: string | null = null) {
  const inbound = message.origin === 'inbound';
  return {
    id: message.id,
    message_id: message.id,
    seq: message.seq,
    wamid: message.wamid,
    direction: inbound ? 'inbound' : 'outbound',
    from: inbound ? message.customer : accountNumber,
    to: inbound ? accountNumber : message.customer,
    type: message.type,
    status: message.status,
    ...showContent(message.content),
    ...(inbound && { profile_name: profileName }),
    ...(message.batchId !== undefined && { batch_id: message.batchId }),
    ...(message.otpId !== undefined && { otp_id: message.otpId }),
    error: message.error,
    created_at: isoTime(message.createdAtMs),
    history: message.history.map(({ status, atMs, ...more }) => ({ status, at: isoTime(atMs), ...more })),
    explain: withHands(message.explain, message.history),
  };
}

function showContent({ text, media_url, interactive, template }: MessageContent) {
  return {
    text: template ? fillTemplate(template.body, template.variables) : (text ?? tapped(interactive)),
    ...(media_url !== undefined && { media_url }),
    ...(interactive && { interactive }),
    ...(template && {
      template: {
        name: template.name,
        language: template.language,
        category: template.category,
        body: template.body,
        variables: template.variables,
        ...(template.buttons && { buttons: template.buttons }),
      },
    }),
  };
}

/** A tap is seen as the words on the button; what the account wrote above its buttons is in `interactive`. */
function tapped(interactive: MessageContent['interactive']): string | null {
  return interactive && 'title' in interactive ? interactive.title : null;
}

/** @param jobs what is planned for it */
export function showTemplate(template: Template, jobs: Iterable<Job>) {
  return {
    id: template.id,
    seq: template.seq,
    name: template.name,
    category: template.category,
    language: template.language,
    body: template.body,
    text: templateBody(template),
    buttons: template.buttons ?? [],
    status: template.status,
    template_type: 'standard',
    rejection_reason: template.rejectionReason,
    created_at: isoTime(template.createdAtMs),
    history: (template.history ?? []).map(({ status, atMs, ...more }) => ({ status, at: isoTime(atMs), ...more })),
    planned: planned(jobs),
    explain: withHands(template.explain, template.history ?? []),
  };
}

/** Reviews and later moves that lie ahead, soonest first. */
function planned(jobs: Iterable<Job>): { status: string; at: string }[] {
  return [...jobs]
    .sort((a, b) => a.dueMs - b.dueMs)
    .flatMap(({ kind, dueMs, data }) => {
      const { decision, status } = (data ?? {}) as { decision?: string; status?: string };
      const next = kind === 'template.review' ? decision : kind === 'template.move' ? status : undefined;
      return next === undefined ? [] : [{ status: next, at: isoTime(dueMs) }];
    });
}

export function showOtp(otp: Otp, template: Template | undefined, nowMs: number) {
  return {
    otp_id: otp.id,
    seq: otp.seq,
    to: otp.to,
    code: otp.code,
    state: shownState(otp, nowMs),
    attempts_remaining: otp.attemptsLeft,
    template: template?.name ?? '',
    message_id: otp.messageId,
    created_at: isoTime(otp.createdAtMs),
    expires_at: isoTime(otp.expiresAtMs),
    verified_at: isoTimeOrNull(otp.verifiedAtMs),
    explain: otp.explain,
  };
}

/** The data is read back from the bytes that were signed: what is shown cannot differ from what was sent. */
export function showEvent(event: Event) {
  const { data } = JSON.parse(event.body) as { data: Record<string, unknown> };
  return { id: event.id, seq: event.seq, type: event.type, created_at: isoTime(event.createdAtMs), data };
}

export function showDelivery(delivery: Delivery, attempts: Iterable<Attempt>, event: Event | undefined) {
  return {
    id: delivery.id,
    seq: delivery.seq,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    webhook_id: delivery.endpointId,
    url: delivery.url,
    state: delivery.state,
    // A redelivery may be answered before the attempt that it overtook.
    attempts: [...attempts].sort((a, b) => a.number - b.number).map(showAttempt),
    next_attempt_at: isoTimeOrNull(delivery.nextAttemptAtMs),
    created_at: isoTime(delivery.createdAtMs),
    /** What goes out, or would have gone out. */
    payload: event?.body ?? null,
    ...(delivery.explain !== undefined && { explain: delivery.explain }),
  };
}

export function showAttempt(attempt: Attempt) {
  return {
    number: attempt.number,
    at: isoTime(attempt.atMs),
    status: attempt.status,
    duration_ms: attempt.durationMs,
    trigger: attempt.trigger,
    ...(attempt.error && { error: attempt.error.code, reason: attempt.error.message }),
    ...(attempt.hint !== undefined && { hint: attempt.hint }),
    ...(attempt.explain && { explain: attempt.explain }),
    sent_to: attempt.sentTo,
    plain: attempt.plain,
    request: attempt.request,
    ...(attempt.response && { response: attempt.response }),
  };
}

/** The clock, and what lies ahead on it. `nextDueMs` null: nothing does. */
export function showClock(clock: {
  readonly nowMs: number;
  readonly mode: string;
  readonly scale: number;
  readonly pending: number;
  readonly nextDueMs: number | null;
}) {
  return {
    now: isoTime(clock.nowMs),
    mode: clock.mode,
    scale: clock.scale,
    pending: clock.pending,
    next_due: isoTimeOrNull(clock.nextDueMs),
  };
}

export function showEndpoint(endpoint: Endpoint) {
  return {
    id: endpoint.id,
    seq: endpoint.seq,
    url: endpoint.url,
    ...(endpoint.alias !== undefined && { alias: endpoint.alias }),
    events: endpoint.events,
    secret: endpoint.secret,
    status: endpoint.status,
    ...(endpoint.status === 'paused' && { pause_reason: endpoint.pauseReason }),
    failing_since: isoTimeOrNull(endpoint.failingSinceMs),
    created_at: isoTime(endpoint.createdAtMs),
    updated_at: isoTime(endpoint.updatedAtMs),
  };
}

export function showRequest(record: RequestRecord) {
  const { atMs, durationMs, request, response, bytes: _bytes, ...rest } = record;
  return {
    ...rest,
    at: isoTime(atMs),
    duration_ms: durationMs,
    request: { ...request, body: request.body ?? null },
    /** A fault kept it back: what was not sent is not shown. */
    response: record.status === null ? null : { ...response, body: response.body ?? null },
  };
}

export function showSinkRequest(request: SinkRequest) {
  return {
    seq: request.seq,
    at: isoTime(request.atMs),
    method: request.method,
    path: request.path,
    headers: request.headers,
    body: request.body,
    ...jsonOf(request.body),
    signature_valid: request.signatureValid,
    answered: request.answered,
  };
}

function jsonOf(body: string): { json?: unknown } {
  try {
    const json = JSON.parse(body) as unknown;
    // What cannot be written again cannot be shown either; the bytes are in `body`.
    return isShallow(json) ? { json } : {};
  } catch {
    return {};
  }
}
