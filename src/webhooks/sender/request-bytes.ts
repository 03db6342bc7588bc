import { MalformedRequestError } from './exchange-errors.js';
import { isHeaderName, isHeaderValue } from './header-text.js';

/**
 * A POST as the bytes that go over the wire, in one piece: one write to the system each.
 * @param headers in the order in which they go out, `content-length` among them
 * @throws MalformedRequestError for a header that would not arrive as it stands
 */
export function requestBytes(path: string, headers: Readonly<Record<string, string>>, body: string | Buffer): Buffer {
  let head = `POST ${path} HTTP/1.1\r\n`;
  for (const name in headers) {
    const value = headers[name] ?? '';
    if (!isHeaderName(name)) throw new MalformedRequestError(`"${name}" is no name of a header`);
    if (!isHeaderValue(value))
      throw new MalformedRequestError(`the value of the header ${name} holds a control character`);
    head += `${name}: ${value}\r\n`;
  }
  head += '\r\n';
  if (typeof body !== 'string') return Buffer.concat([Buffer.from(head, 'latin1'), body]);
  const bytes = Buffer.allocUnsafe(head.length + Buffer.byteLength(body));
  bytes.write(head, 'latin1');
  bytes.write(body, head.length, 'utf8');
  return bytes;
}
