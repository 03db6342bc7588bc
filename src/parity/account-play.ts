/** One account of a capture, played in the sandbox: what the capture shows of its state is arranged before each call. */
import type { CapturedCall, CapturedEvent } from './capture.js';
import { dataOf, typeOf } from './event-values.js';
import { operationOf } from './operation-of.js';
import { leavesOf } from './values.js';

type Json = Readonly<Record<string, unknown>>;

/** One response or event of the capture beside the sandbox's. Ids of the sandbox are replaced by theirs. */
export interface Pair {
  readonly place: string;
  /** An operationId such as `sendMessage`, or the type of an event. */
  readonly what: string;
  readonly theirs: {
    readonly status: number | null;
    readonly body: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly ours: {
    readonly status: number | null;
    readonly body: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** An id in their form. */
  readonly subject?: string;
  readonly fact?: Json;
}

/** Names of ids in responses and calls, all of which the interface document shows. */
const idNames = ['message_id', 'otp_id', 'template_id', 'webhook_id', 'batch_id', 'wamid', 'secret'];

const says = (call: CapturedCall, word: string): boolean => leavesOf(call.response).some(({ value }) => value === word);
const succeeded = ({ status }: CapturedCall): boolean => status >= 200 && status < 300;

export class AccountPlay {
  /** Theirs → ours. */
  readonly #ids = new Map<string, string>();
  #nowMs = -Infinity;

  constructor(
    private readonly url: string,
    private readonly key: string,
    /** The service does not know the key. */
    private readonly isUnknown = false,
  ) {}

  theirIds(): string[] {
    return [...this.#ids.keys()];
  }

  async #call(method: string, path: string, body?: unknown, key: string | null = this.key) {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      parsed = undefined;
    }
    return { status: response.status, body: parsed };
  }

  /** Automatic changes would differ from the capture, and no endpoint of the capture gets anything. */
  async prepare(calls: readonly CapturedCall[]): Promise<void> {
    for (const [when, then] of [
      ['message.send', { lifecycle: 'silent' }],
      ['otp.send', { lifecycle: 'silent' }],
      ['template.review', { review: { status: 'pending' } }],
      ['webhook.deliver', { webhook: { drop: true } }],
    ] as const)
      await this.#call('POST', '/_sandbox/rules', { when, then });
    // Templates that the capture uses and does not create.
    const created = new Set(
      calls
        .filter((call) => operationOf(call) === 'createTemplate')
        .map(({ body }) => (body as Json | undefined)?.['name']),
    );
    for (const call of calls) {
      const { template, to } = (call.body ?? {}) as { template?: unknown; to?: unknown };
      if (!succeeded(call) || to === undefined) continue;
      const isOtp = operationOf(call) === 'sendOtp';
      const {
        name,
        language = 'en',
        variables = [],
      } = (typeof template === 'object' ? template : { name: template }) as {
        name?: string;
        language?: string;
        variables?: unknown[];
      };
      const wanted = name ?? (isOtp && created.size === 0 ? 'parity_code' : undefined);
      if (wanted === undefined || created.has(wanted)) continue;
      created.add(wanted);
      const text = variables.map((_, index) => `{{${index + 1}}}`).join(' ');
      const about = isOtp ? { category: 'authentication' } : { category: 'utility', body: `Text ${text}` };
      const { body } = await this.#call('POST', '/v1/templates', { name: wanted, language, ...about });
      await this.#review((body as Json | undefined)?.['template_id'], 'approved');
    }
  }

  #review(id: unknown, decision: unknown) {
    return this.#call('POST', `/_sandbox/templates/${String(id)}/review`, { decision });
  }

