/** The careless twin in the same scenarios: it must fail each of them, and for what that scenario is about. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { plays } from '../test/plays.js';
import { closeSandbox, openSandbox, openShop } from '../test/together.js';
import { startShop } from './shop.js';

before(openSandbox);
after(closeSandbox);

/** What each scenario has to hold against it, in words of its `because`. @type {Record<string, string[]>} */
const lessons = {
  'happy-path': ['would be a mistake'],
  'template-rejected': ['once its approval is known', 'A rejected name stays taken'],
  'template-paused-midway': ['knocking on a closed door', 'goes on once the template is back'],
  'recipient-blocked': ['One message fails as blocked', 'stops after the first refusal'],
  'closed-window': ['a retry that cannot work', 'a template is the only way'],
  'webhook-down-24h': ['the only place that says paused', 'Registering again', 'hears events again', 'looked up'],
  'webhook-chaos': ['must not be trusted', 'however strange it looks', 'answered once'],
  'outage-then-flood': ['one reply, not none and not two'],
  'flaky-api': ['not sent again'],
  'batch-partial-failure': ['sent once', 'A refused entry stays refused', 'is final'],
  'otp-trouble': ['that has expired comes a new one', 'that is locked comes a new one', 'A code is a text'],
  'rate-limited': ['at least 20 messages'],
  'slow-review': ['still under review', 'the template is used'],
};

test('every scenario teaches something', () =>
  assert.deepEqual(Object.keys(lessons).sort(), Object.keys(plays).sort()));

for (const [scenario, play] of Object.entries(plays)) {
  test(`the careless twin fails ${scenario}`, async (t) => {
    const shop = await openShop(t, { scenario, start: startShop });
    await play(shop);
    const { passed, checks } = await shop.account.scenario.verdict();
    assert.equal(passed, false);
    const failed = checks.filter((check) => !check.passed).map(({ that }) => that);
    const taught = (lessons[scenario] ?? []).filter((words) => failed.some((that) => that.includes(words)));
    assert.deepEqual(taught, lessons[scenario]);
  });
}
