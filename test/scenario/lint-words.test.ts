import { describe, expect, it } from 'vitest';
import { defaultDialect } from '../../src/dialect/index.js';
import { documentsOf } from '../../src/documents.js';
import type { errorTable } from '../../src/domain/errors.js';
import { hookOf, operationIdOf } from '../../src/scenario/language/operation-names.js';
import { errorCodes } from '../../src/scenario/language/respond.js';
import { wordsOfField } from '../../src/scenario/language/expectations.js';
import { loadScenario } from '../../src/scenario/reader/load.js';

/** Each warning of one rule or expectation, as its kind, where it stands, and what was meant. */
function warningsOf(part: 'rules' | 'expect', entry: string, more = ''): string[] {
  const result = loadScenario(`version: 1\n${part}:\n  - ${entry}\n${more}`, { file: 'a.yaml' });
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.warnings.map(({ code, path, suggestion }) => {
    const where = path.replace(`${part}[0].`, '');
    return suggestion === undefined ? `${code} ${where}` : `${code} ${where} → ${suggestion}`;
  });
}

const slots: Record<string, string> = {
  'message.send': '{ inbound: { text: a } }',
  'webhook.deliver': '{ webhook: { drop: true } }',
  'template.review': '{ review: { approve: true } }',
};

describe('a value that is never there', () => {
  it.each([
    ['webhook.deliver', 'event: message.stats', ['match.event → message.status']],
    ['webhook.deliver', 'attempt: two', ['match.attempt']],
    ['webhook.deliver', 'attempt: 0', ['match.attempt']],
    ['webhook.deliver', 'status: deliverd', ['match.status → delivered']],
    ['message.send', 'type: txt', ['match.type → text']],
    ['message.send', 'type: [text, imgae]', ['match.type[1] → image']],
    ['message.send', 'type: { equals: txt }', ['match.type']],
    ['message.send', 'type: "temp_*"', ['match.type']],
    ['message.send', 'type: /^T/', ['match.type']],
    ['message.send', 'category: utilty', ['match.category → utility']],
    ['message.send', 'not: { type: txt }', ['match.not.type → text']],
    ['message.send', 'any: [{ type: text }, { type: txt }]', ['match.any[1].type → text']],
    ['message.get', 'status: deliverd', ['match.status → delivered']],
    ['template.get', 'status: aproved', ['match.status → approved']],
    ['template.review', 'category: Marketing', ['match.category → marketing']],
    ['template.create', 'name: Order_Shipped', ['match.name → order_shipped']],
    ['template.get', 'name: [order_shipped, order-shipped]', ['match.name[1] → order_shipped']],
    ['template.review', 'name: { equals: 1st }', ['match.name.equals']],
    [
      'template.review',
      'not: { name: "promo *", category: utility }, any: [{ name: Rabatt }]',
      ['match.any[0].name → rabatt'],
    ],
    ['webhook.create', 'events: messages.status', ['match.events → message.status']],
    ['api.any', 'method: get', ['match.method → GET']],
    ['api.any', 'status: 600', ['match.status']],
    ['otp.send', 'length: 12', ['match.length']],
    ['otp.verify', 'length: { min: 9 }', ['match.length']],
  ])('at %s, { %s }', (hook, match, expected) => {
    const then = slots[hook] ?? '{ respond: { status: 500 } }';
    const found = warningsOf('rules', `{ when: ${hook}, match: { ${match} }, then: ${then} }`);
    expect(found).toEqual(expected.map((each) => `never_fits ${each}`));
  });

  it.each([
    ['webhook.deliver', 'event: "message.*", attempt: [1, { min: 2 }], status: /^(read|failed)$/'],
    ['webhook.deliver', 'event: template.status, status: approved'],
    ['template.create', 'name: [order_shipped, "Promo*", /^Promo/, { not: Promo }]'],
    ['message.send', 'type: { not: text }, category: { missing: true }'],
    ['message.send', 'type: [text, "*"], category: "*ing"'],
    ['api.any', 'method: P*, status: [4xx, 503], path: /v1/otp/abc'],
    ['otp.send', 'length: { max: 4 }'],
    ['message.send', 'type: "i*", text: yes'],
    ['message.send', 'type: text, variables: { "1": { missing: true } }, template: { missing: true }'],
  ])('but not at %s, { %s }, which something fits', (hook, match) => {
    const then = slots[hook] ?? '{ respond: { status: 500 } }';
    expect(warningsOf('rules', `{ when: ${hook}, match: { ${match} }, then: ${then} }`)).toEqual([]);
  });
});

