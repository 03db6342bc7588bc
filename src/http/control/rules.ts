/** Rules: those of the scenario with their hits, and those added at run time, which take precedence. */
import type { Account } from '../../account/account.js';
import { ServiceError, type ErrorDetail } from '../../domain/errors.js';
import { longestRule, maxRules, requireRoom } from '../../domain/limits.js';
import type { LoadedScenario } from '../../scenario/schema/scenario.js';
import { ruleSchema } from '../../scenario/schema/rule.js';
import type { LoadedRule } from '../../scenario/schema/rule.js';
import { lintRuleAlone } from '../../scenario/reader/lints.js';
import { loadPart } from '../../scenario/reader/load.js';
import type { Problem } from '../../scenario/schema/problems.js';
import type { ControlHandlers } from './handler.js';
import { show } from './show.js';

export const rules: ControlHandlers = {
  addRule: {
    body: 'yaml',
    run: ({ account, body, text: written }) => {
      const { store, script } = account;
      const { rules: added } = store.tables;
      requireRoom(added.size, maxRules, 'rules added at run time', 'Remove one with DELETE /_sandbox/rules/ID.');
      const text = typeof body === 'string' ? body : (written ?? JSON.stringify(body, null, 2));
      if (text.length > longestRule) {
        const message = `The rule has ${text.length} characters; at most ${longestRule} are allowed.`;
        throw new ServiceError('validation_error', message);
      }
      const result = loadPart(ruleSchema, text, 'request body');
      if ('problems' in result) throw scenarioInvalid(result.problems);
      const warnings = lintRuleAlone(result.place, known(account));
      return store.update(() => {
        const seq = store.nextSeq();
        const id = result.value.id ?? `rule_${seq}`;
        const taken = added.get(id) !== undefined || (script.scenario?.rules.some((rule) => rule.id === id) ?? false);
        if (taken) throw new ServiceError('name_taken', `Rule "${id}" already exists; remove it or choose another id.`);
        const rule: LoadedRule = { ...result.value, id, source: { file: '', line: 0 } };
        added.insert({ id, seq, rule, addedAtMs: account.clock.now() });
        script.reload();
        return { ...show.rule({ rule, seq }, account), warnings: warnings.map(problemDetail) };
      });
    },
  },

  removeRule: ({ account, name: id }) => {
    const { store, script } = account;
    const row = store.tables.rules.get(id);
    if (!row) throw new ServiceError('not_found', `No rule "${id}" was added at run time.`);
    store.update(() => {
      store.tables.rules.delete(row);
      script.forget(id);
      script.reload();
    });
    return undefined;
  },
};

/** Returns the templates and aliases that exist now. */
function known({ store }: Account) {
  const aliases = [...store.tables.endpoints.all()].flatMap(({ alias }) => alias ?? []);
  return { templates: [...store.tables.templates.all()].map(({ name }) => name), aliases };
}

export function scenarioRules(account: Account, scenario: LoadedScenario) {
  return scenario.rules.map((rule, i) => show.rule({ rule, seq: i + 1 }, account));
}

/** @param warnings of the same scenario */
export function scenarioInvalid(problems: readonly Problem[], warnings: readonly Problem[] = []): ServiceError {
  const [first] = problems;
  const where = first ? ` The first: ${first.file}:${first.line}:${first.column} ${first.message}` : '';
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  return new ServiceError('scenario_invalid', `The scenario has ${count}; nothing was changed.${where}`, {
    details: problems.map(problemDetail),
    ...(warnings.length > 0 && { extra: { warnings: warnings.map(problemDetail) } }),
  });
}

export function problemDetail(problem: Problem): ErrorDetail {
  return { field: problem.path, ...problem };
}
