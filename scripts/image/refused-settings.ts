/** For each variable of the settings a value that must be refused: whoever refuses it has read it. */
import { configOptionList } from '../../src/config/options.js';

const refused: Readonly<Record<string, string>> = {
  SANDBOX_PORT: '70000',
  SANDBOX_HOST: 'a b',
  SANDBOX_DATA: '/dev/null/data',
  SANDBOX_SCENARIO: 'no-such-scenario',
  SANDBOX_CLOCK: 'sundial',
  SANDBOX_API_KEYS: 'ä',
  SANDBOX_CONTROL_TOKEN: 'ä',
  SANDBOX_DIALECT: '/no/such/file.yaml',
  SANDBOX_WEBHOOK_ROUTE: 'nowhere',
  SANDBOX_WEBHOOK_TIMEOUT: 'soon',
  SANDBOX_MAX_JOURNAL: '0',
  SANDBOX_FSYNC: 'never',
  SANDBOX_LOG_LEVEL: 'loud',
  SANDBOX_LOG_FORMAT: 'xml',
  SANDBOX_ALLOWED_HOSTS: 'http://x',
};

/** Any text is a seed, so nothing can be refused; `variables.ts` looks at its effect instead. */
const anythingGoes = ['SANDBOX_RANDOM_SEED'];

/** Variable and value of each setting that can be refused. @throws Error when a setting is in neither list */
export function refusedSettings(): readonly (readonly [variable: string, value: string])[] {
  return configOptionList.flatMap(({ env: [variable = ''], argument, flag }) => {
    if (anythingGoes.includes(variable)) return [];
    const value = argument === undefined ? 'maybe' : refused[variable];
    if (value === undefined) throw new Error(`${flag} needs a line in scripts/image/refused-settings.ts: a bad value`);
    return [[variable, value] as const];
  });
}
