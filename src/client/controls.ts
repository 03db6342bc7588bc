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

export type RuleControl = ReturnType<typeof ruleControl>;

const rulesPath = '/_sandbox/rules';

export const ruleControl = (connection: Connection) => ({
  /**
   * Adds a rule that takes precedence over all others.
   * @throws SandboxError `scenario_invalid`, or `name_taken` for an existing id
   */
  add: (rule: RuleInput): Promise<Rule> => connection.call('POST', rulesPath, rule),
  remove: (id: string): Promise<void> => connection.remove(`${rulesPath}/${encodeURIComponent(id)}`),
  /** The rules added at run time, with their hits. */
  list: (filter?: RuleFilter): Promise<Rule[]> => listAll(connection, rulesPath, filter),
});

export type SnapshotControl = ReturnType<typeof snapshotControl>;

const snapshotsPath = '/_sandbox/snapshots';
const snapshotPath = (name: string) => `${snapshotsPath}/${encodeURIComponent(name)}`;

export const snapshotControl = (connection: Connection) => ({
  /** @throws SandboxError `name_taken` */
  take: (name: string): Promise<SnapshotInfo> => connection.call('POST', snapshotsPath, { name }),
  /** @throws SandboxError `not_found` */
  restore: (name: string): Promise<SnapshotInfo> => connection.call('POST', `${snapshotPath(name)}/restore`),
  list: (filter?: SnapshotFilter): Promise<SnapshotInfo[]> => listAll(connection, snapshotsPath, filter),
  remove: (name: string): Promise<void> => connection.remove(snapshotPath(name)),
  /** As JSON, to store with the tests. */
  download: (name: string): Promise<Snapshot> => connection.call('GET', snapshotPath(name)),
  /** Stores a downloaded snapshot under this name. */
  upload: (name: string, snapshot: Snapshot): Promise<SnapshotInfo> =>
    connection.call('PUT', snapshotPath(name), snapshot),
});

export type TemplateControl = ReturnType<typeof templateControl>;

const templatesPath = '/_sandbox/templates';

export function templateControl(connection: Connection) {
  const list = (filter: TemplateFilter = {}): Promise<Template[]> => listAll(connection, templatesPath, filter);
  const get = async (name: string): Promise<Template> => {
    const [found] = await list({ name, order: 'desc', limit: 1 });
    if (found) return found;
    const names = (await list()).map((template) => template.name);
    const known = names.length === 0 ? 'It has none yet.' : `It has: ${names.join(', ')}.`;
    throw new SandboxError({ code: 'not_found', message: `This account has no template "${name}". ${known}` });
  };
  const act = async (name: string, call: 'review' | 'status', input: object) =>
    connection.call<Template>('POST', `${templatesPath}/${(await get(name)).id}/${call}`, input);
  return {
    list,
    /** @throws SandboxError `not_found` with the existing names */
    get,
    /**
     * Submits a template like the application: with a call of the API plane, seen in `requests()`. The template is then
     * pending.
     */
    create: async (template: NewTemplate): Promise<Template> => {
      const { template_id: id } = await connection.call<{ template_id: string }>('POST', '/v1/templates', template);
      return connection.call('GET', `${templatesPath}/${id}`);
    },
    /**
     * Approves the template.
     * @throws SandboxError `illegal_transition` unless it is pending
     */
    approve: (name: string): Promise<Template> => act(name, 'review', { decision: 'approved' }),
    /**
     * Rejects the template.
     * @throws SandboxError `illegal_transition` unless it is pending
     */
    reject: (name: string, reason?: string): Promise<Template> => act(name, 'review', { decision: 'rejected', reason }),
    pause: (name: string): Promise<Template> => act(name, 'status', { status: 'paused' }),
    /** Resumes a paused template, which is then approved. */
    resume: (name: string): Promise<Template> => act(name, 'status', { status: 'approved' }),
    remove: (name: string): Promise<Template> => act(name, 'status', { status: 'deleted' }),
  };
}

export type WebhookControl = ReturnType<typeof webhookControl>;

export function webhookControl(connection: Connection) {
  const put = (id: string, status: Endpoint['status']) =>
    connection.call<Endpoint>('PUT', `/_sandbox/webhooks/${encodeURIComponent(id)}`, { status });
  return {
    list: (filter?: WebhookFilter): Promise<Endpoint[]> => listAll(connection, '/_sandbox/webhooks', filter),
    /**
     * Registers an endpoint like the application: with a call of the API plane, seen in `requests()`. Default: all
     * events.
     */
    register: (url: string, events: readonly EventType[] = eventTypes): Promise<RegisteredEndpoint> =>
      connection.call('POST', '/v1/webhooks', { url, events }),
    /** Removes an endpoint like the application: with a call of the API plane. */
    remove: (id: string): Promise<void> => connection.remove(`/v1/webhooks/${encodeURIComponent(id)}`),
    pause: (id: string): Promise<Endpoint> => put(id, 'paused'),
    /** Activates the endpoint again and resets its failure streak. */
    resume: (id: string): Promise<Endpoint> => put(id, 'active'),
  };
}

export type SinkControl = Readonly<ReturnType<typeof sinkControl>>;

export function sinkControl(connection: Connection, name: string) {
  const path = `/_sandbox/sink/${encodeURIComponent(name)}`;
  return {
    name,
    /** The URL to register as a webhook. */
    url: `https://sink.sandbox/${name}`,
    /** The requests received, oldest first, each with `signature_valid`. */
    received: (filter?: SinkFilter): Promise<SinkRequest[]> => listAll(connection, `${path}/received`, filter),
    /** Sets its next responses, in this order; the last one is repeated. A number is a status. */
    respond: (...answers: readonly (number | SinkResponse)[]): Promise<Sink> =>
      connection.call('PUT', path, { respond: answers.map(responseOf) }),
  };
}

/** Each plain status is for one request; the last is for all later ones. */
function responseOf(answer: number | SinkResponse, place: number, all: readonly unknown[]): SinkResponse {
  if (typeof answer !== 'number') return answer;
  return place === all.length - 1 ? { status: answer } : { status: answer, times: 1 };
}
