/** What reads scenarios. A start without a scenario does not need it, so it is loaded before the first one is read. */
import type * as Load from '../reader/load.js';
import type * as Prefer from '../reader/prefer.js';

type Reader = Pick<typeof Load, 'loadScenario'> & Pick<typeof Prefer, 'parsePrefer' | 'preferRules'>;

let loaded: Reader | null = null;

export async function loadReader(): Promise<void> {
  if (loaded) return;
  const [{ loadScenario }, { parsePrefer, preferRules }] = await Promise.all([
    import('../reader/load.js'),
    import('../reader/prefer.js'),
  ]);
  loaded = { loadScenario, parsePrefer, preferRules };
}

export function reader(): Reader {
  if (loaded === null) throw new Error('The reader of scenarios is not loaded.');
  return loaded;
}
