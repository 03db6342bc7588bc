/**
 * The same shop, as it is often written: it worked when it was tried. Each mistake is marked with what it costs once there
 * are customers, and with the scenario or the check that finds it. Do not copy from here.
 */
import { createWeb } from '../src/web.js';

/** @param {import('../src/shop.js').Settings} settings */
export async function startShop({ baseUrl, apiKey, publicUrl, port = 0, host = '127.0.0.1' }) {
  // MISTAKE 1: everything is in memory. COSTS: each restart forgets what was sent, who wrote STOP, and the secret.
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
    // MISTAKE 2: no limit of time. COSTS: one response that never comes blocks its caller forever (number …0143).
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
    // MISTAKE 3: whatever fails is tried again, at once, whatever the reason. COSTS: a throttled account is throttled harder;
    // a text outside the window, a template under review or paused is knocked about for nothing; and when the first call got
    // through but its answer did not, the customer has it twice. (rate-limited, closed-window, template-paused-midway)
    for (let tries = 0; tries < 5; tries += 1) {
      const { ok, body } = await call('/v1/messages', message);
      // MISTAKE 4: a batch with failures is a failed batch, so all of it goes out again. COSTS: those who got it get it again,
      // and are billed again. (batch-partial-failure)
      if (ok && body.results?.some((/** @type {{ ok: boolean }} */ result) => !result.ok))
        await call('/v1/messages', message);
      if (ok) return true;
    }
    return false;
  }

  /** @param {string} number */
  async function tell(number) {
    const { phone = '' } = orders.get(number) ?? {};
    // MISTAKE 5: nobody looks whether the template is approved. COSTS: every update of the first day is lost, because
    // mistake 3 gives up after a few milliseconds of a review that takes hours. (slow-review, template-rejected)
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
      // MISTAKE 6: nobody asks whether this event was here before. COSTS: an answer for each time that it is delivered, and
      // at-least-once delivery means that it will be. (webhook-chaos; certify: deduplicates)
      await send({ to: data.from, type: 'text', text: `Thank you for "${data.text}". We are looking into it.` });
      // MISTAKE 7: STOP is a message like any other. COSTS: complaints, and in time the number itself.
    } else if (type === 'message.status') {
      // MISTAKE 8: failed means "send it again". COSTS: customers who blocked us get messages until the channel lowers our
      // quality rating and the limit of everybody's messages with it. (recipient-blocked)
      if (data.status === 'failed' && patience > 0 && lastSent.has(data.to)) {
        patience -= 1;
        await send({ ...lastSent.get(data.to), to: data.to });
      }
      // MISTAKE 9: the latest status that comes in is the status. COSTS: "read" turns back into "delivered" whenever events
      // overtake each other.
      for (const order of orders.values()) if (order.phone === data.to) order.state = data.status;
    } else if (type === 'template.status') {
      // MISTAKE 10: what was rejected is submitted again, word for word. COSTS: nothing but refusals, names being unique;
      // with a new name each time, the account. (template-rejected)
      const rejected = submitted.get(data.name);
      if (data.status === 'rejected' && rejected) await submit(rejected);
    } else if (type !== 'otp.verified') {
      // MISTAKE 11: an unknown event is an error. COSTS: on the day the service adds one, every delivery of it fails, and
      // after 24 hours the endpoint is paused, together with the events that we do know. (certify: unknown-type)
      throw new Error(`unknown event ${type}`);
    }
  }

  /** @param {import('node:http').IncomingMessage} request @returns {Promise<number>} */
  async function receive(request) {
    let text = '';
    for await (const chunk of request) text += chunk;
    // MISTAKE 12: the signature is not checked. COSTS: anyone who finds the URL can send fake orders, opt-outs and sign-ins.
    // And text += chunk breaks letters that lie across two chunks. (webhook-chaos; certify: all forgeries)
    try {
      const event = JSON.parse(text);
      received += 1;
      // MISTAKE 13: the work is done before the answer. COSTS: when the API is slow the answer takes more than 10 seconds,
      // the event comes again, is worked on again (mistake 6), and makes the API slower. (certify: answers-promptly)
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
      // MISTAKE 14: if an update does not go out, all of the day are sent once more, to be on the safe side. COSTS: the
      // patience of everybody whose update had arrived. (flaky-api)
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
      // MISTAKE 15: nobody knows of the 24-hour window. COSTS: the refusal is final, and the customer never hears of the
      // parcel at the post office; a template would have reached them. (closed-window)
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
      // MISTAKE 16: the browser gets the service's own otp_id. COSTS: anybody who sees it can use up its five tries.
      return { status: 202, body: { login: body.otp_id ?? null } };
    },
    // MISTAKE 17: a code is a number. COSTS: one in ten customers, those whose code begins with a zero, cannot sign in.
    // MISTAKE 18: a dead code is asked about again, and there is no way to a new one. COSTS: they start over elsewhere.
    'POST /logins/:/code': async ({ code }, id) => {
      const { body } = await call('/v1/otp/verify', { otp_id: id, code: Number(code) });
      return body.valid ? { status: 200, body: { signed_in: true } } : { status: 401, body: { error: 'wrong_code' } };
    },
  };

  const server = createWeb({ handlers, receive, changed: async () => {}, log: () => {} });
  await new Promise((done) => server.listen(port, host, () => done(undefined)));
  const address = server.address();
  const ownPort = typeof address === 'object' && address ? address.port : port;

  // MISTAKE 19: registered once, never looked at again. COSTS: after a day on which our server was down the endpoint is
  // paused, nobody says so, and the shop is deaf until a customer complains. (webhook-down-24h)
  const events = ['message.received', 'message.status', 'otp.verified', 'template.status'];
  await call('/v1/webhooks', { url: `${publicUrl ?? `https://localhost:${ownPort}`}/hooks/messaging`, events });
  // MISTAKE 20: every start submits everything, whatever is there already. COSTS: errors that mean nothing, among which the
  // one that means something is not seen. (happy-path)
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
