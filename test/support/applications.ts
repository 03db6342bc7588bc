/**
 * Two small applications of the service, for playing scenarios with: one that reads the document and one that hopes for the
 * best. Both are asked for the same things.
 */
import { verify } from '@octokit/webhooks-methods';
import type { World } from './client.js';
import { startReceiver, type Received, type Receiver } from './receivers.js';

export interface Notice {
  readonly to: string;
  readonly template: string;
  readonly variables: readonly string[];
}

export interface Submission {
  readonly name: string;
  readonly category: string;
  readonly body: string;
}

/** What somebody types who signs in; null when they give up. */
export type Typing = () => Promise<string | null>;

interface Reply {
  readonly status: number;
  readonly retryAfter: number;
  readonly body: {
    readonly error?: { readonly code: string };
    readonly message_id?: string;
    readonly results?: readonly { readonly to: string; readonly ok: boolean }[];
    readonly otp_id?: string;
    readonly valid?: boolean;
    readonly secret?: string;
    readonly webhooks?: readonly { readonly status: string }[];
    readonly templates?: readonly { readonly name: string; readonly status: string }[];
  };
}

interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: { from?: string; to?: string; text?: string; status?: string; name?: string };
}

/** Status 0 stands for a connection that broke. */
const broken: Reply = { status: 0, retryAfter: 0, body: {} };
const allEvents = ['message.received', 'message.status', 'otp.verified', 'template.status'];

export abstract class Application {
  protected secret = '';
  #receiver: Receiver | null = null;

  /** @param wait lets so many seconds of account time pass */
  constructor(
    private readonly world: World,
    protected readonly wait: (seconds: number) => Promise<unknown>,
  ) {}

  async open(): Promise<void> {
    this.#receiver = await startReceiver((response, request) => {
      void this.take(request).then((status) => response.writeHead(status).end());
    });
    await this.register();
  }

  async close(): Promise<void> {
    await this.#receiver?.close();
  }

  async submit({ name, category, body }: Submission): Promise<void> {
    await this.ask('POST', '/v1/templates', { name, category, body, language: 'en' });
  }

  abstract notify(notices: readonly Notice[]): Promise<void>;
  abstract tell(to: string, text: string): Promise<void>;
  abstract broadcast(to: readonly string[], template: string): Promise<void>;
  abstract signIn(to: string, typing: Typing): Promise<void>;
  /** Comes by now and then. */
  abstract tick(): Promise<void>;
  /** Answers a delivery with an HTTP status. */
  protected abstract take(request: Received): Promise<number>;

  protected async register(): Promise<void> {
    const url = this.#receiver?.url('/hook') ?? '';
    this.secret = (await this.ask('POST', '/v1/webhooks', { url, events: allEvents })).body.secret ?? '';
  }

  protected async ask(method: string, path: string, body?: object): Promise<Reply> {
    try {
      const answer = await this.world.call<Reply['body']>(method, path, body);
      const retryAfter = Number(answer.headers.get('retry-after') ?? 0);
      return { status: answer.status, retryAfter, body: answer.body };
    } catch {
      return broken;
    }
  }

  protected send({ to, template, variables }: Omit<Notice, 'to'> & { to: string | readonly string[] }): object {
    return { to, type: 'template', template: { name: template, language: 'en', variables } };
  }
}

/** Verifies, waits, remembers, and looks before it acts. */
export class CarefulApplication extends Application {
  readonly #handled = new Set<string>();
  readonly #unreachable = new Set<string>();
  /** Templates that cannot be used at present, with what waits for them. */
  readonly #waiting = new Map<string, Notice[]>();
  readonly #untold = new Map<string, string>();
  readonly #sent: string[] = [];

  override async submit(template: Submission): Promise<void> {
    this.#waiting.set(template.name, []);
    await super.submit(template);
  }

