import { describe, expect, it } from 'vitest';
import type { JournalRequest, Otp, Template } from '../../src/ui/page/core/records.js';
import { chosenCodes, grouped, lifeLeft, stateAt } from '../../src/ui/page/panels/codes/code.js';
import { bodyText, lostBytes, madeBy, subjectOf } from '../../src/ui/page/panels/requests/call.js';
import { everything, isFiltered, RequestFilter, type Wanted } from '../../src/ui/page/panels/requests/filter.js';
import { decisionsFor, deskLines, keyOfLine } from '../../src/ui/page/panels/templates/queue.js';
import { filledPieces, sampleValues, variableCount } from '../../src/ui/page/panels/templates/sample.js';

const at = '2026-03-01T09:00:00.000Z';
const atMs = Date.parse(at);

const template = (seq: number, fields: Partial<Template> = {}) =>
  ({
    id: `t-${seq}`,
    seq,
    name: `name_${seq}`,
    category: 'utility',
    language: 'en',
    body: 'Hi',
    text: 'Hi',
    status: 'pending',
    ...fields,
  }) as Template;

function otp(seq: number, fields: Partial<Otp> = {}): Otp {
  const about = { otp_id: `o-${seq}`, seq, to: `+1202555015${seq}`, template: 'login_code' };
  return { ...about, state: 'active', created_at: at, expires_at: '2026-03-01T09:05:00.000Z', ...fields } as Otp;
}

function request(seq: number, fields: Partial<JournalRequest> = {}): JournalRequest {
  const call = { id: `req_${seq}`, seq, operation: 'sendMessage', method: 'POST', path: '/v1/messages', status: 200 };
  const sides = { request: { headers: {}, body: null }, response: { headers: {}, body: null } };
  return { ...call, ...sides, warnings: [], ...fields } as unknown as JournalRequest;
}

describe('the reviewer’s desk', () => {
  const all = [
    template(1, { status: 'approved', text: 'Order {{1}} left' }),
    template(2),
    template(3, { status: 'rejected' }),
    template(4, { status: 'approved', language: 'fr' }),
    template(5),
  ];

  it('has who waited longest on top, then the newest of each state', () => {
    expect(deskLines(all, '').map(keyOfLine)).toStrictEqual([
      'pending',
      't-2',
      't-5',
      'approved',
      't-4',
      't-1',
      'rejected',
      't-3',
    ]);
  });

  it.each([
    ['ORDER', ['approved', 't-1']],
    ['fr', ['approved', 't-4']],
    ['name_5', ['pending', 't-5']],
    ['nothing', []],
  ])('finds %s', (search, keys) => {
    expect(deskLines(all, search).map(keyOfLine)).toStrictEqual(keys);
  });

  it('offers what the sandbox would take', () => {
    const offered = (['pending', 'approved', 'paused', 'rejected', 'deleted'] as const).map((state) =>
      decisionsFor(state).map(({ to }) => to),
    );
    expect(offered).toStrictEqual([
      ['approved', 'rejected', 'deleted'],
      ['paused', 'deleted'],
      ['approved', 'deleted'],
      ['deleted'],
      [],
    ]);
  });
});

describe('the preview', () => {
  it('fills values in, and leaves the placeholder where none is given', () => {
    expect(filledPieces('Hi {{1}}, {{2}}{{1}}!', ['Ada', ''])).toStrictEqual([
      { text: 'Hi ', variable: null },
      { text: 'Ada', variable: 1 },
      { text: ', ', variable: null },
      { text: '{{2}}', variable: 2 },
      { text: 'Ada', variable: 1 },
      { text: '!', variable: null },
    ]);
    expect(filledPieces('Plain {{x}} words', [])).toStrictEqual([{ text: 'Plain {{x}} words', variable: null }]);
  });

  it('needs as many values as the highest placeholder says', () => {
    expect([variableCount('a'), variableCount('{{2}} {{1}} {{2}}')]).toStrictEqual([0, 2]);
  });

  it('begins with samples that read like a message', () => {
    const text = 'Hello {{1}}, order {{2}} comes at {{3}} with {{4}}.';
    expect(sampleValues({ text, category: 'utility' })).toStrictEqual(['Ada', '1042', '09:30', 'sample 4']);
    expect(sampleValues({ text: '{{1}} is it.', category: 'authentication' })).toStrictEqual(['482913']);
  });
});

describe('a one-time code', () => {
  it('expires at its instant exactly, unless something else became of it', () => {
    const end = Date.parse('2026-03-01T09:05:00.000Z');
    expect([stateAt(otp(1), end - 1), stateAt(otp(1), end), stateAt(otp(1), null)]).toStrictEqual([
      'active',
      'expired',
      'active',
    ]);
    expect(stateAt(otp(1, { state: 'verified' }), end)).toBe('verified');
  });

  it('has a life that runs out', () => {
    expect([-1000, 0, 150_000, 300_000, 400_000].map((ms) => lifeLeft(otp(1), atMs + ms))).toStrictEqual([
      1, 1, 0.5, 0, 0,
    ]);
    expect(lifeLeft(otp(1, { expires_at: at }), atMs)).toBe(0);
  });

  it('is found by digits of its number, as people write them, or by its template', () => {
    const all = [otp(1), otp(2, { template: 'reset_code' }), otp(3)];
    const found = (search: string) => chosenCodes(all, search).map(({ seq }) => seq);
    expect([found(''), found('(202) 555-0152'), found('reset'), found('999')]).toStrictEqual([[3, 2, 1], [2], [2], []]);
  });

  it.each([
    ['0420', ['0420']],
    ['042042', ['042', '042']],
    ['1234567', ['1234', '567']],
    ['12345678', ['1234', '5678']],
  ])('%s is read in groups', (code, groups) => {
    expect(grouped(code)).toStrictEqual(groups);
  });
});

