import { onTestFinished } from 'vitest';

/** Closes a thing when the test has finished; what was opened last is closed first. */
export function closing<T extends { close(): unknown }>(thing: T): T {
  onTestFinished(async () => {
    await thing.close();
  });
  return thing;
}
