import type { components as ApiComponents } from '../../src/generated/api.js';
import type { components as ControlComponents } from '../../src/generated/control.js';
import type { Sandbox } from '../../src/sandbox.js';
import type { DocumentCheck } from './document-check.js';

export type Api = ApiComponents['schemas'];
export type Control = ControlComponents['schemas'];

export interface Answer<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/**
 * What an application or a test has: a base URL and a key. Every method except `call` throws unless the response is a
 * 2xx.
 */
class Client {
  constructor(
    readonly url: string,
    readonly key: string,
    /** If given, every response has to be as the documents describe it. */
    private readonly check?: DocumentCheck,
  ) {}

  /** Makes one JSON call, whatever the response. A text or a Buffer is sent unchanged as the body. */
  async call<T = Refusal>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const raw = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: raw }),
    });
    const text = await response.text();
    this.check?.response(method, path, { status: response.status, headers: response.headers, text }, raw);
    const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as T };
  }

  get = <T>(path: string): Promise<T> => this.#must('GET', path);
  post = <T>(path: string, body?: unknown): Promise<T> => this.#must('POST', path, body);
  put = <T>(path: string, body?: unknown): Promise<T> => this.#must('PUT', path, body);
  delete = <T = ''>(path: string): Promise<T> => this.#must('DELETE', path);

  async #must<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.call<T>(method, path, body);
    if (answer.status >= 200 && answer.status <= 299) return answer.body;
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
}

/** The error envelope, loosely typed: the response to a rejected call. */
export interface Refusal {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details?: readonly { readonly field?: string; readonly message: string }[];
    readonly near_misses?: readonly Control['NearMiss'][];
    readonly cycle?: readonly string[];
    readonly in_flight?: number;
  };
}

interface List<T> {
  readonly items: T[];
  readonly next: number | null;
}

/** One account of a sandbox, with the calls that most tests make. */
export class World extends Client {
  register(url: string, events: readonly string[] = ['message.status']): Promise<Api['WebhookRegistration']> {
    return this.post('/v1/webhooks', { url, events });
  }

  /** Sends a text to a customer, after opening the window. */
  async text(to = '+12025550110', text = 'Hello'): Promise<string> {
    await this.put(`/_sandbox/customers/${to}/window`, { open: true });
    return this.reply(to, text);
  }

  /** Sends a text to a customer whose window is open. */
  async reply(to: string, text = 'Hello'): Promise<string> {
    return (await this.post<{ message_id: string }>('/v1/messages', { to, type: 'text', text })).message_id;
  }

  /** Submits a template, which is approved by default. */
  async template(name: string, fields: object = {}, approve = true): Promise<string> {
    const wanted = { name, category: 'utility', language: 'en', body: 'Order {{1}} left', ...fields };
    const { template_id: id } = await this.post<{ template_id: string }>('/v1/templates', wanted);
    if (approve) await this.post(`/_sandbox/templates/${id}/review`, { decision: 'approved' });
    return id;
  }

  send(to: string | readonly string[], name: string, variables: readonly string[] = ['42']): Promise<SendAnswer> {
    return this.post('/v1/messages', { to, type: 'template', template: { name, language: 'en', variables } });
  }

  /** Writes as a customer; returns immediately, even on a frozen clock. */
  inbound(from: string, more: object = {}): Promise<Control['InboundResult']> {
    return this.post('/_sandbox/inbound', { from, settle: false, ...more });
  }

  advance(by: string): Promise<Control['AdvanceResult']> {
    return this.post('/_sandbox/clock/advance', { by });
  }

  clock(): Promise<Control['Clock']> {
    return this.get('/_sandbox/clock');
  }

  /** Waits until everything that is due now has happened, including responses of receivers. */
  idle(): Promise<Control['IdleResult']> {
    return this.post('/_sandbox/idle');
  }

  async items<T = Record<string, unknown>>(path: string): Promise<T[]> {
    return (await this.get<List<T>>(path)).items;
  }

  page<T = { seq: number }>(path: string): Promise<List<T>> {
    return this.get(path);
  }

  deliveries(filter = ''): Promise<Control['Delivery'][]> {
    return this.items(`/_sandbox/deliveries${filter}`);
  }

  /** The first delivery, with the bodies of its attempts. */
  async firstDelivery(): Promise<Control['Delivery']> {
    return this.get(`/_sandbox/deliveries/${(await this.deliveries())[0]?.id}`);
  }

  events(filter = ''): Promise<Control['Event'][]> {
    return this.items(`/_sandbox/events${filter}`);
  }
}

interface SendAnswer {
  readonly message_id: string;
  readonly status: string;
  readonly batch_id: string;
  readonly results: readonly { readonly to: string; readonly ok: boolean; readonly message_id: string }[];
}

let worlds = 0;

/** A new account, so that tests of one file do not affect each other. */
export function newWorld(
  { url, check }: Pick<Sandbox, 'url'> & { readonly check?: DocumentCheck },
  key = `world-${(worlds += 1)}`,
): World {
  return new World(url, key, check);
}
