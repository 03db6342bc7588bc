/** What a refusal says: each field once, what was found, what is allowed, what to do; never a validator's own words. */
import { describe, expect } from 'vitest';
import { newWorld } from '../support/client.js';
import { useCheckedSandbox } from '../support/sandbox.js';

const { sandbox, it } = useCheckedSandbox();

const to = '+12025550101';
const yes = { id: 'y', title: 'Yes' };
const words: Readonly<Record<string, string>> = {
  to: JSON.stringify(to),
  '101': JSON.stringify(Array<string>(101).fill(to)),
  yes: JSON.stringify(yes),
  template: '{"name":"order_shipped","language":"en"}',
  phone: 'must be an E.164 number: a plus sign and 7 to 15 digits, the first not 0, such as +12025550101',
  any: 'an E.164 number (a plus sign and 7 to 15 digits, such as +12025550101) or an array of 1 to 100 of them',
  types: 'one of template, text, image, document, interactive',
};

/** Each call, then its fields with their messages; a line that begins with four spaces continues the one before. */
const table = String.raw`
POST /v1/messages {"to":[⟨to⟩],"type":"text","text":"x"}
  to: ⟨phone⟩; found an array of 1; only a template message takes an array of numbers
POST /v1/messages {"to":{},"type":"template","template":⟨template⟩} ⇒ to: must be ⟨any⟩; found an object
POST /v1/messages {"to":⟨101⟩,"type":"template","template":⟨template⟩}
  to: must have 1 to 100 entries; found 101; larger audiences belong to the dashboard's broadcast tool
POST /v1/messages {"to":[],"type":"template","template":⟨template⟩} ⇒ to: must have 1 to 100 entries; found 0
POST /v1/messages {"to":"0123","type":"text"} ⇒ text: is required; give a text of 1 to 4096 characters
  to: ⟨phone⟩; found "0123"
POST /v1/messages {"type":"interactive","to":5,"interactive":{"body":7,"buttons":"x"}}
  to: ⟨phone⟩; found 5; only a template message takes an array of numbers
  interactive.body: must be a text of 1 to 1024 characters; found 7
  interactive.buttons: must be an array of 1 to 3 entries; found "x"
POST /v1/messages {"to":⟨to⟩} ⇒ type: is required; give ⟨types⟩
POST /v1/templates {"nam":"a","category":"utility","language":"en","body":"Hi"}
  name: is required; give a lower-case letter, then up to 511 lower-case letters, digits and underscores, such as
    order_shipped; nam is unknown, did you mean name?
POST /v1/webhooks {"url":"https://localhost:3000","event":["message.status"]}
  events: is required; give an array of at least 1 entry; event is unknown, did you mean events?
POST /v1/messages {} ⇒ to: is required; give ⟨any⟩
  type: is required; give ⟨types⟩
POST /v1/messages {"to":⟨to⟩,"type":"voice"} ⇒ type: must be ⟨types⟩; found "voice"
POST /v1/messages {"to":[⟨to⟩,"1"],"type":"voice"} ⇒ type: must be ⟨types⟩; found "voice"
POST /v1/messages {"to":"555","type":"voice"} ⇒ to: must be ⟨any⟩; found "555"
  type: must be ⟨types⟩; found "voice"
POST /v1/messages {"to":7,"type":"voice"} ⇒ to: must be ⟨any⟩; found 7
  type: must be ⟨types⟩; found "voice"
POST /v1/messages {"to":[],"type":"voice"} ⇒ to: must be ⟨any⟩; found an array of 0
  type: must be ⟨types⟩; found "voice"
POST /v1/messages {"to":⟨101⟩,"type":"voice"}
  to: must be ⟨any⟩; found an array of 101; larger audiences belong to the dashboard's broadcast tool
  type: must be ⟨types⟩; found "voice"
POST /v1/messages {"to":[⟨to⟩,7],"type":"voice"} ⇒ to[1]: must be a text; found 7
  type: must be ⟨types⟩; found "voice"
POST /v1/messages {"to":⟨to⟩,"type":["text"]} ⇒ type: must be ⟨types⟩; found an array of 1
POST /v1/messages
    {"to":"1","type":"interactive","interactive":{"body":"x","buttons":[⟨yes⟩,⟨yes⟩,{"id":7,"title":"Yes"}]}}
  to: ⟨phone⟩; found "1"
  interactive.buttons[1].id: must be unique among the buttons; found "y" twice
  interactive.buttons[1].title: must be unique among the buttons; found "Yes" twice
  interactive.buttons[2].id: must be a text of 1 to 256 characters; found 7
  interactive.buttons[2].title: must be unique among the buttons; found "Yes" twice
POST /v1/messages
    {"to":⟨to⟩,"type":"interactive","interactive":{"body":"x","buttons":[{"id":"","title":"No"},{"id":"","title":"No"}]}}
  interactive.buttons[0].id: must be 1 to 256 characters; found 0
  interactive.buttons[1].id: must be 1 to 256 characters; found 0
  interactive.buttons[1].title: must be unique among the buttons; found "No" twice
POST /v1/templates {"name":"gap","category":"utility","language":"?","body":"From {{2}}"}
  language: must be a BCP-47 language code such as en, pt-BR or zh-Hans-CN; found "?"
  body: placeholders must be numbered from {{1}} without gaps: {{1}} is missing
POST /v1/messages {"to":⟨to⟩,"type":"interactive"} ⇒ interactive: is required; give an object with body and buttons
POST /v1/messages
    {"to":⟨to⟩,"type":"interactive","interactive":{"body":"x","buttons":[{"id":"a","title":"yyyyyyyyyyyyyyyyyyyyyyyyyyy"}]}}
  interactive.buttons[0].title: must be 1 to 20 characters; found 27
POST /v1/messages {"to":⟨to⟩,"type":"template","template":{"name":"","language":"en"}}
  template.name: must be at least 1 character; found 0
POST /v1/otp/send {"to":⟨to⟩,"length":9,"expiry_seconds":0.5} ⇒ length: must be 4 to 8; found 9
  expiry_seconds: must be a whole number from 1 to 86400; found 0.5
POST /v1/otp/send {"to":⟨to⟩,"length":"6"} ⇒ length: must be a whole number from 4 to 8; found "6"
POST /v1/templates {"name":"A","category":null,"language":"e","body":""}
  name: must be a lower-case letter, then up to 511 lower-case letters, digits and underscores, such as order_shipped;
    found "A"
  category: must be one of marketing, utility, authentication; found null
  language: must be a BCP-47 language code such as en, pt-BR or zh-Hans-CN; found "e"
  body: must be 1 to 1024 characters; found 0
POST /v1/webhooks {"url":"http://x","events":[1]}
  url: must be an absolute https:// address (https://localhost:PORT also reaches a local server without TLS); found
    "http://x"
  events[0]: must be one of message.received, message.status, otp.verified, template.status; found 1
POST /v1/webhooks {"url":"https://x","events":[]} ⇒ events: must have at least 1 entry; found 0
POST /_sandbox/clock/advance {} ⇒ : must have exactly one of by, to and until; found none
POST /_sandbox/clock/advance {"by":"1h","to":"2026-03-01T09:00:00Z"}
  : must have exactly one of by, to and until; found by and to
POST /_sandbox/clock/advance {"bye":"1h"} ⇒ : must have exactly one of by, to and until; found none
  bye: is unknown here; did you mean by?
POST /_sandbox/clock/advance {"to":"tomorrow"}
  to: must be an ISO 8601 instant with its offset, such as 2026-03-01T09:00:00Z; found "tomorrow"
POST /_sandbox/clock/advance {"by":"soon"}
  by: must be a duration such as 250ms, 10s, 5m, 24h, 7d or 1h30m, the largest unit first; found "soon"
POST /_sandbox/clock/advance {"until":"next","max":"1h"} ⇒ max: belongs to until "idle" only
POST /_sandbox/clock/advance {"by":"2h","max":"1h"} ⇒ max: belongs to until "idle" only
POST /_sandbox/clock/advance [] ⇒ : must be an object with one of by, to or until; found an array of 0
POST /_sandbox/clock/advance {"by":"99999999d"}
  by: must be a duration such as 250ms, 10s, 5m, 24h, 7d or 1h30m; found "99999999d": it is longer than a hundred
    years (36500d)
PUT /_sandbox/sink/app {"respond":[{"status":200,"delay":"40000d"}]}
  respond[0].delay: must be a duration such as 250ms, 10s, 5m, 24h, 7d or 1h30m; found "40000d": it is longer than a
    hundred years (36500d)
PUT /_sandbox/clock {} ⇒ : must have at least one of mode, now, scale, quiet_real and learn; found none
PUT /_sandbox/clock {"scale":0} ⇒ scale: must be more than 0; found 0
PUT /_sandbox/clock {"scale":"2"} ⇒ scale: must be a number above 0, at most 1000000; found "2"
PUT /_sandbox/customers/+12025550101/window {} ⇒ : must have exactly one of open and closes_at; found none
PUT /_sandbox/customers/+12025550101/window {"open":1} ⇒ open: must be true or false; found 1
POST /_sandbox/inbound {"from":⟨to⟩,"type":"interactive"} ⇒ interactive: is required; give an object with id and title
POST /_sandbox/events {"type":"message.status","webhook":{"receiver":{"simulate":"x"}}}
  webhook.receiver.simulate: must be one of refused, timeout, late, reset, or a whole number from 200 to 599; found "x"
POST /_sandbox/snapshots {"name":"a b"}
  name: must be 1 to 64 letters, digits, ".", "_" or "-", starting with a letter or digit, such as after-onboarding;
    found "a b"
POST /_sandbox/rules {"when":"x","then":{}}
  when: must be a hook such as message.send, otp.verify or webhook.deliver; found "x"
  then: must have at least one property; found none; name an action, such as refuse, respond, limit or lifecycle
PUT /_sandbox/scenario {}
  : must have at least one property; found none; give the name of a known scenario, or a complete scenario
POST /_sandbox/reset {"keep":["templates","templates"]} ⇒ keep: must not contain duplicates; found "templates" twice
POST /_sandbox/reset {"x":1} ⇒ x: is unknown here; a typo, or a field of another call
GET /_sandbox/messages?foo=1&limt=2&to=
  foo: is not a query parameter of GET /_sandbox/messages, which takes id, message_id, wamid, direction, from, to, type, status,
    text, media_url, template, language, category, batch_id, error, by, rule, search, after, before, limit and order
  limt: is not a query parameter of GET /_sandbox/messages; did you mean limit?
  to: is empty; set a value, or omit it
GET /_sandbox/info?x=1 ⇒ x: is not a query parameter of GET /_sandbox/info, which takes none
GET /_sandbox/messages?limit=0 ⇒ limit: must be 1 to 1000; found 0
GET /_sandbox/messages?limit=abc ⇒ limit: must be a whole number from 1 to 1000; found "abc"
GET /_sandbox/messages?order=up&order=down ⇒ order: must be given once; found it 2 times
GET /_sandbox/events?status=a:b
  status: must be one of sent, delivered, read, failed, approved, rejected; found "a:b"
GET /_sandbox/customers/% ⇒ path: must be percent-encoded: % and two hex digits, with % itself as %25; found "%"
GET /_sandbox/customers/12 ⇒ phone: must be an E.164 number such as +12025550101, its plus sign optional; found "12"
GET /_sandbox/wait?for=x ⇒ for: must be one of event, delivery, message, request, otp; found "x"
GET /_sandbox/wait ⇒ for: is required; give one of event, delivery, message, request, otp
`;