describe('the journal’s filter', () => {
  const all = [
    request(1, { request: { headers: { 'x-note': 'Grüße "A"' }, body: { to: '+12025550110' } } }),
    request(2, { operation: 'verifyOtp', path: '/v1/otp/verify', status: 429, error: 'otp_max_attempts' }),
    request(3, { operation: null, method: 'GET', path: '/v1/nothing', status: 404 }),
    request(4, { operation: 'sendOtp', path: '/v1/otp/send', status: null, response: null, fault: 'reset' }),
  ];
  const found = (wanted: Partial<Wanted>) =>
    new RequestFilter({ ...everything, ...wanted }).chosen(all).map(({ seq }) => seq);

  it('is no choice as long as nothing but spaces is typed', () => {
    expect([isFiltered(everything), isFiltered({ ...everything, q: '  ' })]).toEqual([false, false]);
    expect(isFiltered({ ...everything, q: ' a' })).toBe(true);
  });

  it.each<[Partial<Wanted>, number[]]>([
    [{}, [4, 3, 2, 1]],
    [{ q: '+1202555' }, [1]],
    [{ q: 'grüße "a"' }, [1]],
    [{ q: 'MAX_ATTEMPTS' }, [2]],
    [{ q: 'req_3' }, [3]],
    [{ operation: 'verifyOtp' }, [2]],
    [{ operation: 'none' }, [3]],
    [{ status: '4xx' }, [3, 2]],
    [{ status: 'none' }, [4]],
    [{ path: 'otp' }, [4, 2]],
    [{ path: '/v1/otp/*' }, [4, 2]],
    [{ path: '/v1/*/send' }, [4]],
    [{ path: '*v1*o*' }, [4, 3, 2]],
    [{ path: '/v1/otp/send*send' }, []],
    [{ path: '/v1/*end*nd' }, []],
    [{ path: 'otp', status: '4xx' }, [2]],
  ])('%j', (wanted, seqs) => {
    expect(found(wanted)).toStrictEqual(seqs);
  });
});

describe('a call of the journal', () => {
  const sides = (body: unknown, length?: number) => ({
    headers: { ...(length !== undefined && { 'content-length': String(length) }) },
    body,
  });

  it.each([
    [sides({ a: 1 }), '{"a":1}'],
    [sides('no json', 7), 'no json'],
    [sides('ü', 4), '"ü"'],
    [sides(null), null],
    [sides(null, 4), 'null'],
    [sides(null, 9), null],
    [sides(0, 1), '0'],
  ])('%j had the body %j', (side, text) => {
    expect(bodyText(side)).toBe(text);
  });

  it('may have lost a body that was no JSON', () => {
    expect([lostBytes(sides(null, 9)), lostBytes(sides({ a: 1 }, 7)), lostBytes(sides(null))]).toStrictEqual([9, 0, 0]);
  });

  it('is about somebody or something', () => {
    const about = (body: unknown, path = '/v1/messages') => subjectOf(request(1, { path, request: sides(body) }));
    expect([
      about({ to: '+1' }),
      about({ to: ['+1'] }),
      about({ to: ['+1', '+2'] }),
      about({ name: 'a' }),
      about({ otp_id: 'o', code: '1' }),
      about(null, '/v1/messages/m%201'),
      about({ to: 5 }),
    ]).toStrictEqual(['+1', '1 recipient', '2 recipients', 'a', 'o', 'm 1', '']);
  });

  it('leads to what it made', () => {
    const taken = (operation: string, asked: unknown, answer: unknown, status = 200) =>
      madeBy(request(1, { operation, status, request: sides(asked), response: sides(answer) })).map(({ panel, path }) =>
        [panel, ...path].join('/'),
      );
    const results = [
      { to: '+1', ok: true, message_id: 'a' },
      { to: '+2', ok: false },
    ];
    expect([
      taken('sendMessage', { to: '+1' }, { message_id: 'm' }),
      taken('sendMessage', { to: ['+1', '+2'] }, { results }),
      taken('sendMessage', { to: '+1' }, { error: {} }, 400),
      taken('sendOtp', {}, { otp_id: 'o' }),
      taken('verifyOtp', { otp_id: 'o' }, { valid: true }),
      taken('verifyOtp', { otp_id: 'o' }, { error: {} }, 404),
      taken('createTemplate', {}, { template_id: 't' }),
      taken('createWebhook', {}, { webhook_id: 'w' }),
      taken('createWebhook', {}, 'garbage'),
      taken('listTemplates', null, { templates: [] }),
    ]).toStrictEqual([
      ['handset/+1/m'],
      ['handset/+1/a'],
      [],
      ['codes/o'],
      ['codes/o'],
      [],
      ['templates/t'],
      ['webhooks/endpoints/w'],
      [],
      [],
    ]);
  });
});
