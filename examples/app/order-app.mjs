/**
 * A small application as it might run in production: it tells customers that their order has left, listens to what
 * becomes of the message, and stops writing to those who ask for it. It knows a base URL, a key and the address under
 * which it can be reached; nothing in here knows a sandbox.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

/** @param {{ baseUrl: string, apiKey: string, publicUrl?: string }} settings */
export async function startOrderApp({ baseUrl, apiKey, publicUrl }) {
  /** @type {Map<string, { to: string, state: string }>} what became of each message, by its id */
  const orders = new Map();
  /** @type {Set<string>} */
  const optedOut = new Set();
  let secret = '';

  async function call(path, body) {
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
    const answer = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  }

  function hear({ type, data }) {
    if (type === 'message.received' && data.text === 'STOP') optedOut.add(data.from);
    const order = orders.get(data.message_id);
    if (type === 'message.status' && order) order.state = data.status === 'failed' ? 'call the customer' : data.status;
  }

  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks);
    // The signature is made over the bytes, so it is checked before they are parsed.
    if (!isSigned(secret, raw, request.headers['x-service-signature'])) return response.writeHead(401).end();
    hear(JSON.parse(raw.toString()));
    response.writeHead(204).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

  const events = ['message.status', 'message.received'];
  const url = `${publicUrl ?? `https://localhost:${server.address().port}`}/hooks/messages`;
  ({ secret } = await call('/v1/webhooks', { url, events }));

  return {
    orders,
    /** @param {string} to @param {string} order @returns {Promise<string | null>} the message's id, null if nothing was sent */
    async shipped(to, order) {
      if (optedOut.has(to)) return null;
      const template = { name: 'order_shipped', language: 'en', variables: [order] };
      const { message_id: id } = await call('/v1/messages', { to, type: 'template', template });
      if (!orders.has(id)) orders.set(id, { to, state: 'accepted' });
      return id;
    },
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

function isSigned(secret, raw, header) {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`);
  const given = Buffer.from(String(header));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
