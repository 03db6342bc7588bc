import { describe, expect, it } from 'vitest';
import { callOf, type Call } from '../../src/ui/page/core/snippets.js';
import type { Template } from '../../src/ui/page/core/records.js';
import { differenceOf } from '../../src/ui/page/panels/compare/difference.js';
import { formFor } from '../../src/ui/page/panels/send/recorded.js';
import { formOf, forms } from '../../src/ui/page/panels/send/forms.js';

const template = (name: string, text: string, fields: Partial<Template> = {}): Template =>
  ({ name, text, language: 'en', category: 'utility', status: 'approved', ...fields }) as Template;
const templates = [
  template('order_shipped', 'Hi {{1}}, your order {{2}} leaves our house on {{3}}.'),
  template('login_code', '{{1}} is your code.', { category: 'authentication' }),
];

const post = (path: string, body: unknown, headers: Record<string, string> = {}): Call => ({
  ...callOf('POST', path, {}),
  headers: { authorization: 'Bearer wor***', 'content-type': 'application/json', 'user-agent': 'node', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

describe('the forms of the business', () => {
  it('ask for the variables of a template by their place in the text, with samples', () => {
    const fields = formOf('template').fields({}, templates);
    expect(fields.slice(2).map(({ label, initial }) => [label, initial])).toStrictEqual([
      ['{{1}} in “Hi {{1}}, your order …”', 'Ada'],
      ['{{2}} in “… your order {{2}} leaves our house …”', '1042'],
      ['{{3}} in “… our house on {{3}}.”', 'Monday'],
    ]);
  });

  it.each([
    ['text', '/v1/messages', { to: '+12025550101', type: 'text', text: 'Hi\nthere' }],
    ['template', '/v1/messages', { to: 'x', type: 'template', template: order(['a', 'b', '']) }],
    ['batch', '/v1/messages', { to: ['+12025550101', 'x'], type: 'template', template: order(['a', 'b', 'c', 'd']) }],
    ['code', '/v1/otp/send', { to: '+12025550101', length: 8, template: 'login_code' }],
    ['verify', '/v1/otp/verify', { code: '042042', otp_id: 'x' }],
    ['submission', '/v1/templates', { name: 'login', category: 'authentication', language: 'en' }],
    ['endpoint', '/v1/webhooks', { url: 'https://localhost:3000/hook', events: ['message.status'] }],
    // A call that a form would change is opened in the raw form.
    ['raw', '/v1/messages', { to: ['+12025550101'], type: 'text', text: 'x' }],
    ['raw', '/v1/messages', { to: 'x', type: 'template', template: order(['only one']) }],
    ['raw', '/v1/messages', { to: 'x', type: 'template', template: { ...order([]), variables: 'x' } }],
    ['raw', '/v1/messages', { to: 'x', type: 'template', template: order([1, 2, 3]) }],
    ['raw', '/v1/messages', { to: 'x', type: 'template' }],
    ['raw', '/v1/messages', '{"to": broken'],
    ['raw', '/v1/messages', 'null'],
    ['raw', '/v1/otp/send', { to: '+12025550101', length: '8' }],
    ['raw', '/v1/webhooks', { url: 'https://localhost:3000/hook', events: [], secret: 'x' }],
    ['raw', '/v1/elsewhere', { to: '+12025550101', type: 'text', text: 'x' }],
  ])('open a recorded call as %s: %s %j', (id, path, body) => {
    const call = post(path, body);
    const [form, values] = formFor(call, templates);
    expect(form).toBe(id);
    const again = formOf(form).call({ ...formOf(form).defaults, ...values }, templates) as Call;
    expect([again.method, again.path]).toStrictEqual(['POST', call.path]);
    const value = (text: string | null): unknown => (id === 'raw' ? text : JSON.parse(text ?? ''));
    expect(value(again.body)).toStrictEqual(value(call.body));
  });

  it('keep a header that matters in the raw form, and the key out of it', () => {
    const call = post('/v1/otp/verify', { otp_id: 'x', code: '1' }, { 'x-sandbox-prefer': 'code=unavailable' });
    const [form, values] = formFor(call, templates);
    expect([form, values['headers']]).toStrictEqual([
      'raw',
      'authorization: Bearer ***\ncontent-type: application/json\nx-sandbox-prefer: code=unavailable',
    ]);
  });

  it.each([
    [{ path: 'v1/messages' }, /^Invalid path "v1\/messages"/],
    [{ headers: 'no colon' }, /^Invalid header "no colon"\. Expected name: value\./],
  ])('report %j in the raw form', (values, sentence) => {
    const raw = formOf('raw');
    expect(raw.call({ ...raw.defaults, ...values }, [])).toMatch(sentence);
  });

  it('have different names', () => {
    expect(new Set(forms.map(({ id }) => id)).size).toBe(forms.length);
  });
});

function order(variables: readonly unknown[]) {
  return { name: 'order_shipped', language: 'en', variables };
}

describe('the difference of two texts', () => {
  it('differs from another way to write the same JSON', () => {
    expect(differenceOf('{"a":1}', '{"a":1}').result).toBe('same');
    expect(differenceOf('{"a":1}', '{"a": 1}').result).toBe('equal');
    expect(differenceOf('{"a":1}', '{"a":2}').result).toBe('different');
  });

  it('indents JSON, and leaves out what did not change', () => {
    const list = (last: number) => JSON.stringify([...Array.from({ length: 30 }, (_, at) => at), last]);
    expect(differenceOf(list(1), list(2)).lines.map(({ kind, text }) => `${kind} ${text}`)).toStrictEqual([
      'skipped 27 unchanged lines',
      'same   26,',
      'same   27,',
      'same   28,',
      'same   29,',
      'removed   1',
      'added   2',
      'same ]',
    ]);
  });

  it('compares texts that are not JSON, empty ones too, and gives up on what has nothing in common', () => {
    expect(differenceOf('', 'a\nb').lines.map(({ kind, text }) => `${kind} ${text}`)).toStrictEqual([
      'removed ',
      'added a',
      'added b',
    ]);
    const many = (word: string) => Array.from({ length: 3000 }, (_, at) => `${word}${at}`).join('\n');
    expect(differenceOf(many('a'), many('b'))).toStrictEqual({ result: 'too-large', lines: [] });
  });
});
