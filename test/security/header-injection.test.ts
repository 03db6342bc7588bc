/** An attacker hides line breaks in what comes back as a header, to add headers or a second answer of his own. */
import { describe, expect, it } from 'vitest';
import { newWorld } from '../support/client.js';
import { rawRequest } from '../support/raw-http.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox({ clock: { mode: 'frozen', scale: 1, startMs: null } });

const key = ['Authorization', 'Bearer security'] as const;

/** What ends a header, and what some parsers take for its end. */
const breaks = ['\r\nX-Injected: yes', '\u0000', '\u010d\u010a'];

describe('the header X-Sandbox-Prefer', () => {
  const prefer = (value: string) =>
    rawRequest(sandbox.url, 'GET', '/v1/templates', [['Host', 'localhost'], key, ['X-Sandbox-Prefer', value]]);

  it.each(['%0d%0aX-Injected: yes', '\\r\\nX-Injected: yes', '\u00e4\u008a\u008dX-Injected: yes'])(
    'comes back on one line, if at all: %j',
    async (hidden) => {
      for (const value of [`status=429; message="${hidden}"`, `status=429; retry_after=${hidden}`, `${hidden}=1`]) {
        const { head, status } = await prefer(value);
        expect(status).toBeOneOf([400, 429]);
        expect(head).not.toMatch(/^x-injected/im);
        expect(head.match(/^x-sandbox:/gim)).toHaveLength(1);
      }
    },
  );

  it('with a character that a header cannot have is rejected', async () => {
    const { status, body } = await prefer('status=429; message="\u00e9"');
    expect([status, body]).toEqual([400, expect.stringContaining('characters that a header cannot have')]);
  });
});

describe('headers of a scenario', () => {
  it.each(breaks)('are refused with %j in name, value or the id of the rule', async (hidden) => {
    const world = newWorld(sandbox);
    const respond = { status: 503, headers: { 'X-Trace': 'a' } };
    const rule = { id: 'mine', when: 'api.any', then: { respond } };
    const poisoned = [
      { ...rule, id: `mine${hidden}` },
      { ...rule, then: { respond: { ...respond, headers: { 'X-Trace': `a${hidden}` } } } },
      { ...rule, then: { respond: { ...respond, headers: { [`X-Trace${hidden}`]: 'a' } } } },
      { ...rule, then: { respond: { ...respond, code: `a${hidden}` } } },
      { ...rule, then: { respond: { ...respond, retry_after: `2s${hidden}` } } },
    ];
    for (const wanted of poisoned) {
      const asRule = await world.call('POST', '/_sandbox/rules', wanted);
      expect([asRule.status, asRule.body.error.code], JSON.stringify(wanted)).toEqual([400, 'scenario_invalid']);
      const asScenario = await world.call('PUT', '/_sandbox/scenario', { version: 1, rules: [wanted] });
      expect([asScenario.status, asScenario.body.error.code]).toEqual([400, 'scenario_invalid']);
    }
    expect((await world.call('GET', '/v1/templates')).status).toBe(200);
  });

  it('name a rule in characters that a header may hold, whatever a snapshot calls it', async () => {
    const world = newWorld(sandbox);
    await world.post('/_sandbox/rules', { id: 'mine', when: 'api.any', then: { respond: { status: 503 } } });
    await world.post('/_sandbox/snapshots', { name: 'a' });
    const snapshot = JSON.stringify(await world.get('/_sandbox/snapshots/a'));
    const named = (id: string) =>
      world.call('PUT', '/_sandbox/snapshots/b', snapshot.replaceAll('"mine"', JSON.stringify(id)));
    expect((await named('mine\r\nX-Injected: yes')).status).toBe(400);
    expect((await named('r\u00e8gle \u6d4b\u8bd5')).status).toBe(200);
    await world.post('/_sandbox/snapshots/b/restore');
    const answer = await world.call('GET', '/v1/templates');
    expect([answer.status, answer.headers.get('x-sandbox-rule')]).toEqual([503, 'r%C3%A8gle %E6%B5%8B%E8%AF%95']);
  });
});
