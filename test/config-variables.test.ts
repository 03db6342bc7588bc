import { describe, expect, it } from 'vitest';
import { configOptionList, resolveConfig } from '../src/config/index.js';

const invalid: Readonly<Record<string, string>> = {
  SANDBOX_PORT: '70000',
  SANDBOX_HOST: 'a b',
  SANDBOX_CLOCK: 'sundial',
  SANDBOX_API_KEYS: 'ä',
  SANDBOX_CONTROL_TOKEN: 'ä',
  SANDBOX_TLS_CERT: '/no/such/cert.pem',
  SANDBOX_TLS_KEY: '/no/such/key.pem',
  SANDBOX_DIALECT: '/no/such/file.yaml',
  SANDBOX_WEBHOOK_ROUTE: 'nowhere',
  SANDBOX_WEBHOOK_TIMEOUT: 'soon',
  SANDBOX_MAX_JOURNAL: '0',
  SANDBOX_FSYNC: 'never',
  SANDBOX_LOG_LEVEL: 'loud',
  SANDBOX_LOG_FORMAT: 'xml',
  SANDBOX_ALLOWED_HOSTS: 'http://x',
};
/** Any text is a seed. The other two are read as they are, and checked when the sandbox looks for what they name. */
const anyText = ['SANDBOX_RANDOM_SEED', 'SANDBOX_DATA', 'SANDBOX_SCENARIO'];

describe('an invalid value of a variable', () => {
  const settings = configOptionList
    .map(
      ({ env: [variable = ''], argument }) => [variable, argument === undefined ? 'maybe' : invalid[variable]] as const,
    )
    .filter(([variable]) => !anyText.includes(variable));

  it.each(settings)('%s=%s is rejected by name', (variable, value) => {
    expect(value, `a new setting needs an invalid value in this test`).toBeDefined();
    expect(() => resolveConfig({ env: { [variable]: value! } })).toThrow(variable);
  });
});
