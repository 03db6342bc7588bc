/** The data of each kind of job. A job that cannot run would fail long after the snapshot was accepted. */
import type { EventType } from '../../domain/event.js';
import type { Explain } from '../../domain/explain.js';
import type { Job, JobKind } from '../../domain/job.js';
import type { MessageError } from '../../domain/message.js';
import { isPhone } from '../../domain/phone.js';
import {
  anyObject,
  bool,
  type Check,
  count,
  listOf,
  number,
  oneOf,
  optional,
  orNull,
  type Problems,
  record,
  text,
} from '../schema/check.js';
import { eventType, explain } from '../schema/account-rows.js';

const nothing: Check<undefined> = (value, path, problems) => {
  if (value !== undefined) problems.add(path(), value, 'absent');
};
const phone: Check<string> = (value, path, problems) => {
  if (typeof value !== 'string' || !isPhone(value)) problems.add(path(), value, 'a phone number');
};
const redelivery: Check<'redelivery' | undefined> = (value, path, problems) => {
  if (value !== undefined && value !== 'redelivery') problems.add(path(), value, '"redelivery", or absent');
};
/** Random durations have fractions of a millisecond. */
const wait: Check<number> = (value, path, problems) => {
  if (!Number.isFinite(value) || (value as number) < 0)
    problems.add(path(), value, 'a number of milliseconds of at least 0');
};
const laterStatus = oneOf<Move['status']>({ approved: true, paused: true, deleted: true });

interface StatusReport {
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  readonly error?: MessageError;
  readonly outOfOrder?: boolean;
}
interface Move {
  readonly afterMs: number;
  readonly status: 'approved' | 'paused' | 'deleted';
}
interface Review {
  readonly decision: 'approved' | 'rejected';
  readonly reason: string | null;
  readonly eventLagMs: number;
  readonly later: readonly Move[];
}
interface CustomerWrites {
  readonly from: string;
  readonly type?: 'text' | 'image' | 'document' | 'interactive';
  readonly text?: string;
  readonly media_url?: string;
  readonly interactive?: { readonly id: string; readonly title: string };
  readonly profile_name?: string;
  readonly explain?: Explain;
}

const dataChecks: Readonly<Record<JobKind, Check<unknown>>> = {
  'message.status': record<StatusReport>({
    status: oneOf<StatusReport['status']>({ sent: true, delivered: true, read: true, failed: true }),
    error: optional(record<MessageError>({ code: text, message: text, channel_code: orNull(number) })),
    outOfOrder: optional(bool),
  }),
  'template.review': record<Review>({
    decision: oneOf<Review['decision']>({ approved: true, rejected: true }),
    reason: orNull(text),
    eventLagMs: wait,
    later: listOf(record<Move>({ afterMs: wait, status: laterStatus })),
  }),
  'template.move': record<Pick<Move, 'status'>>({ status: laterStatus }),
  'customer.writes': record<CustomerWrites>({
    from: phone,
    type: optional(
      oneOf<NonNullable<CustomerWrites['type']>>({ text: true, image: true, document: true, interactive: true }),
    ),
    text: optional(text),
    media_url: optional(text),
    interactive: optional(record<NonNullable<CustomerWrites['interactive']>>({ id: text, title: text })),
    profile_name: optional(text),
    explain: optional(explain),
  }),
  'scenario.step': anyObject,
  'scenario.judge': record<{ index: number }>({ index: count }),
  'event.append': record<{ type: EventType; data: object }>({ type: eventType, data: anyObject }),
  'delivery.attempt': redelivery,
  'endpoint.pause': nothing,
};

export function checkJob(job: object, path: string, problems: Problems): void {
  const { kind, data } = job as Job;
  dataChecks[kind](data, () => `${path}.data`, problems);
}
