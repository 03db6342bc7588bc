/** `--audit` in the bundle that users start: what it needs is loaded late, and has to be there. */
import { describe, expect, it } from 'vitest';
import type { Control } from '../support/client.js';
import { startCli } from '../support/cli.js';

describe('start --audit', () => {
  it.each([
    { args: ['--audit'], env: {} },
    { args: [], env: { SANDBOX_AUDIT: '1' } },
  ])('$args $env audits what is answered', async ({ args, env }) => {
    const server = await startCli(args, env);
    try {
      await fetch(`${server.url}/v1/templates`, { headers: { authorization: 'Bearer k' } });
      const answer = await fetch(`${server.url}/_sandbox/contract/violations`);
      const { checked, count } = (await answer.json()) as Control['ContractReport'];
      expect([answer.status, checked.api, count]).toEqual([200, 1, 0]);
    } finally {
      expect((await server.stop()).code).toBe(0);
    }
  });
});
