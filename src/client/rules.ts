/** Rules added while the sandbox runs, ahead of the scenario's. */
import type { Connection } from './connection.js';
import { listAll } from './lists.js';
import type { RuleFilter, Rule, RuleInput } from './types.js';

export interface RuleControl {
  /** Puts a rule ahead of all others. @throws SandboxError `scenario_invalid`, or `name_taken` for a known id */
  add(rule: RuleInput): Promise<Rule>;
  remove(id: string): Promise<void>;
  /** Those added, with their hits. */
  list(filter?: RuleFilter): Promise<Rule[]>;
}

const path = '/_sandbox/rules';

export function ruleControl(connection: Connection): RuleControl {
  return {
    add: (rule) => connection.call('POST', path, rule),
    remove: async (id) => {
      await connection.call('DELETE', `${path}/${encodeURIComponent(id)}`);
    },
    list: (filter) => listAll(connection, path, filter),
  };
}
