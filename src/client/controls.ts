import { eventTypes } from '../domain/words.js';
import { at, type Connection, withQuery } from './connection.js';
import { SandboxError } from './sandbox-error.js';
import type * as t from './types.js';

export const ruleControl = ({ call, list }: Connection) => ({
  /**
   * Adds a rule that takes precedence over all others.
   * @throws SandboxError `scenario_invalid`, or `name_taken` for an existing id
   */
  add: (rule: t.RuleInput): Promise<t.Rule> => call('POST', '/_sandbox/rules', rule),
  remove: (id: string): Promise<void> => call('DELETE', at`/_sandbox/rules/${id}`),
  /** The rules added at run time, with their hits. */
  list: (filter?: t.RuleFilter): Promise<t.Rule[]> => list('/_sandbox/rules', filter),
});

/** The name of a known scenario, a complete one as an object, or the text of a scenario file. */
export type ScenarioSource = string | t.ScenarioInput;

export function scenarioControl({ call, list }: Connection) {
  /** A name has neither line breaks nor mappings; a file has at least one of these. */
  const bodyFor = (scenario: ScenarioSource) =>
    typeof scenario === 'string' && !/[\n{]|: /.test(scenario) ? { name: scenario } : scenario;

  function verdict(): Promise<t.Verdict>;
  function verdict(options: { accounts: string }): Promise<t.AccountsVerdict>;
  function verdict<T>(options: { accounts?: string } = {}): Promise<T> {
    return call('GET', withQuery('/_sandbox/verdict', options));
  }
  return {
    /**
     * Activates a scenario, which replaces the current one.
     * @throws SandboxError `scenario_invalid` with every problem in `details`; the current one stays
     */
    use: (scenario: ScenarioSource): Promise<t.ActiveScenario> => call('PUT', '/_sandbox/scenario', bodyFor(scenario)),
    /**
     * Validates a scenario without activating it.
     * @throws SandboxError `scenario_invalid`
     */
    check: (scenario: ScenarioSource): Promise<t.ScenarioCheck> =>
      call('POST', '/_sandbox/scenarios/check', bodyFor(scenario)),
    get: (): Promise<t.ActiveScenario> => call('GET', '/_sandbox/scenario'),
    list: (filter?: t.ScenarioFilter): Promise<t.KnownScenario[]> => list('/_sandbox/scenarios', filter),
    clear: (): Promise<void> => call('DELETE', '/_sandbox/scenario'),
    /**
     * Plays a scenario to its end, by default the active one: time jumps whenever the application is idle.
     * @returns the verdict, also if it is not passed
     * @throws SandboxError `scenario_invalid`, `not_found`, `clock_advancing`; `clock_interrupted` or `wait_interrupted` if
     * another call set the clock or emptied the account meanwhile
     */
    play: async (scenario?: ScenarioSource | null, options: t.PlayOptions = {}): Promise<t.PlayedVerdict> => {
      const { application, pace, maxReal, quietReal } = options;
      const sent = scenario ? bodyFor(scenario) : undefined;
      const named = typeof sent === 'object' && 'name' in sent && !('version' in sent);
      const body = {
        ...(named ? sent : { scenario: sent }),
        application,
        pace,
        max_real: maxReal,
        quiet_real: quietReal,
      };
      const { verdict: judged, ended } = await call<t.PlayResult>('POST', '/_sandbox/scenario/play', body);
      return { ...judged, ended };
    },
    /**
     * Evaluates the active scenario's `expect`; with `accounts`, the one of every account with a scenario: `all`, or the accounts
     * whose key starts with a prefix, such as `worker-*`.
     * @throws SandboxError `not_found` if none is active
     */
    verdict,
  };
}

export function snapshotControl({ call, list }: Connection) {
  return {
    /** @throws SandboxError `name_taken` */
    take: (name: string): Promise<t.SnapshotInfo> => call('POST', '/_sandbox/snapshots', { name }),
    /** @throws SandboxError `not_found` */
    restore: (name: string): Promise<t.SnapshotInfo> => call('POST', at`/_sandbox/snapshots/${name}/restore`),
    list: (filter?: t.SnapshotFilter): Promise<t.SnapshotInfo[]> => list('/_sandbox/snapshots', filter),
    remove: (name: string): Promise<void> => call('DELETE', at`/_sandbox/snapshots/${name}`),
    /** As JSON, to store with the tests. */
    download: (name: string): Promise<t.Snapshot> => call('GET', at`/_sandbox/snapshots/${name}`),
    upload: (name: string, snapshot: t.Snapshot): Promise<t.SnapshotInfo> =>
      call('PUT', at`/_sandbox/snapshots/${name}`, snapshot),
  };
}

export function templateControl({ call, list: listAll }: Connection) {
  const list = (filter?: t.TemplateFilter): Promise<t.Template[]> => listAll('/_sandbox/templates', filter);
  const get = async (name: string): Promise<t.Template> => {
    const [found] = await list({ name, order: 'desc', limit: 1 });
    if (found) return found;
    const names = (await list()).map((template) => template.name);
    const known = names.length === 0 ? 'It has none yet.' : `It has: ${names.join(', ')}.`;
    throw new SandboxError({ code: 'not_found', message: `This account has no template "${name}". ${known}` });
  };
  const review = async (name: string, input: t.ReviewInput): Promise<t.Template> =>
    call('POST', at`/_sandbox/templates/${(await get(name)).id}/review`, input);
  const setStatus = async (name: string, status: t.TemplateStatusInput['status']): Promise<t.Template> =>
    call('POST', at`/_sandbox/templates/${(await get(name)).id}/status`, { status });
  return {
    list,
    /** @throws SandboxError `not_found` with the existing names */
    get,
    /**
     * Submits a template like the application: with a call of the API plane, seen in `requests()`. The template is then
     * pending.
     */
    create: async (template: t.NewTemplate): Promise<t.Template> => {
      const { template_id: id } = await call<{ template_id: string }>('POST', '/v1/templates', template);
      return call('GET', at`/_sandbox/templates/${id}`);
    },
    /** @throws SandboxError `illegal_transition` unless the template is pending */
    approve: (name: string): Promise<t.Template> => review(name, { decision: 'approved' }),
    /** @throws SandboxError `illegal_transition` unless the template is pending */
    reject: (name: string, reason?: string): Promise<t.Template> =>
      review(name, { decision: 'rejected', ...(reason !== undefined && { reason }) }),
    pause: (name: string): Promise<t.Template> => setStatus(name, 'paused'),
    /** Resumes a paused template, which is then approved. */
    resume: (name: string): Promise<t.Template> => setStatus(name, 'approved'),
    remove: (name: string): Promise<t.Template> => setStatus(name, 'deleted'),
  };
}

export function webhookControl({ call, list }: Connection) {
  const setStatus = (id: string, status: t.Endpoint['status']): Promise<t.Endpoint> =>
    call('PUT', at`/_sandbox/webhooks/${id}`, { status });
  return {
    list: (filter?: t.WebhookFilter): Promise<t.Endpoint[]> => list('/_sandbox/webhooks', filter),
    /**
     * Registers an endpoint like the application: with a call of the API plane, seen in `requests()`. Default: all
     * events.
     */
    register: (url: string, events: readonly t.EventType[] = eventTypes): Promise<t.RegisteredEndpoint> =>
      call('POST', '/v1/webhooks', { url, events }),
    /** Removes an endpoint like the application: with a call of the API plane. */
    remove: (id: string): Promise<void> => call('DELETE', at`/v1/webhooks/${id}`),
    pause: (id: string): Promise<t.Endpoint> => setStatus(id, 'paused'),
    /** Activates the endpoint again and resets its failure streak. */
    resume: (id: string): Promise<t.Endpoint> => setStatus(id, 'active'),
  };
}

export type SinkControl = Readonly<ReturnType<typeof sinkControl>>;

export function sinkControl({ call, list }: Connection, name: string) {
  return {
    name,
    /** The URL to register as a webhook. */
    url: `https://sink.sandbox/${name}`,
    /** The requests received, oldest first, each with `signature_valid`. */
    received: (filter?: t.SinkFilter): Promise<t.SinkRequest[]> => list(at`/_sandbox/sink/${name}/received`, filter),
    /** Sets its next responses, in this order; the last one is repeated. A number is a status. */
    respond: (...answers: readonly (number | t.SinkResponse)[]): Promise<t.Sink> =>
      call('PUT', at`/_sandbox/sink/${name}`, { respond: answers.map(responseOf) }),
  };
}

/** Each plain status is for one request; the last is for all later ones. */
function responseOf(answer: number | t.SinkResponse, place: number, all: readonly unknown[]): t.SinkResponse {
  if (typeof answer !== 'number') return answer;
  return place === all.length - 1 ? { status: answer } : { status: answer, times: 1 };
}
