/**
 * A template, its placeholders and its review.
 * Interface §2.2, §3.2, §4.6; contract §2 rows 2.1/8, 2.2 and 3.2.
 */
import type { Explain } from './explain.js';
import type { Row } from './row.js';

export type TemplateCategory = 'marketing' | 'utility' | 'authentication';
export type TemplateStatus = 'pending' | 'approved' | 'rejected' | 'paused' | 'deleted';

/** A state that a template came into, and when. */
export interface TemplateEntry {
  readonly status: TemplateStatus;
  readonly atMs: number;
}

export interface Template extends Row {
  readonly name: string;
  readonly category: TemplateCategory;
  readonly language: string;
  /** Null for an authentication template without a body of its own. */
  readonly body: string | null;
  readonly buttons?: readonly unknown[];
  readonly status: TemplateStatus;
  /** Every state in order. Templates stored by the first version have none from before their next move. */
  readonly history?: readonly TemplateEntry[];
  readonly rejectionReason: string | null;
  readonly createdAtMs: number;
  /** The sequence number of the latest approval: the default OTP template is the latest approval, not the latest creation. */
  readonly approvedSeq: number | null;
  readonly explain: Explain;
}

/** What an authentication template without a body says; its one variable is the code (contract §2, row 2.2). */
const authenticationBody = '{{1}} is your verification code.';

export function templateBody(template: Pick<Template, 'body'>): string {
  return template.body ?? authenticationBody;
}

const placeholder = /\{\{([^{}]*)\}\}/g;

/** What is wrong with a body's placeholders, as a sentence, or null. They are `{{1}}`, `{{2}}` …, contiguous from 1. */
export function placeholderProblem(body: string): string | null {
  const seen = new Set<number>();
  for (const [whole, inside] of body.matchAll(placeholder)) {
    if (!/^[1-9]\d{0,3}$/.test(inside ?? '')) return `${whole} is no placeholder: use {{1}}, {{2}} and so on`;
    seen.add(Number(inside));
  }
  for (let n = 1; n <= seen.size; n += 1) {
    if (!seen.has(n)) return `placeholders must be numbered from {{1}} without gaps: {{${n}}} is missing`;
  }
  return null;
}

let latestBody = '';
let latestCount = 0;

/** How many variables a body takes: its highest placeholder. Most bodies are asked about many times in a row. */
export function variableCount(body: string): number {
  if (body === latestBody) return latestCount;
  let highest = 0;
  for (const [, inside] of body.matchAll(placeholder)) highest = Math.max(highest, Number(inside));
  latestBody = body;
  latestCount = highest;
  return highest;
}

/** The body as the customer reads it. */
export function fillTemplate(body: string, variables: readonly string[]): string {
  return body.replace(placeholder, (whole, inside: string) => variables[Number(inside) - 1] ?? whole);
}

/** Moves the platform owner can make besides a review: approved and paused both ways, anything to deleted. */
export function mayBecome(from: TemplateStatus, to: 'approved' | 'paused' | 'deleted'): boolean {
  if (from === 'deleted') return false;
  if (to === 'deleted') return true;
  return (from === 'approved' && to === 'paused') || (from === 'paused' && to === 'approved');
}

/** A new state with its place in the history. */
export function inState(
  template: Pick<Template, 'history'> | null,
  status: TemplateStatus,
  nowMs: number,
): Required<Pick<Template, 'status' | 'history'>> {
  return { status, history: [...(template?.history ?? []), { status, atMs: nowMs }] };
}
