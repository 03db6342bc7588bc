import { describe, expect, it } from 'vitest';
import {
  defaultDialect,
  DialectError,
  dialectOf,
  dialectSettings,
  parseDialect,
  knownSettings,
} from '../src/dialect/index.js';
import { errorTable } from '../src/domain/errors.js';
import { objectsOf, operationsOf, readApiDocument } from './support/openapi-document.js';

const known = `Known are ${knownSettings()}.`;

/** The problems of a bad file, as `line:column message`. */
function problemsOf(text: string): string[] {
  try {
    parseDialect(text, 'd.yaml');
  } catch (error) {
    if (!(error instanceof DialectError)) throw error;
    expect(error.message.split('\n')[0]).toMatch(/^d\.yaml:\d+:\d+: /);
    return error.problems.map((problem) => `${problem.line}:${problem.column} ${problem.message}`);
  }
  return [];
}

describe('parseDialect', () => {
  it.each(['', '# nothing\n', '{}', 'http: {}', '---\n'])('keeps the defaults for %j', (text) => {
    expect(parseDialect(text, 'd.yaml')).toEqual(defaultDialect);
  });

  it('reads nested keys', () => {
    const text = 'http: { created: 201 }\nerrors:\n  envelope: flat\n  status: { otp_expired: 400 }\n';
    expect(parseDialect(`${text}otp: { lock: same_call }\nwebhooks: { extra_headers: false }`, 'd.yaml')).toEqual({
      ...defaultDialect,
      http: { ...defaultDialect.http, created: 201 },
      errors: { envelope: 'flat', status: { otp_expired: 400 }, codes: {} },
      otp: { lock: 'same_call' },
      webhooks: { ...defaultDialect.webhooks, extra_headers: false },
    });
  });

  it('reads dotted keys, and half-dotted ones', () => {
    const dialect = parseDialect(
      'http.created: 201\nerrors:\n  status.send_failed: 422\nerrors.status: { otp_expired: 404 }',
      'd',
    );
    expect(dialect.http.created).toBe(201);
    expect(dialect.errors.status).toEqual({ send_failed: 422, otp_expired: 404 });
  });

  it.each([
    ['http: { creatd: 201 }', `1:9 unknown setting http.creatd. Did you mean http.created? ${known}`],
    [
      'errors.status.otp_expird: 400',
      `1:1 unknown setting errors.status.otp_expird. Did you mean errors.status.otp_expired? ${known}`,
    ],
    [
      'errors.status.limit_reached: 400',
      `1:1 unknown setting errors.status.limit_reached. Did you mean errors.codes.limit_reached? ${known}`,
    ],
    ['http.created: "201"', '1:15 http.created: found "201"; allowed: 200 or 201.'],
    ['http.deleted: 200', '1:1 http.deleted contains further settings; found 200. Write http.deleted: { … }.'],
    ['templates.echo_buttons: true', `1:1 unknown setting templates.echo_buttons. ${known}`],
    ['webhooks.pause: endpoint', `1:1 unknown setting webhooks.pause. Did you mean webhooks.resume? ${known}`],
    ['errors.envelope: [nested]', '1:18 errors.envelope: found a list; allowed: "nested" or "flat".'],
    ['webhooks.extra_headers: no', '1:25 webhooks.extra_headers: found "no"; allowed: true or false.'],
    [
      'errors.status.otp_expired: 200',
      '1:28 errors.status.otp_expired: found 200; allowed: a whole number from 400 to 599.',
    ],
    ['otp: same_call', '1:1 otp contains further settings; found "same_call". Write otp: { … }.'],
    ['otp: { lock: }', '1:14 otp.lock: found null; allowed: "next_call" or "same_call".'],
    [
      'http.created: 201\nhttp: { created: 200 }',
      '2:9 http.created is set twice, nested and dotted; keep one of them.',
    ],
    ['- http.created', '1:1 a dialect is a mapping such as "http.created: 201"; found a list.'],
    ['a: &a { b: 1 }\nhttp: *a', '2:1 http contains further settings; found the alias *a. Write http: { … }.'],
    ['__proto__: { x: 1 }', `1:1 unknown setting __proto__. ${known}`],
  ])('refuses %j with its place and what is allowed', (text, problem) => {
    expect(problemsOf(text)).toContain(problem);
  });

  it('names every problem at once, in the order of the file', () => {
    const places = problemsOf('otp.lock: never\nhttp:\n  created: 2\n  color: red\notp.look: 1').map(
      (p) => p.split(' ')[0],
    );
    expect(places).toEqual(['1:11', '3:12', '4:3', '5:1']);
  });

  it('tells unreadable YAML and repeated keys with their place', () => {
    expect(problemsOf('http: {')[0]).toMatch(/^1:\d+ invalid YAML: /);
    expect(problemsOf('otp.lock: next_call\notp.lock: same_call')[0]).toMatch(/^2:1 invalid YAML: .*unique/);
    expect(problemsOf('otp.lock: next_call\n---\nhttp.created: 200')[0]).toMatch(/invalid YAML/);
  });
});

it('has the defaults of its description', () => {
  expect(dialectOf({})).toEqual(defaultDialect);
});

it('has the first allowed value of each setting by default', () => {
  for (const { key, allowed } of dialectSettings()) {
    if (allowed.length > 0)
      expect(parseDialect(`${key}: ${String(allowed[0])}`, 'd.yaml'), key).toEqual(defaultDialect);
  }
});

describe('the documents', () => {
  const document = readApiDocument();
  const settings = dialectSettings().map((setting) => setting.key);

  it('marks every setting in openapi.yaml, and no other', () => {
    const marked = [...objectsOf(document)].flatMap(({ object }) =>
      'x-setting' in object ? String(object['x-setting']).split(', ') : [],
    );
    expect([...new Set(marked)].sort()).toEqual([...settings].sort());
  });

  it('shows every error code of the API under its status, in an example too', () => {
    const shown = new Set<string>();
    const exampled = new Set<string>();
    for (const { responses } of operationsOf(document)) {
      for (const [status, { 'x-error-codes': codes = [], content }] of responses) {
        for (const code of codes as string[]) {
          shown.add(`${code} ${status}`);
          if (JSON.stringify(content).includes(`{"code":"${code}","message":`)) exampled.add(code);
        }
      }
    }
    const table = Object.entries(errorTable).flatMap(([code, row]) =>
      row.plane === 'control' ? [] : `${code} ${row.status}`,
    );
    expect([...shown].sort()).toEqual(table.sort());
    expect(exampled.size).toBe(table.length);
  });
});
