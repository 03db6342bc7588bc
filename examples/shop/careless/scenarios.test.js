/**
 * Plays the same scenarios with the careless shop. It must fail each of them, for the reason that the scenario is
 * about.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { plays, sends } from '../test/plays.js';
import { closeSandbox, openSandbox, openShop } from '../test/together.js';
import { startShop } from './shop.js';

before(openSandbox);
after(closeSandbox);

/** Parts of `because` of the checks that the careless shop must fail, by scenario. @type {Record<string, string[]>} */
const lessons = {
  'happy-path': ['is a bug in the application'],
  'template-rejected': ['once its approval is known', 'A rejected name stays taken'],
  'template-paused-midway': ['stops sending with the template', 'continues once the template is approved'],
  'recipient-blocked': ['has failed as blocked', 'stops after the first failure'],
  'closed-window': ['the same text again cannot work', 'only a template can reach'],
  'webhook-down-24h': ['shows the pause', 'Registering again', 'receives events again', 'looks up'],
  'webhook-chaos': ['must be rejected', 'even if it is unusual', 'only one reply'],
  'outage-then-flood': ['exactly one reply'],
  'batch-partial-failure': ['sent once', 'A rejected entry', 'is final'],
  'otp-trouble': ['After an expired code', 'After a locked code', 'A code is text'],
  'slow-review': ['still under review', 'sent exactly once'],
};

test('every scenario teaches something', () =>
  assert.deepEqual([...Object.keys(lessons), ...Object.keys(sends)].sort(), Object.keys(plays).sort()));

for (const [scenario, play] of Object.entries(plays)) {
  test(`the careless twin fails ${scenario}`, async (t) => {
    const shop = await openShop(t, { scenario, start: startShop });
    await play(shop);
    if (scenario in sends) {
      // It sends twice what was accepted, or loses what was rejected.
      const sent = await shop.account.messages({ direction: 'outbound' });
      assert.notEqual(sent.length, sends[scenario]);
      return;
    }
    const { passed, checks } = await shop.account.scenario.verdict();
    assert.equal(passed, false);
    const failed = checks.filter((check) => !check.passed).map(({ because }) => because ?? '');
    const taught = (lessons[scenario] ?? []).filter((words) => failed.some((because) => because.includes(words)));
    assert.deepEqual(taught, lessons[scenario]);
  });
}
