/** Shows that a scenario is active, or that rules were added at run time. It pulses to attract attention. */
import { here, model } from '../core/index.js';
import { Icon } from '../parts/index.js';

export function ArmedBadge() {
  const { scenario, rules } = model.value;
  const name = scenario.value?.name ?? null;
  const count = rules.rows.length;
  if (name === null && count === 0) return null;
  const words = [
    ...(name === null ? [] : [name]),
    ...(count === 0 ? [] : [`${count} ${count === 1 ? 'rule' : 'rules'}`]),
  ];
  const title = `Responses are affected by ${words.join(' + ')}`;
  return (
    <a class="armed small-text" href={here('scenario')} title={title} aria-label={title}>
      <span class="armed-pulse" aria-hidden="true" />
      <Icon name="bolt" size={14} />
      <span class="armed-words cut">{words.join(' + ')}</span>
    </a>
  );
}
