import { expect, it } from 'vitest';
import { eventBody } from '../../src/domain/event.js';

const event = { id: 'evt_1', type: 'otp.verified', createdAtMs: Date.UTC(2026, 2, 1, 9) } as const;

it('has the same bytes after it was stored', () => {
  const data = JSON.parse('{"b":"Grüße \\ud83d\\ude80 \\ud800","a":[1e21,-0,0.1],"2":null,"1":true}') as Record<
    string,
    unknown
  >;
  const text = eventBody({ ...event, data });
  expect(text).toMatch(/^\{"id":"evt_1","type":"otp.verified","created_at":"2026-03-01T09:00:00.000Z","data":\{/);
  expect(eventBody({ ...event, data: JSON.parse(JSON.stringify(data)) as Record<string, unknown> })).toBe(text);
});
