/** An attacker hands over a small YAML file that becomes a huge one when it is read: aliases of aliases, depth without end. */
import { describe, expect, it } from 'vitest';
import { newWorld } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

/** Each level names the one before nine times: read out, 9 to the power of the levels. */
const laughs = (levels: number) =>
  ['x0: &a0 [lol, lol]']
    .concat(Array.from({ length: levels }, (_, i) => `x${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]`))
    .join('\n');
const body = (anchors: string) =>
  `version: 1\nrules:\n  - when: api.any\n    then: { respond: { status: 200, body: ${anchors} } }\n`;

const bombs: readonly (readonly [what: string, text: string, code: string])[] = [
  ['a billion laughs', `version: 1\n${laughs(30)}\ndescription: *a30`, ''],
  [
    'laughs that stay under the limit of aliases',
    body(`{ a: &a [${'1, '.repeat(500)}1], b: &b [${'*a, '.repeat(45)}*a], c: [${'*b, '.repeat(45)}*b] }`),
    '',
  ],
  ['an alias of what it stands in', body('&a [*a]'), 'alias_cycle'],
  ['a file nested without end', `version: 1\nrules: ${'['.repeat(100_000)}`, 'too_deep'],
  ['a list of more values than are read', '- a\n'.repeat(60_000), 'too_many_values'],
  ['mappings nested without end', body(`${'{ a: '.repeat(5_000)}1${' }'.repeat(5_000)}`), 'too_deep'],
  ['a file of half a megabyte', `version: 1\ndescription: ${'x'.repeat(500_000)}`, 'document_too_large'],
  ['several documents', `version: 1\n${'---\nversion: 1\n'.repeat(10_000)}`, 'several_documents'],
];

describe('a scenario that is', () => {
  // Both calls read a text in the same way, so they take turns.
  it.each(bombs.map((bomb, at) => [...bomb, at % 2 === 0] as const))(
    '%s is refused with a reason, and the server goes on',
    async (_what, text, code, isUsed) => {
      const world = newWorld(sandbox);
      const [method, path] = isUsed ? ['PUT', '/_sandbox/scenario'] : ['POST', '/_sandbox/scenarios/check'];
      const answer = await world.call(method, path, text, { 'content-type': 'application/yaml' });
      expect([answer.status, answer.body.error.code]).toEqual([400, 'scenario_invalid']);
      const codes = (answer.body.error.details as unknown as { code: string }[]).map((detail) => detail.code);
      if (code !== '') expect(codes).toContain(code);
      // The list of what is wrong is no bomb either.
      expect(JSON.stringify(answer.body).length).toBeLessThan(200_000);
      expect((await world.call('GET', '/_sandbox/clock')).status).toBe(200);
    },
  );
});
