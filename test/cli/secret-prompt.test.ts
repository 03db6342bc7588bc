import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { offerSecret } from '../../src/cli/certify/application.js';
import type { Terminal } from '../../src/cli/certify/application.js';

function terminal(tty: { input: boolean; output: boolean }) {
  const input = Object.assign(new PassThrough(), { isTTY: tty.input });
  const output = Object.assign(new PassThrough(), { isTTY: tty.output });
  return { input, output } satisfies Terminal;
}

describe('offerSecret', () => {
  it('shows the secret, says what to do with it, and waits for Enter', async () => {
    const { input, output } = terminal({ input: true, output: true });
    const answer = offerSecret('whsec_fresh', { input, output });
    expect(String(output.read())).toMatch(/ {4}whsec_fresh\n[^]*Configure your receiver[^]*press Enter/);
    expect(await Promise.race([answer, Promise.resolve('still waiting')])).toBe('still waiting');
    input.write('\n');
    expect(await answer).toBe('whsec_fresh');
  });

  it('does not start when the input ends instead', async () => {
    const { input, output } = terminal({ input: true, output: true });
    const answer = offerSecret('whsec_fresh', { input, output });
    input.end();
    await expect(answer).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('Enter') as string });
  });

  it.each([
    { input: false, output: true },
    { input: true, output: false },
  ])('names the flag where nobody can answer: %j', async (tty) => {
    const { input, output } = terminal(tty);
    const message = expect.stringContaining('Add --secret') as string;
    await expect(offerSecret('whsec_fresh', { input, output })).rejects.toMatchObject({ exitCode: 2, message });
    expect(output.read()).toBeNull();
  });
});
