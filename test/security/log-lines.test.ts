/** An attacker reads the log for keys and codes, or writes into it: lines that nobody logged, commands for the terminal. */
import { describe, expect, it } from 'vitest';
import { createLog, type LogFormat } from '../../src/log.js';
import { closing } from '../support/closing.js';
import { newWorld, World } from '../support/client.js';
import { startCli } from '../support/cli.js';
import { startTestSandbox } from '../support/sandbox.js';

describe('secrets', () => {
  it('stand neither in the output of a server at its most talkative, nor in its metrics', async () => {
    const server = await startCli([
      '--log-level',
      'debug',
      '--control-token',
      'tok-3f9a',
      '--api-keys',
      'key-77aa-secret',
    ]);
    const world = new World(server.url, 'key-77aa-secret');
    const token = { 'x-sandbox-token': 'tok-3f9a' };
    const { body: endpoint } = await world.call<{ secret: string }>('POST', '/v1/webhooks', {
      url: 'https://sink.sandbox/a',
      events: ['message.status', 'otp.verified'],
    });
    await world.call('POST', '/v1/templates', { name: 'login', category: 'authentication', language: 'en' });
    await world.call('POST', '/_sandbox/clock/advance', { until: 'idle' }, token);
    const otp = (await world.call<{ otp_id: string }>('POST', '/v1/otp/send', { to: '+12025550110' })).body;
    const { code } = (await world.call<{ code: string }>('GET', `/_sandbox/otps/${otp.otp_id}`, undefined, token)).body;
    expect(code).toMatch(/^\d{6}$/);
    await world.call('POST', '/v1/otp/verify', { otp_id: otp.otp_id, code });
    // Refusals, wrong keys and broken bodies are what a log likes to repeat.
    await world.call('POST', '/v1/otp/verify', `{"otp_id":"${otp.otp_id}","code":"${code}"`);
    await new World(server.url, 'key-wrong-8812').call('GET', '/v1/templates');
    await world.call('GET', '/_sandbox/clock', undefined, { 'x-sandbox-token': 'tok-wrong-551' });
    const { code: exit, stdout, stderr } = await server.stop();
    expect(exit).toBe(0);
    for (const text of [stdout, stderr]) {
      for (const secret of ['key-77aa-secret', 'tok-3f9a', endpoint.secret, code, 'key-wrong-8812', 'tok-wrong-551']) {
        expect(text).not.toContain(secret);
      }
    }
  });

  it('stand neither in the journal nor at a sink: keys, tokens, cookies', async () => {
    const sandbox = closing(await startTestSandbox());
    const world = newWorld(sandbox, 'key-77aa-secret');
    const headers = {
      cookie: 'session=ck-one; theme=dark',
      'x-sandbox-token': 'tok-3f9a',
      'x-api-key': 'xak-551',
      'proxy-authorization': 'Basic cGFzcw==',
    };
    await world.call('GET', '/v1/templates', undefined, headers);
    await world.call('POST', '/_sandbox/sink/a', {}, headers);
    await world.call('GET', '/v1/templates', undefined, { authorization: 'naked-key-991 and more' });
    const kept = JSON.stringify([
      await world.items('/_sandbox/requests'),
      await world.items('/_sandbox/sink/a/received'),
      await world.items('/_sandbox/refused'),
    ]);
    expect(kept).toContain('***');
    for (const secret of ['key-77aa', 'ck-one', 'tok-3f9a', 'xak-551', 'cGFzcw', 'naked-key']) {
      expect(kept).not.toContain(secret);
    }
  });
});

describe('a line of the log', () => {
  const hostile = [
    'a\n12:00:00.000Z error forged',
    'a\r12:00:00.000Z error forged',
    'a\u001b[2J\u001b]0;title\u0007',
    'a\u2028forged',
    'a\u202egnp.exe',
  ];

  it.each(hostile)('is one line of plain characters, whatever stands in it: %j', (text) => {
    for (const format of ['pretty', 'json'] satisfies LogFormat[]) {
      const lines: string[] = [];
      const log = createLog({ level: 'debug', format, host: { now: () => 0 }, write: (line) => void lines.push(line) });
      log.error(text, { field: text, error: new Error(text), [text]: { deep: text } });
      const [line = '', ...others] = lines;
      expect(others).toEqual([]);
      expect(line.endsWith('\n')).toBe(true);
      // A second line may follow in the pretty form, as of a stack; it begins with spaces and so is none of the log's own.
      expect(line.slice(0, -1)).not.toMatch(format === 'json' ? /\n/ : /\n(?! {2})/);
      expect(line.slice(0, -1).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
      if (format === 'json') expect(JSON.parse(line)).toMatchObject({ text, field: text });
    }
  });
});
