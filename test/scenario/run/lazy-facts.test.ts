/** The fields that a rule matches are computed when a rule reads them. */
import { expect, it } from 'vitest';
import { loaded } from '../fixtures.js';
import { AccountScript } from '../../../src/scenario/run/account-script.js';
import type { Rule } from '../../../src/scenario/schema/rule.js';
import { AccountStore } from '../../../src/store/account-store.js';
import { memoryPersistence } from '../../../src/store/persistence.js';
import { emptyData } from '../../store/support.js';
import { stageOf } from '../../time/support/stage.js';

function scriptOf(...rules: Rule[]): { store: AccountStore; script: AccountScript } {
  const store = new AccountStore(emptyData(), memoryPersistence());
  store.update(() => {
    for (const rule of loaded(...rules)) {
      store.tables.rules.insert({ id: rule.id, seq: store.nextSeq(), rule, addedAtMs: 0 });
    }
  });
  return {
    store,
    script: new AccountScript({ store, scheduler: stageOf().scheduler, now: () => 0, seed: 1 }),
  };
}

it('the text of a message is not made for rules that can be told by something else', () => {
  const { store, script } = scriptOf(
    {
      id: 'other-number',
      when: 'message.send',
      match: { phone: '+1415*', text: 'refund' },
      then: { lifecycle: 'stuck' },
    },
    { id: 'mine', when: 'message.send', match: { type: 'text' }, then: { lifecycle: 'blocked' } },
  );
  const facts = {
    phone: '+12025550110',
    type: 'text',
    get text(): string {
      throw new Error('looked at');
    },
  };
  const decision = store.update(() => script.decide('message.send', facts));
  expect(decision.lifecycle?.explain.id).toBe('mine');
});
