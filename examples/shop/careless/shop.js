/**
 * The same shop with common mistakes. Each is marked with its cost, and with the scenario or the check that finds it.
 * Do not copy from here.
 */
import { createWeb } from '../src/web.js';

/** @param {import('../src/shop.js').Settings} settings */
export async function startShop({ baseUrl, apiKey, publicUrl, port = 0, host = '127.0.0.1' }) {
  // MISTAKE 1: everything is in memory. COST: each restart loses the sent messages, the opt-outs and the secret.
  /** @type {Map<string, { phone: string, state: string }>} */
  const orders = new Map();
  /** @type {Map<string, { name: string, category: string, body: string }>} */
  const submitted = new Map();
  /** @type {Map<string, object>} */
  const lastSent = new Map();
  let received = 0;
  let patience = 10;

  /** @param {string} path @param {object} body @returns {Promise<{ ok: boolean, body: any }>} */
  async function call(path, body) {
    // MISTAKE 2: there is no timeout. COST: a response that never comes blocks its caller forever (number …0143).
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
    try {
      const answer = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return { ok: answer.ok, body: await answer.json() };
    } catch {
      return { ok: false, body: {} };
    }
  }

  /** @param {Record<string, any>} message */
  async function send(message) {
    for (const phone of [message.to].flat()) lastSent.set(phone, message);
    // MISTAKE 3: every failure is retried immediately. COST: a throttled account is throttled even more. A text outside
    // the window, or a template that is under review or paused, is retried in vain. If the first call succeeded but its
    // response was lost, the customer gets the message twice. (rate-limited, closed-window, template-paused-midway)
    for (let tries = 0; tries < 5; tries += 1) {
      const { ok, body } = await call('/v1/messages', message);
      // MISTAKE 4: a batch with failures is treated as a failed batch and sent again. COST: customers who got the
      // message get it again, and it is billed again. (batch-partial-failure)
      if (ok && body.results?.some((/** @type {{ ok: boolean }} */ result) => !result.ok))
        await call('/v1/messages', message);
      if (ok) return true;
    }
    return false;
  }

  /** @param {string} number */
  async function tell(number) {
    const { phone = '' } = orders.get(number) ?? {};
    // MISTAKE 5: the approval of the template is not checked. COST: all updates of the first day are lost, because
    // mistake 3 gives up after milliseconds of a review that takes hours. (slow-review, template-rejected)
    return send({
      to: phone,
      type: 'template',
      template: { name: 'order_shipped', language: 'en', variables: [number] },
    });
  }

  /** @param {{ name: string, category: string, body: string }} template */
  function submit(template) {
    submitted.set(template.name, template);
    return call('/v1/templates', { ...template, language: 'en' });
  }

  /** @param {Record<string, any>} event */
  async function handle({ type, data }) {
    if (type === 'message.received') {
      // MISTAKE 6: repeated events are not recognised. COST: one reply for each delivery, and at-least-once delivery
      // means that there will be several. (webhook-chaos; certify: deduplicates)
      await send({ to: data.from, type: 'text', text: `Thank you for "${data.text}". We are looking into it.` });
      // MISTAKE 7: STOP is treated like any other message. COST: complaints, and eventually the loss of the number.
    } else if (type === 'message.status') {
      // MISTAKE 8: a failed message is sent again. COST: customers who blocked us get messages until the channel lowers
      // our quality rating and the messaging limit. (recipient-blocked)
      if (data.status === 'failed' && patience > 0 && lastSent.has(data.to)) {
        patience -= 1;
        await send({ ...lastSent.get(data.to), to: data.to });
      }
      // MISTAKE 9: the status that arrives last is stored. COST: "read" becomes "delivered" again if events overtake
      // each other.
      for (const order of orders.values()) if (order.phone === data.to) order.state = data.status;
    } else if (type === 'template.status') {
      // MISTAKE 10: a rejected template is submitted again without changes. COST: only more rejections, because names
      // are unique; with a new name each time, the account. (template-rejected)
      const rejected = submitted.get(data.name);
      if (data.status === 'rejected' && rejected) await submit(rejected);
    } else if (type !== 'otp.verified') {
      // MISTAKE 11: an unknown event is an error. COST: when the service adds an event type, every delivery of it
      // fails. After 24 hours, the endpoint is paused and gets no known events either. (certify: unknown-type)
      throw new Error(`unknown event ${type}`);
    }
  }

  /** @param {import('node:http').IncomingMessage} request @returns {Promise<number>} */
  async function receive(request) {
    let text = '';
    for await (const chunk of request) text += chunk;
    // MISTAKE 12: the signature is not checked. COST: anyone who finds the URL can send fake orders, opt-outs and
    // sign-ins. In addition, text += chunk corrupts characters that are split across chunks. (webhook-chaos; certify:
    // all forgeries)
    try {
      const event = JSON.parse(text);
      received += 1;
      // MISTAKE 13: the work is done before the response. COST: if the API is slow, the response takes more than 10
      // seconds and the event is repeated. It is processed again (mistake 6), which makes the API even slower.
      // (certify: answers-promptly)
      await handle(event);
      return 200;
    } catch {
      return 500;
    }
  }

  /** @type {Record<string, import('../src/web.js').Handler>} */
  const handlers = {
    'GET /received': () => ({ status: 200, body: { received } }),
    'POST /orders': ({ number, phone }) => {
      orders.set(number, { phone, state: 'placed' });
      return { status: 201, body: { number } };
    },
    'GET /orders/:': (_body, number) => ({ status: 200, body: { number, ...orders.get(number) } }),
    'POST /orders/:/ship': async (_body, number) => {
      // MISTAKE 14: if one update is not sent, all updates of the day are sent again. COST: customers get updates that
      // they already have. (flaky-api)
      const { body } = await call('/v1/messages', {
        to: orders.get(number)?.phone,
        type: 'template',
        template: { name: 'order_shipped', language: 'en', variables: [number] },
      });
      if (body.message_id !== undefined) return { status: 202 };
      for (const today of orders.keys()) if (!(await tell(today))) break;
      return { status: 202 };
    },
    'POST /customers/:/messages': async ({ text }, phone) => {
      // MISTAKE 15: the 24-hour window is ignored. COST: the rejection is final, and the customer does not learn that
      // the parcel is at the post office; a template would have reached them. (closed-window)
      await send({ to: phone, type: 'text', text });
      return { status: 202 };
    },
    'POST /templates': async ({ name, category, body }) => {
      await submit({ name, category, body });
      return { status: 202 };
    },
    'POST /campaigns': async ({ template, variables, to }) => {
      await send({ to, type: 'template', template: { name: template, language: 'en', variables } });
      return { status: 202, body: { campaign: 'sent' } };
    },
    'POST /logins': async ({ phone }) => {
      const { body } = await call('/v1/otp/send', { to: phone });
      // MISTAKE 16: the browser gets the service's own otp_id. COST: anyone who sees it can use up its five attempts.
      return { status: 202, body: { login: body.otp_id ?? null } };
    },
    // MISTAKE 17: a code is a number. COST: one in ten customers cannot sign in, because their code starts with a zero.
    // MISTAKE 18: an invalid code is verified again, and there is no way to get a new one. COST: customers leave.
    'POST /logins/:/code': async ({ code }, id) => {
      const { body } = await call('/v1/otp/verify', { otp_id: id, code: Number(code) });
      return body.valid ? { status: 200, body: { signed_in: true } } : { status: 401, body: { error: 'wrong_code' } };
    },
  };

  const server = createWeb({ handlers, receive, changed: async () => {}, log: () => {} });
  await new Promise((done) => server.listen(port, host, () => done(undefined)));
  const address = server.address();
  const ownPort = typeof address === 'object' && address ? address.port : port;

  // MISTAKE 19: the endpoint is registered once and never checked. COST: after a day of downtime, the endpoint is
  // paused without notice, and the shop receives no events until a customer complains. (webhook-down-24h)
  const events = ['message.received', 'message.status', 'otp.verified', 'template.status'];
  await call('/v1/webhooks', { url: `${publicUrl ?? `https://localhost:${ownPort}`}/hooks/messaging`, events });
  // MISTAKE 20: every start submits all templates, even existing ones. COST: meaningless errors, which hide the one
  // that matters. (happy-path)
  await submit({ name: 'order_shipped', category: 'utility', body: 'Order {{1}} is on its way.' });

  return {
    url: `http://127.0.0.1:${ownPort}`,
    idle: () => Promise.resolve(false),
    async close() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}
