/** Plays every shipped scenario with the shop, and checks the scenario's own expectations. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { plays, sends } from './plays.js';
import { closeSandbox, openSandbox, openShop } from './together.js';

before(openSandbox);
after(closeSandbox);

for (const [scenario, play] of Object.entries(plays)) {
  test(`the shop passes ${scenario}`, async (t) => {
    const shop = await openShop(t, { scenario });
    await play(shop);
    const { checks } = await shop.account.scenario.verdict();
    assert.deepEqual(
      checks.filter(({ passed }) => !passed),
      [],
    );
    assert.ok(checks.length > 0);
    const sent = await shop.account.messages({ direction: 'outbound' });
    if (scenario in sends) assert.equal(sent.length, sends[scenario]);
  });
}
