/** A wait ends when its account is deleted; a reset does not end it. */
import { expect } from 'vitest';
import { newWorld } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';
import { inFlight } from '../support/scenes.js';

const interrupted = { status: 409, body: { error: { code: 'wait_interrupted' } } };

const { sandbox, it } = useSandbox();

/** Resolves with the next call of the method, which is passed on. */
function nextCall(of: object, method: string): Promise<void> {
  const methods = of as Record<string, (argument: unknown) => unknown>;
  const through = methods[method]!.bind(of);
  return new Promise((resolve) => {
    methods[method] = (argument) => {
      methods[method] = through;
      resolve();
      return through(argument);
    };
  });
}

it('a wait for a match ends immediately, but not by the deletion of another account', async ({ world }) => {
  const begun = nextCall(sandbox.accounts, 'onDrop');
  const waiting = world.call('GET', '/_sandbox/wait?for=event&timeout=60s');
  await begun;
  const other = newWorld(sandbox);
  await other.clock();
  await other.delete(`/_sandbox/accounts/${other.key}`);
  await world.delete(`/_sandbox/accounts/${world.key}`);
  expect(await waiting).toMatchObject(interrupted);
});

it('a wait for idleness ends immediately', async ({ world }) => {
  await inFlight(world);
  const begun = nextCall(sandbox.accounts.of(world.key).dispatcher.inFlight, 'quiet');
  const waiting = world.call('POST', '/_sandbox/idle?timeout=60s');
  await begun;
  await world.delete(`/_sandbox/accounts/${world.key}`);
  expect(await waiting).toMatchObject(interrupted);
});
