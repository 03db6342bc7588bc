/** Restarts the active scenario: its counters, its timeline and its verdict. */
import { act } from './api.js';
import type { AccountModel } from './model.js';

export async function restartScenario({ api, scenario }: AccountModel): Promise<void> {
  const active = scenario.value;
  if (!active || active.name === null) return;
  const { name, file, source } = active;
  const isFile = file !== null && file !== 'request body';
  const again =
    isFile || source === null
      ? api.put('/_sandbox/scenario', { body: { name } })
      : api.send('put', '/_sandbox/scenario', source, 'application/yaml').then(() => api.get('/_sandbox/scenario'));
  const restarted = await act(again, `${name} was restarted.`);
  if (restarted) scenario.value = restarted;
}
