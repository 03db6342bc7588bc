/** Rules that are added at run time, which take precedence over the scenario's rules. */
import { limitReached, ServiceError } from '../../domain/errors.js';
import { longestRule, maxRules } from '../../domain/limits.js';
import { reader } from '../../reader/library.js';
import type { LoadedRule } from '../../language/rule.js';
import type { ControlHandlers } from './handler.js';
import { problemDetail, scenarioInvalid } from './scenario.js';
import { show } from './show.js';

export const rules: ControlHandlers = {
  addRule: {
    body: 'yaml',
    run: ({ account, body, request }) => {
      const { store, script, clock } = account;
      const { rules: added, templates, endpoints } = store.tables;
      if (added.size >= maxRules) {
        throw limitReached(added.size, 'rules added at run time', 'Remove one with DELETE /_sandbox/rules/ID.');
      }
      const text = typeof body === 'string' ? body : (request.text ?? JSON.stringify(body, null, 2));
      if (text.length > longestRule) {
        const message = `The rule has ${text.length} characters; at most ${longestRule} are allowed.`;
        throw new ServiceError('validation_error', message);
      }
      const result = reader().loadRule(text, {
        templates: templates.all().map(({ name }) => name),
        aliases: endpoints.all().flatMap(({ alias }) => alias ?? []),
      });
      if ('problems' in result) throw scenarioInvalid(result.problems);
      const { warnings } = result;
      return store.update(() => {
        const seq = store.nextSeq();
        const id = result.rule.id ?? `rule_${seq}`;
        const taken = added.get(id) !== undefined || script.scenario?.rules.some((rule) => rule.id === id) === true;
        if (taken) throw new ServiceError('name_taken', `Rule "${id}" already exists; remove it or choose another id.`);
        const rule: LoadedRule = { ...result.rule, id, source: { file: '', line: 0 } };
        added.insert({ id, seq, rule, addedAtMs: clock.now() });
        script.reload();
        return { ...show.rule({ rule, seq }, account), warnings: warnings.map(problemDetail) };
      });
    },
  },

  removeRule: ({ account: { store, script }, name: id }) => {
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
