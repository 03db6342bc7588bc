/**
 * Checks every response and event of a running sandbox against both documents. Its schemas are compiled separately from
 * the product's.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { defaultDialect } from '../../../src/dialect/index.js';
import { documentsOf } from '../../../src/documents.js';
import type { Observer } from '../../../src/sandbox.js';
import type { Sender } from '../../../src/webhooks/exchange.js';
import { captureResponses, type Captured } from './capture.js';
import { checkEvent, DocumentCheck } from './document-check.js';
import { valueAt, type Finding } from './finding.js';

export interface Violation extends Finding {
  readonly of: 'api' | 'control' | 'event';
  /** The call or event that violated the document, for people. */
  readonly subject: string;
}

export class Oracle {
  readonly violations: Violation[] = [];
  readonly checked = { api: 0, control: 0, event: 0 };
  /** Responses and events that a scenario or a caller made invalid on purpose. */
  excused = 0;
  readonly observer: Observer;
  readonly #checks: Readonly<Record<'api' | 'control', DocumentCheck>>;
  /** Events whose data a caller may choose freely. */
  readonly #free = new Set<unknown>();

  constructor(dialect = defaultDialect) {
    const ajv = () => new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
    const documents = documentsOf(dialect);
    this.#checks = {
      api: new DocumentCheck(documents.api, ajv()),
      control: new DocumentCheck(documents.control, ajv()),
    };
    this.observer = {
      listener: (listener) => captureResponses(listener, (captured) => this.#response(captured)),
      sender: (sender) => this.#observed(sender),
    };
  }

  /** @throws with all findings, each kind once */
  requireClean(): void {
    if (this.violations.length === 0) return;
    const kinds = new Set(
      this.violations.map(({ of, subject, where, expected, found }) => {
        return `${of} ${subject} ${where}: ${expected}; found ${found}`;
      }),
    );
    throw new Error(
      `The sandbox broke its own documents ${this.violations.length} times:\n${[...kinds].slice(0, 20).join('\n')}`,
    );
  }

  #response({ plane, method, path, scripted, body, call, response }: Captured): void {
    if (scripted) {
      this.excused += 1;
      return;
    }
    const check = this.#checks[plane];
    const route = check.match(method, path);
    const findings = route ? check.response(route.path, route.method, response) : check.stray(response);
    // The documents describe the response to a failure of the sandbox, but there should be none.
    if (response.status === 500) {
      findings.push({ where: 'status', expected: 'no failure of the sandbox', found: `500 ${body.slice(0, 200)}` });
    }
    const operation = route?.operationId ?? null;
    if (operation === 'emitEvent' && valueAt(call, '/webhook/body') === 'unknown_type') {
      this.#free.add(valueAt(JSON.parse(body), '/event/id'));
    }
    this.#record(plane, `${operation ?? `${method} ${path}`} ${response.status}`, findings);
  }

  #observed(sender: Sender): Sender {
    return {
      send: (request) => {
        const { id, type, findings } = checkEvent(this.#checks.api, request);
        if (request.faulty === true || (findings.length > 0 && this.#free.has(id))) this.excused += 1;
        else this.#record('event', `${type} to ${request.url}`, findings);
        return sender.send(request);
      },
      close: () => sender.close(),
    };
  }

  #record(of: Violation['of'], subject: string, findings: readonly Finding[]): void {
    this.checked[of] += 1;
    for (const finding of findings) this.violations.push({ of, subject, ...finding });
  }
}