  async notify(notices: readonly Notice[]): Promise<void> {
    for (const notice of notices) {
      const queue = this.#waiting.get(notice.template);
      if (queue) queue.push(notice);
      else if (!this.#unreachable.has(notice.to)) await this.#notifyNow(notice);
    }
  }

  async tell(to: string, text: string): Promise<void> {
    const { body } = await this.#try('POST', '/v1/messages', { to, type: 'text', text });
    if (body.error?.code !== 'send_failed') return;
    this.#untold.set(to, text);
    await this.notify([{ to, template: 'may_we_write', variables: [to] }]);
  }

  async broadcast(to: readonly string[], template: string): Promise<void> {
    const { body } = await this.#try('POST', '/v1/messages', this.send({ to, template, variables: ['all'] }));
    for (const result of body.results ?? []) if (!result.ok) this.#unreachable.add(result.to);
  }

  async signIn(to: string, typing: Typing): Promise<void> {
    for (let codes = 0; codes < 3; codes += 1) {
      const { body } = await this.#try('POST', '/v1/otp/send', { to });
      if (await this.#verified(body.otp_id ?? '', typing)) return;
    }
  }

  async tick(): Promise<void> {
    const { body } = await this.ask('GET', '/v1/webhooks');
    if (body.webhooks?.some(({ status }) => status === 'paused') === true) {
      await this.register();
      for (const id of this.#sent) await this.ask('GET', `/v1/messages/${id}`);
    }
    if (this.#waiting.size === 0) return;
    const listed = (await this.ask('GET', '/v1/templates')).body.templates ?? [];
    for (const { name, status } of listed) await this.#learn(name, status);
  }

  protected async take({ headers, body }: Received): Promise<number> {
    const signature = String(headers['x-service-signature'] ?? '');
    if (signature === '' || !(await verify(this.secret, body, signature))) return 401;
    const event = JSON.parse(body) as Event;
    if (this.#handled.has(event.id)) return 200;
    this.#handled.add(event.id);
    await this.#handle(event);
    return 200;
  }

  async #handle({ type, data: { from = '', to = '', text = '', status = '', name = '' } }: Event): Promise<void> {
    if (type === 'message.status' && status === 'failed') this.#unreachable.add(to);
    if (type === 'template.status') await this.#learn(name, status);
    if (type !== 'message.received') return;
    const answer = this.#untold.get(from) ?? `Thank you for "${text}".`;
    this.#untold.delete(from);
    await this.tell(from, answer);
  }

  async #learn(template: string, status: string): Promise<void> {
    const queue = this.#waiting.get(template);
    if (!queue || (status !== 'approved' && status !== 'rejected')) return;
    this.#waiting.delete(template);
    if (status === 'approved') await this.notify(queue);
  }

  async #notifyNow(notice: Notice): Promise<void> {
    const { body } = await this.#try('POST', '/v1/messages', this.send(notice));
    if (body.message_id !== undefined) this.#sent.push(body.message_id);
    if (body.error?.code === 'template_not_approved') this.#waiting.set(notice.template, [notice]);
  }

  async #verified(otpId: string, typing: Typing): Promise<boolean> {
    for (;;) {
      const code = await typing();
      if (code === null) return false;
      const { body } = await this.#try('POST', '/v1/otp/verify', { otp_id: otpId, code });
      if (body.valid === true) return true;
      if (body.error) return false;
    }
  }

  /** Tries again what may be tried again, a few times, after the time that the answer asks for. */
  async #try(method: string, path: string, body: object): Promise<Reply> {
    let reply = await this.ask(method, path, body);
    const worthIt = ({ status, body: { error } }: Reply) =>
      status === 0 || status >= 500 || error?.code === 'rate_limited';
    for (let tries = 1; tries < 5 && worthIt(reply); tries += 1) {
      await this.wait(Math.max(1, reply.retryAfter));
      reply = await this.ask(method, path, body);
    }
    return reply;
  }
}

/** Trusts everybody, waits for nobody, and starts over when something fails. */
export class CarelessApplication extends Application {
  readonly #rejected: Submission[] = [];
  /** Failed messages that it sends once more before it gives up. */
  #patience = 10;

  override async submit(template: Submission): Promise<void> {
    this.#rejected.push(template);
    await super.submit(template);
  }

  async notify(notices: readonly Notice[]): Promise<void> {
    for (let round = 0; round < 5; round += 1) {
      let failed = false;
      for (const notice of notices) {
        // The order's number is what matters; who reads the rest of a template?
        const body = this.send({ ...notice, variables: notice.variables.slice(0, 1) });
        failed = (await this.ask('POST', '/v1/messages', body)).status !== 200;
        if (failed) break;
      }
      if (!failed) return;
    }
  }

  async tell(to: string, text: string): Promise<void> {
    for (let tries = 0; tries < 5; tries += 1) {
      if ((await this.ask('POST', '/v1/messages', { to, type: 'text', text })).status === 200) return;
    }
  }

  async broadcast(to: readonly string[], template: string): Promise<void> {
    const body = this.send({ to, template, variables: ['all'] });
    const { body: first } = await this.ask('POST', '/v1/messages', body);
    if (first.results?.every(({ ok }) => ok) !== true) await this.ask('POST', '/v1/messages', body);
  }

  async signIn(to: string, typing: Typing): Promise<void> {
    const { body } = await this.ask('POST', '/v1/otp/send', { to });
    for (let tries = 0; tries < 5; tries += 1) {
      const code = await typing();
      if (code === null) return;
      const asNumber = { otp_id: body.otp_id, code: Number(code) };
      const { body: answer } = await this.ask('POST', '/v1/otp/verify', asNumber);
      if (answer.valid === true) return;
    }
  }

  /** What should there be to look at? */
  tick(): Promise<void> {
    return Promise.resolve();
  }

  protected async take({ body }: Received): Promise<number> {
    try {
      const { type, data } = JSON.parse(body) as Event;
      if (!allEvents.includes(type)) return 500;
      if (type === 'message.received') await this.tell(data.from ?? '', `Thank you for "${data.text ?? ''}".`);
      if (type === 'template.status' && data.status === 'rejected') await this.#insist(data.name ?? '');
      if (type === 'message.status' && data.status === 'failed' && this.#patience > 0) {
        this.#patience -= 1;
        await this.notify([{ to: data.to ?? '', template: 'promo_spring', variables: ['you'] }]);
      }
      return 200;
    } catch {
      return 500;
    }
  }

  async #insist(name: string): Promise<void> {
    const again = this.#rejected.find((template) => template.name === name);
    if (again) await super.submit(again);
  }
}
