/** The type of the server's tools, and the common parts of their results. */
import type { z } from 'zod';
import type { SandboxAccount } from '../client/account.js';
import type { Session } from './session.js';

export interface Tool {
  readonly title: string;
  readonly description: string;
  readonly input: Readonly<Record<string, z.ZodType>>;
  /** Whether the tool changes nothing. */
  readonly reads?: true;
  readonly run: (session: Session, input: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

interface ToolOf<Input extends Readonly<Record<string, z.ZodType>>> extends Omit<Tool, 'input' | 'run'> {
  readonly input: Input;
  readonly run: (session: Session, input: z.infer<z.ZodObject<Input>>) => Promise<unknown>;
}

/** Returns the tool. Only `run` has the type of the input, which the server has validated. */
export function tool<Input extends Readonly<Record<string, z.ZodType>>>(parts: ToolOf<Input>): Tool {
  return parts as unknown as Tool;
}

/** Returns the address of a record in the web UI. */
export function linkTo({ url, apiKey }: SandboxAccount, panel: string, id?: string): string {
  const place = [apiKey, panel, ...(id === undefined ? [] : [id])].map(encodeURIComponent).join('/');
  return `${url}/_sandbox/ui#/${place}`;
}

export type Item = Readonly<Record<string, unknown>>;

/** The fields that distinguish items; the tool `explain` returns the others. */
const shown = [
  ...['id', 'otp_id', 'phone', 'seq', 'at', 'created_at', 'method', 'path', 'operation', 'status', 'error', 'type'],
  ...['direction', 'from', 'to', 'text', 'name', 'code', 'state', 'event_type', 'url', 'data', 'window'],
];

export function short(item: Item): Item {
  const known = shown.flatMap((name) => (item[name] === undefined || item[name] === null ? [] : [[name, item[name]]]));
  const { explain, attempts } = item as { explain?: { text?: string }; attempts?: readonly { status: unknown }[] };
  return {
    ...(Object.fromEntries(known) as Item),
    ...(explain?.text !== undefined && { explain: explain.text }),
    ...(attempts && { attempts: attempts.map(({ status }) => status) }),
  };
}

export function unlessMissing(error: unknown): null {
  if (typeof error === 'object' && error !== null && 'status' in error && error.status === 404) return null;
  throw error;
}
