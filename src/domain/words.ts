export const messageStatuses = ['accepted', 'sent', 'delivered', 'read', 'failed'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

export const messageTypes = ['text', 'image', 'document', 'interactive', 'template'] as const;

export const templateCategories = ['marketing', 'utility', 'authentication'] as const;
export const templateStatuses = ['pending', 'approved', 'rejected', 'paused', 'deleted'] as const;
export type TemplateStatus = (typeof templateStatuses)[number];

export const eventTypes = ['message.received', 'message.status', 'otp.verified', 'template.status'] as const;
export type EventType = (typeof eventTypes)[number];

/**
 * `pending`: not attempted yet. `retrying`: failed, another attempt is scheduled. `held`: the endpoint is paused.
 * `dropped`: will not be attempted (endpoint removed, or requested as a fault). `delivered`: the receiver responded
 * with 2xx. `failed`: no more retries, while the endpoint stays active.
 */
export const deliveryStates = ['pending', 'delivered', 'retrying', 'held', 'dropped', 'failed'] as const;

/** Stable: tests and scenario files can compare them. */
export const sendErrors = [
  'non_2xx',
  'redirect_not_followed',
  'timeout',
  'connection_refused',
  'connection_reset',
  'connection_failed',
  'host_unreachable',
  'dns_not_found',
  'dns_failed',
  'tls_error',
  'invalid_response',
  'invalid_request',
  'invalid_url',
  'public_destination_blocked',
  'sink_not_available',
  'tunnel_closed',
  'sender_closed',
  'internal_error',
] as const;

/** The faults of a delivery, then the faults of a single attempt. */
export const webhookFaults = [
  'delayed',
  'duplicated',
  'held_back',
  'dropped',
  'wrong_secret',
  'missing_signature',
  'malformed_signature',
  'truncated',
  'reformatted',
  'unknown_type',
  'huge',
  'forged',
  'simulated',
] as const;
export type WebhookFault = (typeof webhookFaults)[number];

export const jobKinds = [
  'message.status',
  'template.review',
  'customer.writes',
  'scenario.step',
  'scenario.judge',
  'delivery.attempt',
  'endpoint.pause',
] as const;
export type JobKind = (typeof jobKinds)[number];

/** The source of a change: a call of the control plane, or a step of the scenario's timeline. */
export const actors = ['command', 'timeline'] as const;
export type Actor = (typeof actors)[number];

/** A BCP 47 language tag, with a hyphen or an underscore. */
export const languageForm =
  /^([A-Za-z]{2,3}([-_][A-Za-z]{3}){0,3}|[A-Za-z]{4,8})([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|\d{3}))?([-_]([A-Za-z0-9]{5,8}|\d[A-Za-z0-9]{3}))*([-_][0-9A-WYZa-wyz]([-_][A-Za-z0-9]{2,8})+)*([-_][Xx]([-_][A-Za-z0-9]{1,8})+)?$|^[XxIi]([-_][A-Za-z0-9]{1,8})+$/;
export const templateNameForm = /^[a-z][a-z0-9_]{0,511}$/;

export const activeId = 'active';

/** The trace of a call, in the `traceparent` form of https://www.w3.org/TR/trace-context/. */
export interface Traced {
  readonly traceparent?: string;
}

export const traceparentForm = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** A placeholder of a template's body; its group is what stands between the braces. */
export const placeholder = /\{\{([^{}]*)\}\}/g;

export function placeholderProblem(body: string): string | null {
  const seen = new Set<number>();
  for (const [whole, inside] of body.matchAll(placeholder)) {
    if (!/^[1-9]\d{0,3}$/.test(inside ?? '')) return `${whole} is not a placeholder: use {{1}}, {{2}} and so on`;
    seen.add(Number(inside));
  }
  const [damaged] = /\{\{\s*\d+\s*\}(?!\})|(?<!\{)\{\s*\d+\s*\}\}/.exec(body.replace(placeholder, '')) ?? [];
  if (damaged !== undefined) return `${damaged} is a damaged placeholder: use {{1}}, {{2}} and so on`;
  for (let n = 1; n <= seen.size; n += 1) {
    if (!seen.has(n)) return `placeholders must be numbered from {{1}} without gaps: {{${n}}} is missing`;
  }
  return null;
}
