/** Rules in the order of precedence, each with its number of hits. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Rule } from '../../core/index.js';
import { RelativeTime, VirtualList } from '../../parts/index.js';
import { ruleWords } from './rule-words.js';

interface Props {
  readonly label: string;
  readonly rules: readonly Rule[];
  /** The id of the rule in the address. */
  readonly chosen: string | undefined;
  /** Shown next to each rule. */
  readonly action?: (rule: Rule) => ComponentChildren;
}

/** Longer lists render only the visible rules. */
const mostDrawn = 40;

export function RuleList({ label, rules, chosen, action }: Props) {
  if (rules.length > mostDrawn) {
    return (
      <div class="rules-many">
        <VirtualList
          label={label}
          rows={rules}
          keyOf={({ id }) => id}
          estimate={84}
          reveal={chosen}
          row={(rule) => <RuleRow rule={rule} current={rule.id === chosen} action={action?.(rule)} />}
        />
      </div>
    );
  }
  return (
    <ul class="rules" aria-label={label}>
      {rules.map((rule) => (
        <li key={rule.id}>
          <RuleRow rule={rule} current={rule.id === chosen} action={action?.(rule)} />
        </li>
      ))}
    </ul>
  );
}

function RuleRow({ rule, current, action }: { rule: Rule; current: boolean; action: ComponentChildren }) {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    if (current) row.current?.scrollIntoView({ block: 'center' });
  }, [current]);
  const { id, hits, last_hit: last, line } = rule;
  const { condition, effect } = ruleWords(rule);
  return (
    <article
      ref={row}
      class={`rule ruled-top top flex gap-75${hits > 0 ? ' struck' : ''}`}
      aria-label={`Rule ${id}`}
      aria-current={current ? 'true' : undefined}
    >
      <p class="rule-hits grid faint" key={hits}>
        <span class="rule-count">{hits}</span> <span class="rule-unit tiny-text">{hits === 1 ? 'hit' : 'hits'}</span>
      </p>
      <div class="fills small-text breaks">
        <p class="rule-name wraps gap-50">
          <span class="strong">{id}</span>
          {line !== undefined && <span class="faint rule-line">line {line}</span>}
        </p>
        <p class="rule-condition">{condition}</p>
        <p class="rule-effect accent-ink tiny-text">{effect}</p>
        {last && (
          <p class="faint rule-last">
            last <RelativeTime at={last.at} /> on <span class="mono">{last.subject}</span>
          </p>
        )}
      </div>
      {action}
    </article>
  );
}
