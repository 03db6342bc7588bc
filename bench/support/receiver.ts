/** A receiver of webhooks, a process of its own, that takes as little of the machine as one can: it shares it with what is measured. */
import { serverNode } from './node.js';
import { freePort, startServer, type Server } from './process.js';

/**
 * Says 200 to every request, but leaves paths that begin with /hang without an answer. GET /count says how many it
 * answered. It reads a length and no more of a request, and hangs up on a greeting in TLS.
 */
const bareReceiver = `
  import { createServer } from 'node:net';
  const answer = (body) => 'HTTP/1.1 200 OK\\r\\nContent-Length: ' + body.length + '\\r\\n\\r\\n' + body;
  const ok = answer('ok');
  let count = 0;
  createServer((socket) => {
    let text = '';
    socket.setNoDelay(true).setEncoding('latin1').on('error', () => undefined);
    socket.on('data', (more) => {
      text += more;
      if (text.charCodeAt(0) === 0x16) return socket.destroy();
      for (let end = text.indexOf('\\r\\n\\r\\n'); end !== -1; end = text.indexOf('\\r\\n\\r\\n')) {
        const length = Number(/content-length: *(\\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
        if (text.length < end + 4 + length) return;
        const path = text.split(' ', 2)[1];
        text = text.slice(end + 4 + length);
        if (path === '/count') socket.write(answer(String(count)));
        else if (!path.startsWith('/hang')) {
          count += 1;
          socket.write(ok);
        }
      }
    });
  }).listen(Number(process.argv[1]), '127.0.0.1');
`;

export async function startReceiver(): Promise<Server> {
  const port = await freePort();
  const args = ['--input-type=module', '-e', bareReceiver, `${port}`];
  return startServer({ file: serverNode(), args }, port, '/count');
}
