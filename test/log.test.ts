import { describe, expect, it } from 'vitest';
import { createLog, LOG_LEVELS } from '../src/log.js';
import type { LogSettings } from '../src/log.js';

const at = Date.UTC(2026, 2, 1, 9, 30, 0, 5);

function capture(settings: Partial<LogSettings>): { log: ReturnType<typeof createLog>; lines: string[] } {
  const lines: string[] = [];
  const log = createLog({
    level: 'info',
    format: 'pretty',
    host: { now: () => at },
    write: (line) => lines.push(line),
    ...settings,
  });
  return { log, lines };
}

describe('the log', () => {
  it.each(LOG_LEVELS)('at level %s writes that level and what matters more', (level) => {
    const { log, lines } = capture({ level, format: 'json' });
    log.debug('d');
    log.info('i');
    log.warn('w');
    log.error('e');
    const order = ['debug', 'info', 'warn', 'error'];
    const expected = level === 'silent' ? [] : order.slice(order.indexOf(level));
    expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toStrictEqual(expected);
  });

  it('writes a JSON object per line, with the time handed in, whatever the fields are called', () => {
    const { log, lines } = capture({ format: 'json' });
    log.info('sent', { level: 'forged', port: 4242, skipped: undefined });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toStrictEqual({
      time: '2026-03-01T09:30:00.005Z',
      level: 'info',
      text: 'sent',
      port: 4242,
    });
  });

  it('writes a readable line, with odd values quoted', () => {
    const { log, lines } = capture({});
    log.warn('set aside', { file: 'a b.json', bytes: 12, error: new Error('broken pipe') });
    expect(lines).toStrictEqual(['09:30:00.005Z warn  set aside file="a b.json" bytes=12 error="broken pipe"\n']);
  });

  it('survives a field that no JSON can hold', () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    const { log, lines } = capture({ format: 'json' });
    log.error('odd', { loop, big: 10n });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ text: 'odd', big: '10n', loop: '<ref *1> { self: [Circular *1] }' });
  });

  it('shows stacks only when debugging', () => {
    const error = new Error('why');
    const quiet = capture({ format: 'json' });
    quiet.log.error('failed', { error });
    expect(quiet.lines[0]).not.toContain('log.test');
    const talkative = capture({ format: 'json', level: 'debug' });
    talkative.log.error('failed', { error });
    expect(talkative.lines[0]).toContain('log.test');
  });

  it('colours only the level, and only when asked', () => {
    const { log, lines } = capture({ colour: true });
    log.error('no');
    expect(lines[0]).toBe('09:30:00.005Z \u001b[31merror\u001b[0m no\n');
  });
});