  #ours(text: string): string {
    return this.#ids.get(text) ?? text;
  }

  async play(call: CapturedCall): Promise<Pair> {
    const what = operationOf(call);
    if (call.atMs !== null && call.atMs > this.#nowMs) {
      this.#nowMs = call.atMs;
      await this.#call('POST', '/_sandbox/clock/advance', { to: new Date(call.atMs).toISOString() });
    }
    const sent = (await this.#bodyFor(what, call)) as Json | undefined;
    await this.#arrange(what, call);
    const path = call.path.replace(/[^/]+$/, (id) => this.#ours(decodeURIComponent(id)));
    const key = call.status === 401 || this.isUnknown ? null : this.key;
    const ours = await this.#call(
      call.method,
      path,
      call.method === 'GET' || call.method === 'DELETE' ? undefined : sent,
      key,
    );
    this.#pairIds(call.response, ours.body);
    const { status, response: body, place } = call;
    const subject = call.path.split('/').at(-1) ?? '';
    return { place, what, subject, theirs: { status, body }, ours: { ...ours, body: this.#inTheirIds(ours.body) } };
  }

  /** The body of a call with our ids; a code is right or wrong as theirs was. */
  async #bodyFor(what: string, { body, response }: CapturedCall): Promise<unknown> {
    if (what !== 'verifyOtp' || typeof body !== 'object' || body === null) return body;
    const { otp_id: theirs } = body as { otp_id?: unknown };
    const id = this.#ours(String(theirs));
    const { body: otp } = await this.#call('GET', `/_sandbox/otps/${id}`);
    const { code = '000000' } = (otp ?? {}) as { code?: string };
    const isRight = (response as Json | undefined)?.['valid'] === true;
    return { ...body, otp_id: id, ...('code' in body && { code: isRight ? code : wrong(code) }) };
  }

  /** The state that the response shows. */
  async #arrange(what: string, call: CapturedCall): Promise<void> {
    const { body, response } = call as { body?: { to?: unknown; type?: unknown; template?: unknown }; response?: Json };
    if (what === 'sendMessage' && typeof body?.to === 'string' && body.type !== 'template') {
      const open = !says(call, 'send_failed');
      await this.#call('PUT', `/_sandbox/customers/${encodeURIComponent(body.to)}/window`, { open });
    }
    const name = typeof body?.template === 'object' ? (body.template as Json | null)?.['name'] : body?.template;
    if (succeeded(call) && typeof name === 'string') await this.#approve((each) => each['name'] === name);
    if (what === 'sendOtp' && succeeded(call) && name === undefined)
      await this.#approve((each) => each['category'] === 'authentication');
    if (what === 'verifyOtp' && says(call, 'otp_expired')) await this.#expire(call.body as Json);
    if (!succeeded(call)) return;
    if (what === 'getMessage') {
      const id = this.#ours(call.path.split('/').at(-1) ?? '');
      const status = response?.['status'];
      const error = status === 'failed' ? { error: failureName(response?.['error']) } : {};
      await this.#call('POST', `/_sandbox/messages/${id}/status`, { status, ...error });
    }
    const templates =
      what === 'getTemplate' ? [response] : what === 'listTemplates' ? (response?.['templates'] as Json[]) : [];
    for (const each of templates) {
      const { id, status, rejection_reason: reason } = (each ?? {}) as Record<string, unknown>;
      if (status === 'approved') await this.#review(this.#ours(String(id)), 'approved');
      if (status === 'rejected')
        await this.#call('POST', `/_sandbox/templates/${this.#ours(String(id))}/review`, {
          decision: 'rejected',
          ...(typeof reason === 'string' && { reason }),
        });
    }
    if (what === 'listWebhooks')
      for (const { value, path } of leavesOf(response).filter((leaf) => leaf.value === 'paused')) {
        const entry = path.slice(0, -1).reduce<unknown>((at, key) => (at as Json)[key], response) as Json;
        if (value !== null)
          await this.#call('PUT', `/_sandbox/webhooks/${this.#ours(String(entry['id']))}`, { status: 'paused' });
      }
  }

  async #approve(fits: (template: Json) => boolean): Promise<void> {
    const { body } = await this.#call('GET', '/_sandbox/templates?limit=1000');
    for (const each of ((body as { items?: Json[] } | undefined)?.items ?? []).filter(fits))
      if (each['status'] === 'pending') await this.#review(each['id'], 'approved');
  }

  async #expire({ otp_id: theirs }: Json): Promise<void> {
    const { body } = await this.#call('GET', `/_sandbox/otps/${this.#ours(String(theirs))}`);
    const { expires_at: to } = (body ?? {}) as { expires_at?: string };
    if (to !== undefined) await this.#call('POST', '/_sandbox/clock/advance', { to });
  }

  #pairIds(theirs: unknown, ours: unknown): void {
    if (typeof theirs !== 'object' || theirs === null || typeof ours !== 'object' || ours === null) return;
    for (const name of idNames) {
      const [one, other] = [(theirs as Json)[name], (ours as Json)[name]];
      if (typeof one === 'string' && typeof other === 'string') this.#ids.set(one, other);
    }
    const [these, those] = [(theirs as Json)['results'], (ours as Json)['results']];
    if (Array.isArray(these) && Array.isArray(those)) these.forEach((each, index) => this.#pairIds(each, those[index]));
  }

  #inTheirIds(body: unknown): unknown {
    const back = new Map([...this.#ids].map(([theirs, ours]) => [ours, theirs]));
    const within = (value: unknown): unknown => {
      if (typeof value === 'string') return back.get(value) ?? value;
      if (Array.isArray(value)) return value.map(within);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, within(each)]));
    };
    return within(body);
  }

  /** Returns the reason if the event cannot be emitted. */
  async emit({ place, body, headers }: CapturedEvent, known: ReadonlySet<string>): Promise<Pair | string> {
    if (typeof body !== 'object' || body === null) return 'its body is not JSON';
    const what = typeOf(body, headers);
    if (what === null) return 'neither its body nor a header names one of the four events';
    const data = dataOf(what, body, known);
    const url = 'https://sink.sandbox/parity';
    await this.#call('POST', '/_sandbox/webhooks', { url, events: [what] });
    const { status, body: made } = await this.#call('POST', '/_sandbox/events', { type: what, data });
    if (status !== 200) return `the sandbox cannot make this ${what}`;
    await this.#call('POST', '/_sandbox/clock/advance', { by: '1s' });
    const { event } = made as { event: Json };
    const { body: got } = await this.#call('GET', '/_sandbox/sink/parity/received?order=desc&limit=1');
    const [last] = (got as { items: { body: string; headers: Record<string, string> }[] }).items;
    if (!last) return `the sandbox did not send this ${what}`;
    return {
      ...{ place, what, theirs: { status: null, body, headers } },
      ours: { status: null, body: JSON.parse(last.body) as unknown, headers: last.headers },
      fact: event,
    };
  }
}

function failureName(error: unknown): string | number {
  const found = leavesOf(error).find(({ value }) => typeof value === 'number' && value > 300)?.value;
  return typeof found === 'number' ? found : 'undeliverable';
}

const wrong = (code: string): string => code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
