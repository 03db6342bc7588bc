/** The JSON Schema that editors get and the loader come from one source: what the loader takes, no editor underlines. */
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadScenario } from '../../src/scenario/reader/load.js';
import { scenarioJsonSchema } from '../../src/scenario/schema/scenario.js';
import { cases } from '../support/property.js';

const fits = new Ajv({ strict: false, allErrors: true }).compile(scenarioJsonSchema());

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const shipped = readdirSync('scenarios')
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => parse(readFileSync(`scenarios/${name}`, 'utf8')) as Json);

/** Every slot and kind of expectation, as the contract writes them. */
const whole = parse(`
version: 1
name: whole
seed: 42
clock: 2026-03-01T09:00:00Z
defaults:
  lifecycle: [{ sent: 0s }, { delivered: 300ms }, { read: 1s..3s }]
  review: { status: approved, after: 1s }
  window: closed
given:
  templates: [{ name: order_shipped, category: utility, language: en, body: 'Order {{1}} left', status: approved }]
  customers:
    - { phone: '+12025550150', name: Ada, window: -23h59m }
    - { phone: '+12025550151', window: open }
  webhooks:
    - { alias: app, url: https://sink.sandbox/app, events: [message.status], secret: whsec_fixed_for_tests }
rules:
  - id: third
    when: message.send
    match:
      phone: +1415*
      type: template
      template: [promo_*, /a/i]
      text: '*refund*'
      not: { language: de }
    pick: { calls: 3 }
    per: phone
    active: { before: +25h }
    then:
      respond:
        { status: 503, code: unavailable, message: Later., headers: { X-A: b }, retry_after: 2s, latency_real: 1s }
  - { when: message.send, pick: { chance: 10% }, then: { limit: 10/125ms } }
  - { when: message.send, then: { lifecycle: [{ sent: 1s }, { failed: 5s, error: undeliverable }] } }
  - when: message.send
    then: { refuse: { code: no_way, message: Not this one. }, inbound: { after: 90s, text: Where? } }
  - when: template.review
    then: { review: { status: rejected, after: 2h, because: No. } }
  - { when: otp.send, then: { otp: { code: '042042', attempts: 3, expires: 30s } } }
  - when: webhook.deliver
    match: { event: message.status, attempts: 1 }
    then:
      webhook:
        duplicate: 1
        delay: 5m
        hold_until: { status: read }
        signature: wrong_secret
        body: exact
        receiver: { simulate: 500 }
  - { when: webhook.deliver, pick: { calls: 2..4 }, then: { webhook: { receiver: { simulate: timeout } } } }
timeline:
  - { at: +5m, inbound: { phone: '+12025550150', text: Hello? } }
  - { at: +6h, template: { name: order_shipped, status: paused } }
  - { at: +8h, emit: { type: message.status } }
expect:
  - { at: finish, that: requests, where: { operation: otp.verify, error: otp_max_attempts }, max: 0 }
  - { at: +24h2m, that: webhooks, where: { alias: app }, has: { status: paused } }
  - { at: finish, that: attempts, where: { rule: third }, has: { status: 4xx } }
  - { at: finish, that: messages, count: 2, min: 1 }
`) as Json;
const known: readonly Json[] = [whole, ...shipped];

/** All of a tree's places, the root first. */
function placesOf(node: Json, path: readonly string[] = []): (readonly string[])[] {
  const inside = typeof node === 'object' && node !== null ? Object.entries(node as Record<string, Json>) : [];
  return [path, ...inside.flatMap(([key, child]) => placesOf(child, [...path, key]))];
}

function replaced(node: Json, [key, ...rest]: readonly string[], value: Json | undefined): Json | undefined {
  if (key === undefined) return value;
  if (Array.isArray(node)) {
    return node.flatMap((child: Json, i) => {
      const now = String(i) === key ? replaced(child, rest, value) : child;
      return now === undefined ? [] : [now];
    });
  }
  const { [key]: child, ...others } = node as Record<string, Json>;
  const now = replaced(child as Json, rest, value);
  return now === undefined ? others : { ...others, [key]: now };
}

const texts =
  ' 1 500 503 0 3s 2s..8s 1h30m -5m +5m 10% 80/s 100% 0% finish true no null * /a/i +12025550150 +1202* ' +
  'undeliverable happy approved open message.send message.status 2026-03-01T09:00:00Z 042042';
const value: fc.Arbitrary<Json | undefined> = fc.oneof(
  fc.constantFrom<(Json | undefined)[]>(undefined, null, true, false, 0, 1, 3, 200, 503, 1.5, -1, 12025550123, 131026),
  fc.constantFrom<Json[]>(...texts.split(' ')),
  fc.constantFrom<Json[]>(
    [],
    {},
    ['+12025550150'],
    [1, 2],
    [{}],
    { nth: 3 },
    { contains: 'a' },
    { id: 'b1', title: 'B' },
  ),
  fc.integer({ min: -10, max: 700 }),
);

describe('the JSON Schema and the loader', () => {
  it('take the shipped scenarios, and one with all there is', () => {
    for (const scenario of known) {
      expect(loadScenario(stringify(scenario), { file: 'known.yaml' })).toHaveProperty('scenario');
      expect(fits(scenario), JSON.stringify(fits.errors)).toBe(true);
    }
  });

  it('take a simulated status as a number and as a text', () => {
    for (const simulate of [500, '500']) {
      const scenario = {
        version: 1,
        rules: [{ when: 'webhook.deliver', then: { webhook: { receiver: { simulate } } } }],
      };
      expect(loadScenario(JSON.stringify(scenario), { file: 'simulated.json' })).toHaveProperty('scenario');
      expect(fits(scenario), JSON.stringify(fits.errors)).toBe(true);
    }
  });

  it.each(['YAML', 'JSON'])(
    'agree: what the loader takes of a changed scenario, written as %s, the schema takes',
    (form) => {
      fc.assert(
        fc.property(fc.oneof(fc.constantFrom(...shipped), fc.constant(whole)), fc.nat(), value, (scenario, n, put) => {
          const places = placesOf(scenario);
          const changed = replaced(scenario, places[n % places.length] ?? [], put);
          const text = form === 'YAML' ? stringify(changed ?? null) : JSON.stringify(changed ?? null);
          const result = loadScenario(text, { file: 'changed.yaml' });
          if (!('scenario' in result)) return;
          expect(fits(parse(text)), `${text}\n${JSON.stringify(fits.errors, null, 1)}`).toBe(true);
        }),
        { numRuns: cases(500) },
      );
    },
  );
});
