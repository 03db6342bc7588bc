/** Scenarios: scripted behaviour, and the verdict on the application. */
import { type Connection, listAll, withQuery } from './connection.js';
import type {
  AccountsVerdict,
  ActiveScenario,
  KnownScenario,
  ScenarioFilter,
  ScenarioCheck,
  ScenarioInput,
  Verdict,
} from './types.js';

/** The name of a known scenario, a complete one as an object, or the text of a scenario file. */
export type ScenarioSource = string | ScenarioInput;

export interface ScenarioControl {
  /**
   * Activates a scenario, which replaces the current one.
   * @throws SandboxError `scenario_invalid` with every problem in `details`; the current one stays
   */
  use(scenario: ScenarioSource): Promise<ActiveScenario>;
  /**
   * Validates a scenario without activating it.
   * @throws SandboxError `scenario_invalid`
   */
  check(scenario: ScenarioSource): Promise<ScenarioCheck>;
  get(): Promise<ActiveScenario>;
  /** The scenarios known by name. */
  list(filter?: ScenarioFilter): Promise<KnownScenario[]>;
  clear(): Promise<void>;
  /**
   * Evaluates the active scenario's `expect`.
   * @throws SandboxError `not_found` if none is active
   */
  verdict(): Promise<Verdict>;
  /** Evaluates every account with a scenario: `all`, or those whose key starts with a prefix, such as `worker-*`. */
  verdict(options: { accounts: string }): Promise<AccountsVerdict>;
}

const path = '/_sandbox/scenario';

export function scenarioControl(connection: Connection): ScenarioControl {
  const put = <T>(method: 'PUT' | 'POST', to: string, scenario: ScenarioSource): Promise<T> => {
    if (typeof scenario !== 'string') return connection.call(method, to, scenario);
    if (!isText(scenario)) return connection.call(method, to, { name: scenario });
    return connection.send(method, to, { text: scenario, contentType: 'application/yaml' });
  };
  return {
    use: (scenario) => put('PUT', path, scenario),
    check: (scenario) => put('POST', `${path}s/check`, scenario),
    get: () => connection.call('GET', path),
    list: (filter) => listAll(connection, `${path}s`, filter),
    clear: () => connection.remove(path),
    verdict: <T>(options: { accounts?: string } = {}): Promise<T> =>
      connection.call('GET', withQuery('/_sandbox/verdict', options)),
  };
}

/** A name has neither line breaks nor mappings; a file has at least one of these. */
function isText(scenario: string): boolean {
  return /[\n{]|: /.test(scenario);
}
