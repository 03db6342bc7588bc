/** Who decided something, and why: a header, a rule (with a way to it), a magic number, or nobody. */
import { here } from '../core/location.js';
import type { Explain } from '../core/records.js';
import { Icon, type IconName } from './icon.js';

const drawings: Readonly<Record<Explain['by'], IconName>> = {
  header: 'requests',
  rule: 'bolt',
  magic: 'dice',
  default: 'check',
};

const deciders: Readonly<Record<Explain['by'], string>> = {
  header: 'It was asked for',
  rule: 'A rule decided',
  magic: 'A magic number or name decided',
  default: 'No rule decided',
};

export function Explanation({ explain: { by, id, file, line, text } }: { readonly explain: Explain }) {
  return (
    <div class={`explanation by-${by}`}>
      <Icon name={drawings[by]} size={16} />
      <div>
        <p class="strong">
          {deciders[by]}
          {id !== undefined && (
            <>
              {': '}
              {by === 'rule' || by === 'magic' ? (
                <a href={here('scenario', by === 'magic' ? ['magic'] : [], { rule: by === 'rule' ? id : null })}>
                  {id}
                </a>
              ) : (
                <span class="mono">{id}</span>
              )}
            </>
          )}
        </p>
        <p>{text}</p>
        {file !== undefined && (
          <p class="faint mono">
            {file}
            {line !== undefined && `:${line}`}
          </p>
        )}
      </div>
    </div>
  );
}
