import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox.js';
import { startTestSandbox } from '../support/sandbox.js';

describe('a JSON body', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startTestSandbox();
  });
  afterAll(() => sandbox.close());

  /** Sends bytes as they are, in pieces, and gives what comes back until the connection ends. */
  async function raw(head: string[], ...pieces: (string | Buffer)[]): Promise<string> {
    const socket = connect(sandbox.port, '127.0.0.1');
    const lines = [
      'POST /v1/otp/verify HTTP/1.1',
      'Host: localhost',
      'Authorization: Bearer raw',
      'Connection: close',
      ...head,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    for (const piece of pieces) socket.write(piece);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await once(socket, 'close');
    return text;
  }

  const json = 'Content-Type: application/json';
  const body = '{"otp_id":"none","code":"1"}';
  const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

  it('may come in chunks, cut anywhere', async () => {
    const text = '{"otp_id":"nöne","code":"1"}';
    const half = Buffer.from(text);
    const answer = await raw(
      [json, 'Transfer-Encoding: chunked'],
      `e\r\n`,
      half.subarray(0, 14),
      `\r\n${(half.length - 14).toString(16)}\r\n`,
      half.subarray(14),
      '\r\n0\r\n\r\n',
    );
    expect(answer).toContain('404 Not Found');
    expect(answer).toContain('nöne');
  });

  it('may begin with a byte order mark', async () => {
    const marked = Buffer.from(`\ufeff${body}`);
    expect(await raw([json, `Content-Length: ${marked.length}`], marked)).toContain('404 Not Found');
  });

  it('of more than 1 MB is refused, whether or not its length was told', async () => {
    const large = `{"otp_id":"${'x'.repeat(1024 * 1024)}","code":"1"}`;
    expect(await raw([json, `Content-Length: ${large.length}`], large)).toContain('413 Payload Too Large');
    expect(await raw([json, 'Transfer-Encoding: chunked'], chunk(large), '0\r\n\r\n')).toContain(
      '413 Payload Too Large',
    );
  });

  it('of no bytes is no body', async () => {
    const answer = await raw([json, 'Transfer-Encoding: chunked'], '0\r\n\r\n');
    expect(answer).toContain('400 Bad Request');
    expect(answer).toContain('found no body');
  });

  it('may be compressed or name its character set', async () => {
    const { gzipSync } = await import('node:zlib');
    const packed = gzipSync(body);
    const zipped = await raw([json, 'Content-Encoding: gzip', `Content-Length: ${packed.length}`], packed);
    expect(zipped).toContain('404 Not Found');
    const named = await raw([`${json}; charset=UTF-8`, `Content-Length: ${body.length}`], body);
    expect(named).toContain('404 Not Found');
    const foreign = await raw([`${json}; charset=klingon`, `Content-Length: ${body.length}`], body);
    expect(foreign).toContain('415 Unsupported Media Type');
  });
});
