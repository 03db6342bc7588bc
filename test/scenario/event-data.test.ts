/** The data that a timeline emits: refused with its place, where an event on demand with the same data is refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox.js';
import { loadScenario } from '../../src/scenario/reader/load.js';
import { newWorld } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';

function said(emit: string) {
  const result = loadScenario(`version: 1\ntimeline:\n  - { at: +1m, emit: ${emit} }\n`, { file: 'a.yaml' });
  const lines = (problems: typeof result.warnings) =>
    problems.map(({ line, column, code, path, message, suggestion = '' }) => {
      const where = path.replace('timeline[0].emit.', '');
      return `${line}:${column} ${code} ${where} ${message}${suggestion && ` → ${suggestion}`}`;
    });
  return { problems: 'problems' in result ? lines(result.problems) : [], warnings: lines(result.warnings) };
}

describe('a field that cannot stand in the event', () => {
  it.each([
    [
      '{ type: message.status, data: { status: deliverd } }',
      '3:62 wrong_data data.status In the data of message.status, status must be one of sent, delivered, read, failed. → delivered',
    ],
    [
      '{ type: message.received, data: { text: 5 } }',
      '3:62 wrong_data data.text In the data of message.received, text must be a text.',
    ],
    [
      '{ type: message.received, data: { interactive: { id: a } } }',
      '3:69 missing_key data.interactive The key "title" is missing. It must be a text.',
    ],
    [
      '{ type: message.status, data: { error: { code: a, message: b, chanel_code: 1, channel_code: 1 } } }',
      '3:84 unknown_key data.error.chanel_code Unknown key "chanel_code". → channel_code',
    ],
    [
      '{ type: otp.verified, data: { to: "0123" } }',
      '3:56 wrong_data data.to In the data of otp.verified, to must be an E.164 number: a plus sign and 7 to 15 digits, the first not 0, such as +12025550101.',
    ],
  ])('is a problem: %s', (emit, problem) => {
    expect(said(emit)).toEqual({ problems: [problem], warnings: [] });
  });

  it('may stand in an event of a type that nobody knows', () => {
    const emit = '{ type: message.status, data: { status: bogus, more: 1 }, webhook: { body: unknown_type } }';
    expect(said(emit)).toEqual({ problems: [], warnings: [] });
  });
});

describe('a field that the event does not have', () => {
  it('is a warning with the nearest word: receivers have to ignore it', () => {
    expect(said('{ type: message.status, data: { staus: read, "a b": 1 } }')).toEqual({
      problems: [],
      warnings: [
        '3:54 unknown_field data.staus The data of message.status has no field "staus"; it is sent anyway. → status',
        '3:67 unknown_field data["a b"] The data of message.status has no field "a b"; it is sent anyway.',
      ],
    });
  });
});

describe('with the same data', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startTestSandbox();
  });
  afterAll(() => sandbox.close());

  it.each([
    ['message.status', { status: 'bogus' }, 'wrong_data'],
    ['message.status', { status: 'failed', error: null }, null],
    ['message.status', { staus: 'read' }, null],
    ['message.received', { type: 'interactive', interactive: { id: 'a' } }, 'missing_key'],
    ['message.received', { from: '+12025550110', profile_name: null }, 'wrong_data'],
    ['template.status', { rejection_reason: null, language: 'pt-BR' }, null],
    ['otp.verified', { verified_at: '2026-03-01' }, 'wrong_data'],
  ])('a step of a timeline and an event on demand come to one verdict: %s %j', async (type, data, code) => {
    const world = newWorld(sandbox);
    const scenario = { version: 1, timeline: [{ at: '+1m', emit: { type, data } }] };
    const checked = await world.call('POST', '/_sandbox/scenarios/check', scenario);
    expect(checked).toMatchObject(
      code === null ? { status: 200 } : { status: 400, body: { error: { details: [{ code }] } } },
    );
    const { status } = await world.call('POST', '/_sandbox/events', { type, data });
    expect(status).toBe(code === null ? 200 : 400);
  });
});