const calls = table
  .trim()
  .replaceAll('\n    ', ' ')
  .replace(/⟨(\w+)⟩/g, (_all, word: string) => words[word] ?? '?')
  .split(/\n(?! )/)
  .map((entry): [target: string, body: string | undefined, details: object] => {
    const [call = '', ...lines] = entry.split(/\n| ⇒ /);
    const [, target = '', body] = /^(\S+ \S+)(?: (.*))?$/.exec(call) ?? [];
    return [target, body, Object.fromEntries(lines.map((line) => line.trim().split(/: ?(.*)/s, 2)))];
  });

/** The details of a call's 400, which name each field once, and its message, which begins with the first of them. */
async function refused(target: string, body?: object): Promise<{ details: object; message: string }> {
  const [method = '', path = ''] = target.split(' ');
  const answer = await newWorld(sandbox).call(method, path, body);
  const { code, message, details = [] } = answer.body.error;
  expect([answer.status, code]).toEqual([400, 'validation_error']);
  expect(new Set(details.map(({ field }) => field)).size).toBe(details.length);
  return { details: Object.fromEntries(details.map((detail) => [detail.field ?? '?', detail.message])), message };
}

it.each(calls)('%s %s', async (target, body, details) => {
  const found = await refused(target, body === undefined ? undefined : (JSON.parse(body) as object));
  expect(found.details).toEqual(details);
  expect(found.message).not.toMatch(/\bNOT\b|schema|pattern|\[object/);
});

describe('a message', () => {
  it('counts characters as the document does', async () => {
    const { details } = await refused('POST /v1/messages', { to, type: 'text', text: '🎉'.repeat(4097) });
    expect(details).toEqual({ text: 'must be 1 to 4096 characters; found 4097' });
  });

  it('of which everything is wrong is told of fifty places, however many there are', async () => {
    const buttons = Array<object>(100_000).fill({});
    const { details, message: text } = await refused('POST /v1/messages', {
      to,
      type: 'interactive',
      interactive: { body: '', buttons },
    });
    expect(Object.keys(details)).toHaveLength(50);
    expect(text).toMatch(/See details for 49 more\.$/);
  });

  it('of which several fields are wrong is refused with how many', async () => {
    expect((await refused('POST /v1/messages', { to: 5, type: 'image' })).message).toMatch(
      /^media_url is required; give an absolute http:\/\/ or https:\/\/ address\. See details for 1 more\.$/,
    );
  });
});

describe('an empty body', () => {
  it.each([
    ['PUT', '/_sandbox/scenario', 'a scenario file'],
    ['POST', '/_sandbox/scenarios/check', 'a scenario file'],
    ['POST', '/_sandbox/rules', 'a rule'],
  ])('of YAML to %s %s is told what it should have been', async (method, path, wanted) => {
    const { status, body } = await newWorld(sandbox).call(method, path, '', { 'content-type': 'application/yaml' });
    expect([status, body.error.message]).toEqual([
      400,
      `The request must be at least 1 character; found 0; send ${wanted}.`,
    ]);
  });
});

it('a send whose schema is kept names every button that repeats another', async ({ world }) => {
  await world.put(`/_sandbox/customers/${to}/window`, { open: true });
  const body = { to, type: 'interactive', interactive: { body: 'x', buttons: [yes, yes, { id: 'n', title: 'Yes' }] } };
  const { error } = (await world.call('POST', '/v1/messages', body)).body;
  expect(error.message).toMatch(/^interactive\.buttons\[1\]\.id must be unique .* See details for 2 more\.$/);
  expect(error.details?.map(({ field }) => field)).toStrictEqual([
    'interactive.buttons[1].id',
    'interactive.buttons[1].title',
    'interactive.buttons[2].title',
  ]);
});

describe('a base URL with a wrong end', () => {
  it.for([
    ['/v1/v1/messages', 'leave out the /v1 at its end'],
    ['//v1/messages', 'leave out the slash at its end'],
    ['/v1//messages', 'leave out the slash at its end'],
    ['/v1/nothing', 'The API has no path /v1/nothing.'],
  ] as const)('is named in the rejection of %s', async ([path, message]) => {
    const response = await fetch(`${sandbox.url}${path}`, { method: 'POST', headers: { Authorization: 'Bearer k' } });
    expect(response.status).toBe(404);
    expect(((await response.json()) as { error: { message: string } }).error.message).toContain(message);
  });
});
