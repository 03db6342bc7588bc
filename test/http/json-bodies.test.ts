import { connect } from 'node:net';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { useSandbox } from '../support/sandbox.js';

describe('a JSON body', () => {
  const { sandbox } = useSandbox();

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

  it.each(['UTF8', '"utf-8"'])('may name its character set as %s', async (charset) => {
    const head = [`${json}; charset=${charset}`, `Content-Length: ${body.length}`];
    expect(await raw(head, body)).toContain('404 Not Found');
    const packed = gzipSync(body);
    const zipped = [`${json};charset=${charset}`, 'Content-Encoding: gzip', `Content-Length: ${packed.length}`];
    expect(await raw(zipped, packed)).toContain('404 Not Found');
  });

  it.each(['utf-16', 'latin1'])('of the character set "%s" is refused, and told which is read', async (charset) => {
    const wide = Buffer.from(body, 'utf16le');
    const answer = await raw([`${json}; charset=${charset}`, `Content-Length: ${wide.length}`], wide);
    expect(answer).toContain('415 Unsupported Media Type');
    expect(answer).toContain(`charset \\"${charset}\\" in its Content-Type; JSON is read only as UTF-8`);
  });

  it('of an unknown compression is refused, and told which are known', async () => {
    const answer = await raw([json, 'Content-Encoding: zip', `Content-Length: ${body.length}`], body);
    expect(answer).toContain('415 Unsupported Media Type');
    expect(answer).toContain('Content-Encoding \\"zip\\"; allowed: gzip, deflate, br, identity');
  });

  it('that is no UTF-8 is refused, compressed or not, and never mended', async () => {
    const broken = Buffer.from('{"otp_id":"n\xf6ne","code":"1"}', 'latin1');
    const packed = gzipSync(broken);
    const plain = await raw([json, `Content-Length: ${broken.length}`], broken);
    const zipped = await raw([json, 'Content-Encoding: gzip', `Content-Length: ${packed.length}`], packed);
    for (const answer of [plain, zipped]) {
      expect(answer).toContain('400 Bad Request');
      expect(answer).toContain('validation_error');
      expect(answer).toContain('not valid UTF-8');
    }
  });
});
