/**
 * The self-audit (`--audit`): everything the sandbox says is held against its own documents while in use. What breaks them
 * is kept, counted and told once; nothing is held back because of it.
 */
import type { HostTime } from '../../time/system-clock.js';
import type { OpenApiDocument } from '../api/route-table.js';
import type { Finding } from './finding.js';
import type { DocumentCheck, OverheardAnswer } from './document-check.js';

/** What was audited: a call that was answered, or an event that was handed to a receiver. */
export interface Audited {
  readonly of: 'api' | 'control' | 'event';
  /** The operationId, the event's type, or null for a path that is none. */
  readonly operation: string | null;
  /** Id of the journal entry, or of the delivery. */
  readonly request: string | null;
  /** Whose account it was, where that is known. */
  readonly account: string | null;
  readonly method: string;
  /** The path of a call, the URL of an endpoint. */
  readonly path: string;
  readonly status: number | null;
}

export interface Violation extends Audited, Finding {
  /** Counts all violations of this process. */
  readonly seq: number;
  /** Machine time in milliseconds: accounts differ in theirs. */
  readonly atMs: number;
}

/** Violations kept; of more, the oldest go. */
export const mostViolations = 500;

/** Events on demand that are remembered; their deliveries go out at once, or are retried for a day. */
const mostGiven = 10_000;

export interface AuditParts {
  readonly documents: { readonly api: OpenApiDocument; readonly control: OpenApiDocument };
  readonly host: HostTime;
  /** Told each kind of violation once. */
  readonly warn: (text: string) => void;
}

export class ContractAudit {
  readonly api: DocumentCheck;
  readonly control: DocumentCheck;
  readonly #parts: AuditParts;
  readonly #kept: Violation[] = [];
  readonly #told = new Set<string>();
  /** Events whose data a caller gave, the latest of them. */
  readonly #given = new Set<string>();
  readonly #checked = { api: 0, control: 0, event: 0 };
  #excused = 0;
  #count = 0;

  constructor(parts: AuditParts, checks: { readonly api: DocumentCheck; readonly control: DocumentCheck }) {
    this.#parts = parts;
    this.api = checks.api;
    this.control = checks.control;
  }

  /** How many of each were looked at. */
  get checked(): Readonly<Record<Audited['of'], number>> {
    return { ...this.#checked };
  }

  /** How many were let pass because a scenario or a caller wanted them to be nonsense. */
  get excused(): number {
    return this.#excused;
  }

  /** How many violations there were in all, those included that are not kept any more. */
  get count(): number {
    return this.#count;
  }

  /** The latest, oldest first. */
  get violations(): readonly Violation[] {
    return this.#kept;
  }

  excuse(): void {
    this.#excused += 1;
  }

  /** A caller gave data of this event: if that is nonsense, it is wanted so. */
  noteGiven(eventId: string): void {
    this.#given.add(eventId);
    if (this.#given.size <= mostGiven) return;
    const [oldest] = this.#given;
    if (oldest !== undefined) this.#given.delete(oldest);
  }

  isGiven(eventId: string): boolean {
    return this.#given.has(eventId);
  }

  record(audited: Audited, findings: readonly Finding[]): void {
    this.#checked[audited.of] += 1;
    for (const finding of findings) {
      this.#count += 1;
      this.#kept.push({ seq: this.#count, atMs: this.#parts.host.now(), ...audited, ...finding });
      if (this.#kept.length > mostViolations) this.#kept.shift();
      this.#tell(audited, finding);
    }
  }

  /** Each kind once, or a log would hold little else. */
  #tell({ of, operation, status }: Audited, { where, expected, found }: Finding): void {
    const kind = `${of} ${operation ?? 'unknown path'} ${status ?? ''} ${where} ${expected}`;
    if (this.#told.has(kind) || this.#told.size === mostViolations) return;
    this.#told.add(kind);
    this.#parts.warn(`Contract violation: ${kind}; found ${found}. See GET /_sandbox/contract/violations.`);
  }
}

/** An answer held against the document, whatever plane it belongs to. */
export function auditAnswer(judge: DocumentCheck, method: string, path: string, answer: OverheardAnswer): Finding[] {
  const match = judge.match(method, path);
  return match.kind === 'operation' ? judge.answer(match.route.path, match.route.method, answer) : judge.stray(answer);
}
