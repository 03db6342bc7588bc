import { describe, expect, it } from 'vitest';
import { channelErrors } from '../../src/domain/channel-errors.js';
import { defaultLifecycle } from '../../src/domain/defaults.js';
import { compileLifecycle } from '../../src/scenario/engine/compile-slots.js';
import { lifecyclePresets, lifecycleSteps } from '../../src/scenario/language/lifecycles.js';

const never = () => {
  throw new Error('nothing is left to chance here');
};

describe('lifecycles', () => {
  it('calls the default of the domain happy', () => {
    expect(compileLifecycle('happy')(never)).toEqual(defaultLifecycle);
  });

  it('turns steps into a plan, the failure with name, number and sentence', () => {
    expect(compileLifecycle([{ sent: '1s' }, { failed: '1m30s', error: '131026' }])(never)).toEqual([
      { status: 'sent', offsetMs: 1000 },
      {
        status: 'failed',
        offsetMs: 90_000,
        error: { code: 'undeliverable', channelCode: 131026, message: expect.stringMatching(/\.$/) as string },
      },
    ]);
  });

  it('fails without a name as unknown_error', () => {
    expect(compileLifecycle([{ failed: '0s' }])(never)[0]?.error?.code).toBe('unknown_error');
  });

  it('orders by time, and equal times as written', () => {
    const plan = compileLifecycle([{ read: '5s' }, { delivered: '1s' }, { sent: '1s' }])(never);
    expect(plan.map(({ status }) => status)).toEqual(['delivered', 'sent', 'read']);
  });

  it('draws ranges within their ends, both included', () => {
    const compiled = compileLifecycle([{ sent: '2s..8s' }]);
    expect(compiled(() => 0)[0]?.offsetMs).toBe(2000);
    expect(compiled(() => 1 - 2 ** -32)[0]?.offsetMs).toBe(8000);
  });

  it('draws each step by its own label', () => {
    const labels: string[] = [];
    compileLifecycle([{ sent: '1s..2s' }, { read: '3s..4s' }])((label) => {
      labels.push(label);
      return 0.5;
    });
    expect(new Set(labels).size).toBe(2);
  });

  it.each(channelErrors.map(({ code, channelCode }) => [code, channelCode]))(
    '%s fails at once by name',
    (code, channelCode) => {
      expect(lifecycleSteps(code)).toEqual([{ failed: '0s', error: code }]);
      expect(lifecycleSteps(String(channelCode))).toEqual([{ failed: '0s', error: code }]);
    },
  );

  it.each(lifecyclePresets.map((preset) => [preset.name, preset]))(
    'the preset %s compiles and is described',
    (_name, preset) => {
      expect(compileLifecycle(preset.name)(never)).toHaveLength(preset.steps.length);
      expect(preset.description).toMatch(/\.$/);
    },
  );

  it('names the nearest word for an unknown one', () => {
    expect(() => compileLifecycle('hapy')).toThrow('Did you mean happy?');
  });
});
