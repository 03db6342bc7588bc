/** Sends API calls from the page, as an application would, and keeps the responses. */
import { signal, type Signal } from '@preact/signals';
import { monotonicMs } from '../../core/browser.js';
import { model } from '../../core/current.js';
import { draft } from '../../core/preference.js';
import { type Call, headersOf, headerText } from '../../core/snippets.js';
import type { Values } from './form.js';

export interface Answer {
  readonly call: Call;
  /** Null without a response. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Id of the call in the request journal. */
  readonly requestId: string | null;
  readonly durationMs: number;
}

/** The latest response by account and form, until the page is closed. */
export const answers = signal<Readonly<Record<string, Answer>>>({});

/** The input of a form in the current account. */
export function typedIn(form: string): Signal<Values> {
  return draft<Values>(`send/${model.value.key}/${form}`, {});
}

/** @throws TypeError if the browser rejects a header, a method or the address */
export async function sendCall(call: Call, key: string): Promise<Answer> {
  const request = new Request(location.origin + call.path, {
    method: call.method,
    headers: headersOf(call, key).map(({ name, value }): [string, string] => [name, headerText(value)]),
    // Sent as bytes: for a string, the browser would set a content type.
    body: call.body === null ? null : new TextEncoder().encode(call.body),
    cache: 'no-store',
  });
  const startMs = monotonicMs();
  const response = await fetch(request).catch(() => null);
  const text = await response?.text().catch(() => null);
  const came = response !== null && text !== null && text !== undefined;
  return {
    call,
    status: came ? response.status : null,
    headers: came ? Object.fromEntries(response.headers) : {},
    text: came ? text : '',
    requestId: response?.headers.get('x-sandbox-request') ?? null,
    durationMs: monotonicMs() - startMs,
  };
}

interface ServiceError {
  readonly code: string;
  readonly message: string;
  readonly details: readonly { readonly field: string; readonly message: string }[];
}

/** Returns the error in a response; null if there is none. */
export function errorOf(answer: Answer | undefined): ServiceError | null {
  const { error } = Object(jsonOf(answer?.text ?? '')) as { error?: Partial<ServiceError> };
  if (error?.code === undefined || error.message === undefined) return null;
  return { code: error.code, message: error.message, details: error.details ?? [] };
}

/** Parses a JSON text; returns null for any other text. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
