/** A scenario as written in a file, and in its loaded form. */
import type { Expectation } from './expectations.js';
import type { LoadedRule, Rule } from './rules.js';
import type {
  DurationText,
  JsonValue,
  Lifecycle,
  LifecycleStatus,
  ReviewSlot,
  TemplateMove,
  WebhookSlot,
} from './slots.js';
import type { EventType } from '../../domain/event.js';

/** Maximum number of characters of a scenario document. */
export const longestDocument = 256 * 1024;

/** A scenario file as written. */
export interface Scenario {
  version: 1;
  name?: string;
  description?: string;
  extends?: string[];
  seed?: number;
  clock?: ClockSetting;
  defaults?: Defaults;
  given?: Given;
  rules?: Rule[];
  timeline?: TimelineEntry[];
  expect?: Expectation[];
  expect_no_calls?: boolean;
}

/** A scenario ready for use: `extends` resolved, ids and lists filled in. Plain JSON, so that it can be stored. */
export interface LoadedScenario {
  version: 1;
  name: string;
  description?: string;
  seed?: number;
  clock?: ClockSetting;
  defaults: Defaults;
  given: Omit<Required<Given>, 'customers'> & { customers: LoadedCustomer[] };
  rules: LoadedRule[];
  timeline: TimelineEntry[];
  expect: Expectation[];
  expect_no_calls?: boolean;
  /** The file itself first, then what it extends, in the order of their rules. */
  files: string[];
}

export interface ClockSetting {
  mode: 'real' | 'frozen' | 'scaled' | 'auto';
  /** ISO 8601, UTC. */
  start?: string;
  /** Account seconds per real second; with mode `scaled`. */
  scale?: number;
  /** Machine time without a change by the application, after which the clock jumps; with mode `auto`. */
  quiet_real?: DurationText;
}

export interface Defaults {
  lifecycle?: Lifecycle;
  review?: ReviewSlot;
  window?: 'open' | 'closed';
}

export const TEMPLATE_CATEGORIES = ['marketing', 'utility', 'authentication'] as const;
export const TEMPLATE_STATUSES = ['pending', 'approved', 'rejected', 'paused', 'deleted'] as const;

export interface GivenTemplate {
  name: string;
  category: (typeof TEMPLATE_CATEGORIES)[number];
  language: string;
  body?: string;
  buttons?: { [key: string]: JsonValue }[];
  /** Default `approved`. */
  status?: (typeof TEMPLATE_STATUSES)[number];
  rejection_reason?: string;
}

/** One customer, or with `count` many of them. */
export interface GivenCustomer {
  /** With `count`: where their numbers begin, `+1202555…` or the first of them. */
  phone?: string;
  count?: number;
  profile_name?: string;
  /** A negative offset: `-23h59m` is that long before activation. */
  last_inbound?: DurationText;
  window?: 'open' | 'closed';
}

export type LoadedCustomer = Omit<GivenCustomer, 'count' | 'phone'> & { phone: string };

export interface GivenWebhook {
  /** Name of the endpoint in rules, timeline and expectations. */
  alias: string;
  url: string;
  events: EventType[];
  secret?: string;
  /** Default `active`. */
  status?: 'active' | 'paused';
}

export interface Given {
  templates?: GivenTemplate[];
  customers?: GivenCustomer[];
  webhooks?: GivenWebhook[];
}

export interface InboundAction {
  from: string;
  type?: 'text' | 'image' | 'document' | 'interactive';
  text?: string;
  media_url?: string;
  interactive?: { id: string; title: string };
  profile_name?: string;
}

export interface TemplateAction {
  name: string;
  status: TemplateMove | 'rejected';
  reason?: string;
}

export interface EmitAction {
  type: EventType;
  data?: { [key: string]: JsonValue };
  /** Only to the endpoint with this alias. */
  alias?: string;
  webhook?: WebhookSlot;
}

export interface MessageAction {
  /** Acts on the latest message to this number. */
  to: string;
  status: LifecycleStatus;
  error?: string;
}

/** Delivers everything that the receivers missed, all at once, as after an outage. */
export interface ReplayAction {
  /** Only to the endpoint with this alias. */
  alias?: string;
  /** Extra copies of each delivery. */
  duplicate?: number;
  /** In an order drawn from the seed. */
  shuffle?: boolean;
}

/**
 * An offset from activation; one from the first call at a hook or the first time that a rule applies; or when the account's
 * clock shows a time, on a day counted from 1, that of the activation.
 */
export type Instant = DurationText | { after: string; by?: DurationText } | { clock: string; day?: number };

/** Exactly one action. */
export interface TimelineEntry {
  at: Instant;
  /** Interval; with `times`. */
  every?: DurationText;
  times?: number;
  inbound?: InboundAction;
  template?: TemplateAction;
  emit?: EmitAction;
  message?: MessageAction;
  window?: { phone: string; open: boolean };
  webhook?: { alias: string; status: 'active' | 'paused' };
  replay?: ReplayAction;
}
