import { describe, expect, it } from 'vitest';
import { defaultLifecycle } from '../../src/domain/limits.js';
import { lifecyclePlan } from '../../src/scenario/engine/effects.js';
import { lifecyclePresets } from '../../src/scenario/schema/lifecycle.js';

const never = () => {
  throw new Error('nothing is left to chance here');
};

describe('lifecycles', () => {
  it('calls the default of the domain happy', () => {
    expect(lifecyclePlan('happy', never)).toEqual(defaultLifecycle);
  });

  it('orders by time, and equal times as written', () => {
    const plan = lifecyclePlan([{ read: '5s' }, { delivered: '1s' }, { sent: '1s' }], never);
    expect(plan.map(({ status }) => status)).toEqual(['delivered', 'sent', 'read']);
  });

  it('draws ranges within their ends, both included', () => {
    const plan = (draw: () => number) => lifecyclePlan([{ sent: '2s..8s' }], draw);
    expect(plan(() => 0)[0]?.offsetMs).toBe(2000);
    expect(plan(() => 1 - 2 ** -32)[0]?.offsetMs).toBe(8000);
  });

  it('draws each step by its own label', () => {
    const labels: string[] = [];
    lifecyclePlan([{ sent: '1s..2s' }, { read: '3s..4s' }], (label) => {
      labels.push(label);
      return 0.5;
    });
    expect(new Set(labels).size).toBe(2);
  });

  it.each(lifecyclePresets.map((preset) => [preset.name, preset]))(
    'the preset %s compiles and is described',
    (_name, preset) => {
      expect(lifecyclePlan(preset.name, never)).toHaveLength(preset.steps.length);
      expect(preset.description).toMatch(/\.$/);
    },
  );

  it('names the nearest word for an unknown one', () => {
    expect(() => lifecyclePlan('hapy', never)).toThrow('Did you mean happy?');
  });
});
