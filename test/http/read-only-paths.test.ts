/** The paths beside both planes know one method. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox.js';
import { newWorld } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.close());

describe('a path that can only be read', () => {
  it.each(['/livez', '/readyz', '/metrics'])('%s says so to any other method', async (path) => {
    for (const method of ['POST', 'OPTIONS', 'DELETE']) {
      const answer = await newWorld(sandbox).call(method, path);
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
      expect(answer.body.error.message).toBe(`${path} knows GET, not ${method}.`);
    }
  });
});
