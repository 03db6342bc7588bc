import type { ResponseBody } from './response-body.js';
import type { SendFailure } from './send-error.js';
import type { Outcome, SendRequest } from './sender-types.js';

/** The state of an attempt, filled as it goes, so that a failure at any point has a complete record. */
export class AttemptTrace {
  sentTo: string;
  plain = false;
  headers: Readonly<Record<string, string>>;
  status: number | null = null;
  responseHeaders: Readonly<Record<string, string>> = {};
  responseBody: Pick<ResponseBody, 'text' | 'truncated'> = { text: '', truncated: false };
  /** What the attempt is doing, as the end of "… while ". */
  doing = 'looking up the host';

  constructor(private readonly request: SendRequest) {
    this.sentTo = request.url;
    this.headers = request.headers;
  }

  /** @param failure null for success. */
  outcome(failure: SendFailure | null, durationMs: number): Outcome {
    const outcome: { -readonly [K in keyof Outcome]: Outcome[K] } = {
      ok: failure === null,
      status: this.status,
      durationMs: Math.round(durationMs),
      sentTo: this.sentTo,
      plain: this.plain,
      request: { url: this.request.url, headers: this.headers, body: this.request.body.toString() },
    };
    if (failure !== null) outcome.error = { code: failure.code, message: failure.message };
    if (failure?.hint !== undefined) outcome.hint = failure.hint;
    if (this.status !== null) {
      const { text, truncated } = this.responseBody;
      outcome.response = { headers: this.responseHeaders, body: text, truncated };
    }
    return outcome;
  }
}
