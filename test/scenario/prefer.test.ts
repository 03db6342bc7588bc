import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePrefer } from '../../src/reader/prefer.js';
import { cases } from '../support/property.js';

describe('X-Sandbox-Prefer', () => {
  it.each([
    ['status=429; retry_after=2s', { respond: { status: 429, retry_after: '2s' } }],
    ['lifecycle=blocked', { lifecycle: 'blocked' }],
    ['lifecycle=131026', { lifecycle: '131026' }],
    [
      'status=503;code=unavailable;message="Later; please"',
      { respond: { status: 503, code: 'unavailable', message: 'Later; please' } },
    ],
    ['fault_real=hang; accept=true', { respond: { fault_real: 'hang', accept: true } }],
    ['refuse=recipient_opted_out', { refuse: { code: 'recipient_opted_out' } }],
    ['review=reject; after=2h; reason=No', { review: { status: 'rejected', after: '2h', because: 'No' } }],
    ['otp_code=042042; attempts=1; expires=30s', { otp: { code: '042042', attempts: 1, expires: '30s' } }],
    ['inbound=1=1', { inbound: { text: '1=1' } }],
    ['window=open;', { window: 'open' }],
  ])('%s', (header, slots) => {
    expect(parsePrefer(header)).toEqual({ slots });
  });

  it.each([
    ['stats=429', 'Did you mean "status"?'],
    ['status', 'status: The value is missing'],
    ['status=abc', 'Found the text "abc"'],
    ['status=429; status=430', 'Duplicate key "status"'],
    ['lifecycle=hapy', 'Did you mean "happy"?'],
    ['retry_after=2', 'Did you mean "2s"?'],
    ['review=maybe', 'Allowed: approve, reject, never'],
    ['otp_code=12', '4 to 8 digits'],
    ['', 'is empty'],
    ['__proto__=1', 'The key "__proto__" is not allowed'],
    ['message=a\r\nSet-Cookie: b', 'printable ASCII'],
    [`message=${'x'.repeat(2000)}`, 'at most 1024'],
  ])('%j is refused: %s', (header, text) => {
    const result = parsePrefer(header);
    expect('problems' in result ? result.problems.join('\n') : result).toContain(text);
  });

  it('reports everything wrong at once', () => {
    const result = parsePrefer('stats=429; lifecycl=happy; window=ajar');
    expect('problems' in result && result.problems).toHaveLength(3);
    const values = parsePrefer('status=1; window=ajar');
    expect('problems' in values && values.problems).toHaveLength(2);
  });

  it('never throws, and never lets a control character through', () => {
    const pieces = fc.constantFrom(' ', '\r', '\n', ...'status lifecycle = ; " 429 happy x { \\ : # &a *a'.split(' '));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces, { maxLength: 20 }).map((parts) => parts.join('')),
        ),
        (header) => {
          const result = parsePrefer(header);
          if ('slots' in result) expect(JSON.stringify(result.slots)).not.toMatch(/\\[rn]|\\u00/);
          else expect(result.problems.length).toBeGreaterThan(0);
        },
      ),
      { seed: 5, numRuns: cases(500) },
    );
  });
});