describe('conditions that exclude each other', () => {
  it.each([
    ['message.send', 'type: text, language: en', ['match.language']],
    ['message.send', 'type: image, text: hi, batch: true', ['match.batch', 'match.text']],
    ['message.get', 'type: [text, image], template: "promo_*"', ['match.template']],
    ['webhook.deliver', 'event: otp.verified, status: read, type: text', ['match.status', 'match.type']],
    ['webhook.deliver', 'event: template.status, to: +12025550150', ['match.to']],
  ])('at %s, { %s }', (hook, match, expected) => {
    const then = slots[hook] ?? '{ respond: { status: 500 } }';
    const found = warningsOf('rules', `{ when: ${hook}, match: { ${match} }, then: ${then} }`);
    expect(found.toSorted()).toEqual(expected.map((each) => `never_fits ${each}`));
  });
});

it.each([
  ['{ after: 3, first: 2 }', false],
  ['{ after: 3, first: 4 }', true],
  ['{ nth: 5, between: [2, 4] }', false],
  ['{ nth: 5, every: 2 }', false],
  ['{ every: 3, between: [4, 5] }', false],
  ['{ every: 3, between: [4, 6] }', true],
  ['{ chance: 0% }', false],
  ['{ chance: 0.0% }', false],
  ['{ chance: 1%, every: 2 }', true],
])('a rule that picks %s can act: %s', (pick, can) => {
  const found = warningsOf('rules', `{ when: message.send, pick: ${pick}, then: { inbound: { text: a } } }`);
  expect(found).toEqual(can ? [] : ['never_picked pick']);
});

it.each([
  ['/refund/q', '/refund/'],
  ['/refund/iq', '/refund/i'],
  ['/refund/i', null],
  ['/a/path', null],
  ['{ equals: /refund/q }', null],
])('text: %s, a regular expression as it seems, means %s', (text, meant) => {
  const found = warningsOf('rules', `{ when: message.send, match: { text: ${text} }, then: { inbound: { text: a } } }`);
  expect(found).toEqual(meant === null ? [] : [`unknown_regex_flag match.text → ${meant}`]);
});

describe('an expectation of what there never is', () => {
  const more = [
    'rules:',
    '  - { id: forge, when: webhook.deliver, then: { webhook: { signature: missing } } }',
    '  - { id: busy, when: otp.send, then: { respond: { status: 503, code: too_busy } } }',
    '  - { id: own, when: otp.verify, then: { respond: { status: 503, body: { error: { code: my_own } } } } }',
    '  - { id: entry, when: message.send, then: { refuse: { code: not_today, message: Later. } } }',
    'given: { templates: [{ name: order_shipped, category: utility, language: en, body: Hi }] }',
  ].join('\n');

  it.each([
    ['requests', 'operation: otp.verfy', 'operation → otp.verify'],
    ['requests', 'operation: verifyOtp', 'operation → otp.verify'],
    ['requests', 'error: otp_max_attemps', 'error → otp_max_attempts'],
    ['requests', 'error: [too_bussy]', 'error[0] → too_busy'],
    ['requests', 'method: post', 'method → POST'],
    ['otps', 'state: lockd', 'state → locked'],
    ['events', 'type: message.stats', 'type → message.status'],
    ['attempts', 'rule: forged', 'rule → forge'],
    ['attempts', 'event: message.stats', 'event → message.status'],
    ['deliveries', 'state: droped', 'state → dropped'],
    ['webhooks', 'status: pausd', 'status → paused'],
    ['messages', 'status: deliverd', 'status → delivered'],
    ['messages', 'error: undeliverabel', 'error → undeliverable'],
    ['messages', 'direction: in', 'direction'],
    ['templates', 'status: aproved', 'status → approved'],
  ])('in %s, { %s }', (that, where, expected) => {
    const found = warningsOf('expect', `{ at: finish, that: ${that}, where: { ${where} }, max: 0 }`, more);
    expect(found).toEqual([`never_fits where.${expected}`]);
  });

  it.each([
    ['messages', 'to: 12025550113', 'number_without_plus where.to → +12025550113'],
    ['messages', 'to: ["+1 202 555 0113"]', 'number_with_separators where.to[0] → +12025550113'],
    ['events', 'from: +12025551234', 'number_not_fictional where.from'],
    ['messages', 'text: /stop/q', 'unknown_regex_flag where.text → /stop/'],
    ['messages', 'type: text, template: order_shipped', 'never_fits where.template'],
    ['messages', 'type: image, text: hi', 'never_fits where.text'],
    ['deliveries', 'event: template.status, to: +12025550113', 'never_fits where.to'],
    ['attempts', 'event: otp.verified, message_status: read', 'never_fits where.message_status'],
    ['requests', 'operation: otp.verify, to: +12025550113', 'never_fits where.to'],
    ['requests', 'operation: otp.send, batch: true', 'never_fits where.batch'],
  ])('in %s, { %s }, which no match could say either', (that, where, expected) => {
    expect(warningsOf('expect', `{ at: finish, that: ${that}, where: { ${where} }, count: 0 }`, more)).toEqual([
      expected,
    ]);
    const inHas = warningsOf('expect', `{ at: finish, that: ${that}, has: { ${where} } }`, more);
    expect(inHas).toEqual([expected.replace('where', 'has')]);
  });

  it('is found in templates of a name that none can have', () => {
    const found = warningsOf('expect', '{ at: finish, that: templates, where: { name: Order-Shipped }, count: 1 }');
    expect(found).toContain('never_fits where.name → order_shipped');
  });

  it('is found in has and in_order too, and so is an unknown template', () => {
    const entry =
      '{ at: finish, that: messages, where: { template: order_shiped }, has: { status: red }, in_order: [{ status: read }, { type: txt }] }';
    expect(warningsOf('expect', entry, more)).toEqual([
      'unknown_template where.template → order_shipped',
      'never_fits has.status → read',
      'never_fits in_order[1].type → text',
    ]);
  });

  it.each([
    ['requests', 'operation: "otp.*", error: [too_busy, my_own, not_today, undeliverable, rate_limited], status: 4xx'],
    ['requests', 'error: { missing: true }, rule: [busy, magic-40, X-Sandbox-Prefer]'],
    ['attempts', 'rule: forge, status: { missing: true }, message_status: approved'],
    ['attempts', 'rule: timeline'],
    ['messages', 'status: received, direction: inbound'],
  ])('but not of %s, { %s }', (that, where) => {
    expect(warningsOf('expect', `{ at: finish, that: ${that}, where: { ${where} }, max: 0 }`, more)).toEqual([]);
  });
});

