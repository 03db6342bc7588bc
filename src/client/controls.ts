/** The resources of an account: rules, snapshots, templates, webhooks and sinks. */
import { eventTypes } from '../domain/event.js';
import { type Connection, listAll } from './connection.js';
import { SandboxError } from './sandbox-error.js';
import type {
  Endpoint,
  EventType,
  NewTemplate,
  RegisteredEndpoint,
  Rule,
  RuleFilter,
  RuleInput,
  Sink,
  SinkFilter,
  SinkRequest,
  SinkResponse,
  Snapshot,
  SnapshotFilter,
  SnapshotInfo,
  Template,
  TemplateFilter,
  WebhookFilter,
} from './types.js';

export interface RuleControl {
  /**
   * Adds a rule that takes precedence over all others.
   * @throws SandboxError `scenario_invalid`, or `name_taken` for an existing id
   */
  add(rule: RuleInput): Promise<Rule>;
  remove(id: string): Promise<void>;
  /** The rules added at run time, with their hits. */
  list(filter?: RuleFilter): Promise<Rule[]>;
}

const rulesPath = '/_sandbox/rules';

export function ruleControl(connection: Connection): RuleControl {
  return {
    add: (rule) => connection.call('POST', rulesPath, rule),
    remove: async (id) => {
      await connection.call('DELETE', `${rulesPath}/${encodeURIComponent(id)}`);
    },
    list: (filter) => listAll(connection, rulesPath, filter),
  };
}

export interface SnapshotControl {
  /** @throws SandboxError `name_taken` */
  take(name: string): Promise<SnapshotInfo>;
  /** @throws SandboxError `not_found` */
  restore(name: string): Promise<SnapshotInfo>;
  list(filter?: SnapshotFilter): Promise<SnapshotInfo[]>;
  remove(name: string): Promise<void>;
  /** As JSON, to store with the tests. */
  download(name: string): Promise<Snapshot>;
  /** Stores a downloaded snapshot under this name. */
  upload(name: string, snapshot: Snapshot): Promise<SnapshotInfo>;
}

const snapshotsPath = '/_sandbox/snapshots';

export function snapshotControl(connection: Connection): SnapshotControl {
  const at = (name: string) => `${snapshotsPath}/${encodeURIComponent(name)}`;
  return {
    take: (name) => connection.call('POST', snapshotsPath, { name }),
    restore: (name) => connection.call('POST', `${at(name)}/restore`),
    list: (filter) => listAll(connection, snapshotsPath, filter),
    remove: async (name) => {
      await connection.call('DELETE', at(name));
    },
    download: (name) => connection.call('GET', at(name)),
    upload: (name, snapshot) => connection.call('PUT', at(name), snapshot),
  };
}

export interface TemplateControl {
  list(filter?: TemplateFilter): Promise<Template[]>;
  /** @throws SandboxError `not_found` with the existing names */
  get(name: string): Promise<Template>;
  /**
   * Submits a template like the application: with a call of the API plane, seen in `requests()`. The template is then
   * pending.
   */
  create(template: NewTemplate): Promise<Template>;
  /**
   * Approves the template.
   * @throws SandboxError `illegal_transition` unless it is pending
   */
  approve(name: string): Promise<Template>;
  /**
   * Rejects the template.
   * @throws SandboxError `illegal_transition` unless it is pending
   */
  reject(name: string, reason?: string): Promise<Template>;
  pause(name: string): Promise<Template>;
  /** Resumes a paused template, which is then approved. */
  resume(name: string): Promise<Template>;
  remove(name: string): Promise<Template>;
}

const templatesPath = '/_sandbox/templates';

export function templateControl(connection: Connection): TemplateControl {
  const list = (filter: TemplateFilter = {}) => listAll<Template>(connection, templatesPath, filter);
  const get = async (name: string): Promise<Template> => {
    const [found] = await list({ name, order: 'desc', limit: 1 });
    if (found) return found;
    const names = (await list()).map((template) => template.name);
    const known = names.length === 0 ? 'It has none yet.' : `It has: ${names.join(', ')}.`;
    throw new SandboxError({ code: 'not_found', message: `This account has no template "${name}". ${known}` });
  };
  const act = async (name: string, call: 'review' | 'status', input: object): Promise<Template> =>
    connection.call('POST', `${templatesPath}/${(await get(name)).id}/${call}`, input);
  return {
    list,
    get,
    create: async (template) => {
      const { template_id: id } = await connection.call<{ template_id: string }>('POST', '/v1/templates', template);
      return connection.call('GET', `${templatesPath}/${id}`);
    },
    approve: (name) => act(name, 'review', { decision: 'approved' }),
    reject: (name, reason) => act(name, 'review', { decision: 'rejected', reason }),
    pause: (name) => act(name, 'status', { status: 'paused' }),
    resume: (name) => act(name, 'status', { status: 'approved' }),
    remove: (name) => act(name, 'status', { status: 'deleted' }),
  };
}

export interface WebhookControl {
  list(filter?: WebhookFilter): Promise<Endpoint[]>;
  /**
   * Registers an endpoint like the application: with a call of the API plane, seen in `requests()`. Default: all
   * events.
   */
  register(url: string, events?: readonly EventType[]): Promise<RegisteredEndpoint>;
  /** Removes an endpoint like the application: with a call of the API plane. */
  remove(id: string): Promise<void>;
  pause(id: string): Promise<Endpoint>;
  /** Activates the endpoint again and resets its failure streak. */
  resume(id: string): Promise<Endpoint>;
}

export function webhookControl(connection: Connection): WebhookControl {
  const put = (id: string, status: Endpoint['status']) =>
    connection.call<Endpoint>('PUT', `/_sandbox/webhooks/${encodeURIComponent(id)}`, { status });
  return {
    list: (filter) => listAll(connection, '/_sandbox/webhooks', filter),
    register: (url, events = eventTypes) => connection.call('POST', '/v1/webhooks', { url, events }),
    remove: async (id) => {
      await connection.call('DELETE', `/v1/webhooks/${encodeURIComponent(id)}`);
    },
    pause: (id) => put(id, 'paused'),
    resume: (id) => put(id, 'active'),
  };
}

export interface SinkControl {
  readonly name: string;
  /** The URL to register as a webhook. */
  readonly url: string;
  /** The requests received, oldest first, each with `signature_valid`. */
  received(filter?: SinkFilter): Promise<SinkRequest[]>;
  /** Sets its next responses, in this order; the last one is repeated. A number is a status. */
  respond(...answers: readonly (number | SinkResponse)[]): Promise<Sink>;
}

export function sinkControl(connection: Connection, name: string): SinkControl {
  const path = `/_sandbox/sink/${encodeURIComponent(name)}`;
  return {
    name,
    url: `https://sink.sandbox/${name}`,
    received: (filter) => listAll(connection, `${path}/received`, filter),
    respond: (...answers) => connection.call('PUT', path, { respond: answers.map(responseOf) }),
  };
}

/** Each plain status is for one request; the last is for all later ones. */
function responseOf(answer: number | SinkResponse, place: number, all: readonly unknown[]): SinkResponse {
  if (typeof answer !== 'number') return answer;
  return place === all.length - 1 ? { status: answer } : { status: answer, times: 1 };
}
