import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { act, ApiError, draft, model, type Rule, toast, useRead, yaml } from '../../core/index.js';
import { AreaField, Button, Card, submits, Time } from '../../parts/index.js';
import { ProblemList, type Problem, problemsOf } from './problems.js';

interface Props {
  readonly rules: readonly Rule[];
  readonly chosen: string | undefined;
  readonly action?: (rule: Rule) => ComponentChildren;
}

export function RuleRows({ rules, chosen, action }: Props) {
  return (
    <ul class="rows tall">
      {rules.map((rule) => (
        <RuleRow key={rule.id} rule={rule} current={rule.id === chosen} action={action?.(rule)} />
      ))}
    </ul>
  );
}

function RuleRow({ rule, current, action }: { rule: Rule; current: boolean; action: ComponentChildren }) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (current) row.current?.scrollIntoView({ block: 'center' });
  }, [current]);
  const { id, hits, last_hit: last, line } = rule;
  const { condition, effect } = ruleWords(rule);
  return (
    <li ref={row} aria-current={current ? 'true' : undefined}>
      <p class="first figures">
        <span class={hits > 0 ? 'strong' : 'soft'}>{hits}</span> <span class="soft">{hits === 1 ? 'hit' : 'hits'}</span>
      </p>
      <div class="breaks grow">
        <p>
          <span class="strong">{id}</span> {line !== undefined && <span class="soft">line {line}</span>}
        </p>
        <p class="mono soft">{condition}</p>
        <p class="mono">{effect}</p>
        {last && (
          <p class="soft">
            last <Time at={last.at} as="relative" /> on <span class="mono">{last.subject}</span>
          </p>
        )}
      </div>
      {action}
    </li>
  );
}

const example = `when: message.send
pick: { calls: 1 }
then: { respond: { status: 503, retry_after: 2s } }
`;

export function AddedRules({ chosen }: { chosen: string | undefined }) {
  const { api, key } = model.value;
  const text = draft(`scenario-rule/${key}`, example);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const rules =
    useRead('rules added', () => api.get('/_sandbox/rules', { query: { limit: 1000, order: 'desc' } }), [
      'rule',
      'scenario',
    ]).value?.items ?? [];
  const add = async () => {
    try {
      await api.post('/_sandbox/rules', yaml(text.value));
      setProblems([]);
      text.value = example;
      toast('good', 'The rule is active and takes precedence over all others.');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const found = problemsOf(error);
      setProblems(found);
      if (found.length === 0) toast('bad', error.message);
    }
  };
  const remove = ({ id }: Rule) => (
    <Button
      kind="low"
      aria-label={`Remove ${id}`}
      onClick={() => void act(api.delete('/_sandbox/rules/{id}', { path: { id } }))}
      words="Remove"
    />
  );
  return (
    <Card title="Rules added by hand">
      {rules.length > 0 && <RuleRows rules={rules} chosen={chosen} action={remove} />}
      <details class="more">
        <summary>Add a rule</summary>
        <form class="stack" onSubmit={submits(add)}>
          <AreaField
            label="A new rule, in YAML"
            hint="One rule, as in a scenario file, without the leading dash."
            class="mono"
            rows={4}
            spellcheck={false}
            autocapitalize="off"
            value={text.value}
            onText={(next) => {
              text.value = next;
              setProblems([]);
            }}
          />
          <ProblemList problems={problems} />
          <p>
            <Button kind="low" type="submit" words="Add rule" />
          </p>
        </form>
      </details>
    </Card>
  );
}

/** Writes a rule in the flow style of a scenario file: `message.send where phone +1415*`, `respond status 503`. */
function ruleWords({ when, match, pick, per, active, then }: Rule) {
  const hooks = Array.isArray(when) ? when.join(' or ') : when;
  const parts = [
    hooks,
    ...(match === undefined ? [] : [`where ${entries(match)}`]),
    ...(pick === undefined ? [] : [`pick ${entries(pick)}`]),
    ...(per === undefined ? [] : [`per ${flow(per)}`]),
    ...(active === undefined ? [] : [`active ${entries(active)}`]),
  ];
  return { condition: parts.join(' · '), effect: entries(then) };
}

export function entries(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return flow(value);
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${flow(inner)}`)
    .join(', ');
}

function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? value : JSON.stringify(value);
  return `{ ${entries(value)} }`;
}
