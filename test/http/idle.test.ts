import { expect, it } from 'vitest';
import type { ControlOperation } from '../../src/http/control/handler.js';
import { wait } from '../../src/http/control/wait.js';

/** An account with nothing in flight, whose disk answers as told. */
function idleOn(disk: Promise<void>) {
  const account = {
    scheduler: { runDue: () => undefined, nextDueMs: () => null, advancing: false, pending: 3 },
    dispatcher: { inFlight: { count: 0 } },
    clock: { now: () => 0 },
    store: { answerable: () => disk },
  };
  const service = { host: { monotonic: () => 0 }, accounts: { holds: () => true } };
  const { run } = wait['waitForIdle'] as ControlOperation;
  return run({ account, query: {}, service } as never);
}

it('idle is told when what is over would outlive a crash', async () => {
  let written: () => void = () => undefined;
  const order: string[] = [];
  const answer = Promise.resolve(idleOn(new Promise((resolve) => (written = resolve)))).then(() => order.push('told'));
  await new Promise((resolve) => setImmediate(resolve));
  order.push('written');
  written();
  await answer;
  expect(order).toEqual(['written', 'told']);
});

it('and all the same on a disk that refuses', async () => {
  expect(await idleOn(Promise.reject(new Error('no space left')))).toMatchObject({ idle: true, pending: 3 });
});
