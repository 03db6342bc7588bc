import type {
  Customer,
  Endpoint,
  Job,
  Message,
  Otp,
  RequestRecord,
  Template,
  MessageContent,
} from '../../domain/rows.js';
import type { WindowState } from '../../domain/customer.js';
import { withActors } from '../../domain/explain.js';
import { isoTime, isoTimeOrNull } from '../../domain/instant.js';
import { shownState } from '../../domain/otp.js';
import { bodyOf } from '../../domain/request.js';
import { templateBody, fillTemplate } from '../../domain/template.js';
import { accountNumber } from '../../domain/event.js';

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

export function showRequestInList(record: RequestRecord) {
  const { request, response, ...rest } = showRequest(record);
  return { ...rest, request: withoutBody(request), response: response && withoutBody(response) };
}

export function withoutBody<Part extends { readonly body: unknown }>({ body: _body, ...rest }: Part) {
  return rest;
}

export function showRequest(record: RequestRecord) {
  const { atMs, durationMs, realMs: _realMs, request, response, ...rest } = record;
  return {
    ...rest,
    at: isoTime(atMs),
    duration_ms: durationMs,
    ...summaryOf(record),
    request: shown(request),
    // A response that a fault suppressed is not shown.
    response: record.status === null ? null : shown(response),
  };
}

function shown<Part extends RequestRecord['request']>(part: Part) {
  const { text: _text, ...rest } = part;
  return { ...rest, body: bodyOf(part) ?? null };
}

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
    explain: withActors(template.explain, template.history ?? []),
  };
}

function planned(jobs: Iterable<Job>): { status: string; at: string }[] {
  return [...jobs]
    .sort((a, b) => a.dueMs - b.dueMs)
    .flatMap(({ kind, dueMs, data }) => {
      const { decision } = (data ?? {}) as { decision?: string };
      const next = kind === 'template.review' ? decision : undefined;
      return next === undefined ? [] : [{ status: next, at: isoTime(dueMs) }];
    });
}

/** Characters. */
const glimpseLength = 140;

/** The effective `window` does not follow from the customer's record alone. */
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

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

const longest = 200;

export function summaryOf({ request, response, status }: RequestRecord): { about?: string; result?: string } {
  const about = aboutOf(fieldsOf(bodyOf(request)));
  // A response that a fault suppressed is not shown.
  const result = status === null ? undefined : resultOf(fieldsOf(bodyOf(response)));
  return {
    ...(about !== undefined && { about: about.slice(0, longest) }),
    ...(result !== undefined && { result: result.slice(0, longest) }),
  };
}

function aboutOf({ to, name, url, otp_id: code }: Fields): string | undefined {
  if (Array.isArray(to)) return `${to.length} recipients`;
  return [to, name, url, code].find((each) => typeof each === 'string');
}

/** The error of the call, a wrong code, or the failed part of a batch. */
function resultOf({ error, valid, attempts_remaining: left, results }: Fields): string | undefined {
  const { message } = fieldsOf(error);
  if (typeof message === 'string') return message;
  if (valid === false) return `Wrong code, ${String(left)} ${left === 1 ? 'attempt' : 'attempts'} left`;
  if (!Array.isArray(results)) return undefined;
  const failed = results.filter((each) => fieldsOf(each)['ok'] === false).length;
  return failed === 0 ? undefined : `${failed} of ${results.length} recipients failed`;
}

/** The content as the customer sees it: variables and code filled in. */
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
    explain: withActors(message.explain, message.history),
  };
}

/** For a tap, the text of the button. */
export function shownText({ text, interactive, template }: MessageContent): string | null {
  if (template) return fillTemplate(template.body, template.variables);
  return text ?? (interactive && 'title' in interactive ? interactive.title : null);
}

function showContent(content: MessageContent) {
  const { media_url, interactive, template } = content;
  return {
    text: shownText(content),
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
