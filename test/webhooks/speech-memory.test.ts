import { describe, expect, it } from 'vitest';
import { SpeechMemory } from '../../src/webhooks/sender/protocol-cache.js';
import type { Speech } from '../../src/webhooks/sender/tls-probe.js';

/** A probe with a counter, so that a test can tell asking from remembering. */
function countedProbe(speech: Speech = 'plain') {
  const probe = Object.assign(
    () => {
      probe.asked += 1;
      return Promise.resolve(speech);
    },
    { asked: 0 },
  );
  return probe;
}

describe('SpeechMemory', () => {
  it('shares one probe among those who ask at the same time, and remembers it', async () => {
    const memory = new SpeechMemory();
    const probe = countedProbe();
    expect(await Promise.all([memory.recall('a', probe), memory.recall('a', probe)])).toEqual(['plain', 'plain']);
    await memory.recall('a', probe);
    expect(probe.asked).toBe(1);
    memory.forget('a');
    await memory.recall('a', probe);
    expect(probe.asked).toBe(2);
  });

  it('does not remember a probe that failed', async () => {
    const memory = new SpeechMemory();
    await expect(memory.recall('a', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(memory.knows('a')).toBe(false);
  });

  it('stays bounded, forgetting the origin it learnt first', async () => {
    const memory = new SpeechMemory();
    const probe = countedProbe();
    for (let i = 0; i <= 1_000; i += 1) await memory.recall(`origin ${i}`, probe);
    expect(memory.knows('origin 0')).toBe(false);
    expect(memory.knows('origin 1')).toBe(true);
    expect(memory.knows('origin 1000')).toBe(true);
  });
});
