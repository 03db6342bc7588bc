/** HTTP as written by an attacker: bytes on a socket, where a client would refuse or correct them. */
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends the text unchanged and reads until the server closes. The text must contain `Connection: close`. */
export function sendRaw(url: string, text: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'));
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (received += chunk));
    socket.on('error', (error) => (received === '' ? reject(error) : undefined));
    socket.on('close', () => {
      const [head = '', ...rest] = received.split('\r\n\r\n');
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head, body: rest.join('\r\n\r\n') });
    });
  });
}

/** Sends one request with exactly these headers, in addition to the length and `Connection: close`. */
export function rawRequest(
  url: string,
  method: string,
  path: string,
  headers: readonly (readonly [string, string])[],
  body = '',
): Promise<RawAnswer> {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body, 'latin1')}`]),
    'Connection: close',
  ];
  return sendRaw(url, `${lines.join('\r\n')}\r\n\r\n${body}`);
}
