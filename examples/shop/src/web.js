/**
 * The shop's own HTTP interface. `/hooks/messaging` is for the service. The rest is for the shop's pages and staff; in
 * production, it is behind the shop's own authentication.
 */
import { createServer } from 'node:http';
import { parseObject, readBody } from './body.js';

const PHONE = /^\+[1-9]\d{6,14}$/;
const MOST_RECIPIENTS = 100;

/** @typedef {{ status: number, body?: object, retryAfterMs?: number }} Reply */
/** @typedef {(body: Record<string, any>, ...parts: string[]) => Reply | Promise<Reply>} Handler */

/** The browser sent invalid input. */
class BadInput extends Error {}

/** @param {unknown} value @param {string} name @param {RegExp} [form] @returns {string} */
function text(value, name, form = /\S/) {
  if (typeof value === 'string' && form.test(value)) return value;
  throw new BadInput(`${name} is ${JSON.stringify(value) ?? 'missing'}; it must be a text that fits ${form}`);
}

/** @param {unknown} value @param {string} name @returns {string[]} */
function texts(value, name) {
  if (!Array.isArray(value)) throw new BadInput(`${name} is ${JSON.stringify(value) ?? 'missing'}; it must be a list`);
  return value.map((item, index) => text(item, `${name}[${index}]`, name === 'to' ? PHONE : undefined));
}

/**
 * @param {object} shop
 * @param {ReturnType<typeof import('./orders.js').createOrders>} shop.orders
 * @param {ReturnType<typeof import('./conversation.js').createConversation>} shop.conversation
 * @param {import('./outbox.js').Outbox} shop.outbox
 * @param {import('./templates.js').Templates} shop.templates
 * @param {import('./login.js').LoginDesk} shop.login
 * @param {import('./store.js').Store} shop.store
 * @returns {Record<string, Handler>}
 */
export function routes({ orders, conversation, outbox, templates, login, store }) {
  return {
    'GET /livez': () => ({ status: 200, body: { ok: true } }),
    'GET /received': () => ({ status: 200, body: { received: store.facts.received } }),
    'POST /orders': ({ number, phone, name }) => {
      const placed = orders.place(
        text(number, 'number'),
        text(phone, 'phone', PHONE),
        name === undefined ? null : text(name, 'name'),
      );
      return { status: placed ? 201 : 409, body: { number } };
    },
    'GET /orders/:': (_body, number) => found(orders.show(number)),
    'POST /orders/:/ship': (_body, number) => ({ status: orders.ship(number) ? 202 : 404 }),
    'POST /customers/:/messages': (body, phone) => {
      conversation.say(text(phone, 'phone', PHONE), text(body.text, 'text'));
      return { status: 202 };
    },
    'POST /templates': ({ name, category, body }) => {
      const known = templates.get(text(name, 'name'));
      // A name stays taken, even after a rejection. Improve the text and use another name.
      if (known) return { status: 409, body: { error: 'name_is_taken', status: known.status } };
      templates.submit(name, { category: text(category, 'category'), language: 'en', body: text(body, 'body') });
      return { status: 202 };
    },
    'POST /campaigns': ({ template, variables, to }) => {
      if (!templates.get(text(template, 'template'))) return { status: 404, body: { error: 'no_such_template' } };
      const everybody = [...new Set(texts(to, 'to'))];
      const values = texts(variables, 'variables');
      const ids = [];
      for (let at = 0; at < everybody.length; at += MOST_RECIPIENTS) {
        const some = everybody.slice(at, at + MOST_RECIPIENTS);
        ids.push(outbox.add({ to: some, batch: true, template, variables: values }));
      }
      return { status: 202, body: { campaign: ids.join('-') } };
    },
    'GET /campaigns/:': (_body, ids) => {
      const parts = ids.split('-').map((id) => outbox.outcome(id));
      return found(parts.includes(null) ? null : Object.assign({}, ...parts));
    },
    'POST /logins': ({ phone }) => login.start(text(phone, 'phone', PHONE)),
    'GET /logins/:': (_body, id) => login.show(id),
    'POST /logins/:/resend': (_body, id) => login.resend(id),
    'POST /logins/:/code': ({ code }, id) => login.enter(id, text(code, 'code', /^\d{4,8}$/)),
  };
}

/** @param {object | null} body @returns {Reply} */
const found = (body) => (body === null ? { status: 404 } : { status: 200, body });

/**
 * @param {object} parts
 * @param {Record<string, Handler>} parts.handlers
 * @param {(request: import('node:http').IncomingMessage) => Promise<number>} parts.receive
 * @param {() => Promise<unknown>} parts.changed called after each call that may have changed something, before its answer
 * @param {(line: string) => void} parts.log
 */
export function createWeb({ handlers, receive, changed, log }) {
  const table = Object.entries(handlers).map(([route, handler]) => {
    const [method, path = ''] = route.split(' ');
    return { method, form: new RegExp(`^${path.replaceAll(':', '([^/]+)')}$`), handler };
  });

  /** @param {import('node:http').IncomingMessage} request @returns {Promise<Reply>} */
  async function answer(request) {
    const { pathname } = new URL(request.url ?? '/', 'http://shop');
    if (pathname === '/hooks/messaging' && request.method === 'POST') return { status: await receive(request) };
    const route = table.find(({ method, form }) => method === request.method && form.test(pathname));
    if (!route) return { status: 404 };
    const parts = (route.form.exec(pathname) ?? []).slice(1).map(decodeURIComponent);
    const raw = await readBody(request, 64 * 1024);
    const body = raw && (raw.length > 0 ? parseObject(raw) : {});
    if (!body) throw new BadInput('the body is not a JSON object of at most 64 KB');
    const reply = await route.handler(body, ...parts);
    if (request.method === 'POST') await changed();
    return reply;
  }

  return createServer((request, response) => {
    answer(request)
      .catch((error) => {
        if (error instanceof BadInput || error instanceof URIError)
          return { status: 400, body: { error: error.message } };
        log(`${request.method} ${request.url}: ${error instanceof Error ? error.stack : error}`);
        return { status: 500 };
      })
      .then((/** @type {Reply} */ { status, body, retryAfterMs }) => {
        if (retryAfterMs !== undefined) response.setHeader('Retry-After', Math.ceil(retryAfterMs / 1000));
        if (body) response.setHeader('Content-Type', 'application/json');
        response.writeHead(status).end(body && JSON.stringify(body));
      });
  });
}
