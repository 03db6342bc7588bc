import { describe, expect, it } from 'vitest';
import { refusedSettings } from '../../scripts/image/refused-settings.js';
import { configOptionList, resolveConfig } from '../../src/config/index.js';

describe('what the check of the image tries', () => {
  it('is every variable but the seed, which takes anything', () => {
    const tried = new Set(refusedSettings().map(([variable]) => variable));
    const left = configOptionList.map(({ env }) => env[0]).filter((variable = '') => !tried.has(variable));
    expect(left).toStrictEqual(['SANDBOX_RANDOM_SEED']);
  });

  // These two are read as they are, and judged when the sandbox looks for what they name.
  const later = ['SANDBOX_DATA', 'SANDBOX_SCENARIO'];
  it.each(refusedSettings().filter(([variable]) => !later.includes(variable)))(
    '%s=%s is refused',
    (variable, value) => {
      expect(() => resolveConfig({ env: { [variable]: value } })).toThrow(variable);
    },
  );
});