it('the words are those of the service: its operations and its error codes', () => {
  const names = Object.values(documentsOf(defaultDialect).api.paths).flatMap((path) =>
    Object.values(path).flatMap((entry) =>
      typeof entry === 'object' && entry !== null && 'operationId' in entry ? String(entry.operationId) : [],
    ),
  );
  const known = wordsOfField('requests', 'operation')?.values ?? [];
  expect(known.map((name) => operationIdOf(String(name))).toSorted()).toEqual(names.toSorted());
  expect(names.map(hookOf).toSorted()).toEqual(known.toSorted());
  expect(errorCodes).toContain('otp_max_attempts' satisfies keyof typeof errorTable);
  expect(errorCodes).not.toContain('scenario_invalid' satisfies keyof typeof errorTable);
});

describe('a check that names another one', () => {
  const problemsOf = (...checks: string[]) => {
    const result = loadScenario(`version: 1\nexpect:\n${checks.map((check) => `  - ${check}\n`).join('')}`, {
      file: 'a.yaml',
    });
    return 'problems' in result
      ? result.problems.map(({ code, path, suggestion }) => `${code} ${path} ${suggestion ?? ''}`.trim())
      : [];
  };
  const stop = '{ id: stop, at: finish, that: messages, where: { text: STOP }, min: 1 }';

  it.each([
    ['{ at: finish, that: requests, after: stop, within: 2m, max: 0 }', []],
    ['{ at: finish, that: requests, after: stopp, max: 0 }', ['unknown_check expect[1].after stop']],
    ['{ id: a, at: finish, that: requests, before: a, max: 0 }', ['check_cycle expect[1].before']],
    ['{ id: stop, at: finish, that: requests, max: 0 }', ['not_unique expect[1]']],
    ['{ at: finish, that: webhooks, after: stop, max: 0 }', ['misplaced_key expect[1].after']],
    ['{ at: finish, that: messages, spacing: { min: retry_after } }', ['misplaced_key expect[1].spacing']],
    ['{ at: finish, that: requests, spacing: { min: retry_aftr } }', ['bad_duration expect[1].spacing.min']],
    ['{ at: finish, that: requests, within: 2m }', ['nothing_stated expect[1]']],
  ])('%s', (check, expected) => {
    expect(problemsOf(stop, check)).toEqual(expected);
  });

  it('two that wait for each other are refused', () => {
    const codes = problemsOf(
      '{ id: a, at: finish, that: requests, after: b, max: 0 }',
      '{ id: b, at: finish, that: requests, after: a, max: 0 }',
    );
    expect(codes).toEqual(['check_cycle expect[0].after', 'check_cycle expect[1].after']);
  });
});
