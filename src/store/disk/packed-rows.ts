/**
 * Reads the packed rows of older checkpoints: a finished message was one array, `["ID",SEQ,…]`, and a customer who had
 * never written was `["NUMBER",SEQ]`. A part shared by several messages was stored once, under `parts`. The trigger
 * `schedule` of an attempt had another name.
 */
import type { Customer } from '../../domain/customer.js';
import { wamidOf } from '../../random/ids.js';
import { renameTrigger } from '../schema/account-schema.js';
import { isObject } from '../../domain/check.js';

/** The history of most messages: its entries were packed as distances from the first instant. */
const usualHistory = ['accepted', 'sent', 'delivered', 'read'];

/** Returns the content of a checkpoint with an object for each row. Row checks report a row that cannot be unpacked. */
export function unpackRows({ parts, ...content }: Record<string, unknown>): Record<string, unknown> {
  const { tables } = content;
  if (!isObject(tables)) return content;
  if (Array.isArray(tables.attempts)) tables.attempts.forEach(renameTrigger);
  const shared = isObject(parts) && Array.isArray(parts.messages) ? (parts.messages as unknown[]) : [];
  return {
    ...content,
    tables: {
      ...tables,
      ...rowsOf(tables, 'messages', (row) => messageOf(row, shared)),
      ...rowsOf(tables, 'customers', customerOf),
    },
  };
}

function rowsOf(tables: Record<string, unknown>, name: string, unpack: (row: readonly unknown[]) => object): object {
  const rows = tables[name];
  if (!Array.isArray(rows) || !rows.some(Array.isArray)) return {};
  const unpacked = rows.map((row: unknown): unknown => {
    if (!Array.isArray(row)) return row;
    try {
      return unpack(row);
    } catch {
      return row;
    }
  });
  return { [name]: unpacked };
}

function customerOf([id, seq]: readonly unknown[]): Customer {
  return { id: id as string, seq: seq as number, profileName: null, lastInboundAtMs: null, windowClosesAtMs: null };
}

function messageOf(row: readonly unknown[], shared: readonly unknown[]): object {
  const [id, seq, origin, customer, type, status, serial, createdAtMs, history, content, explain, more = {}] = row;
  const { batch, error = null, ...rest } = more as { batch?: number; error?: unknown };
  return {
    id,
    seq,
    // Absent if the rest of the row contains the whole id.
    ...(serial !== null && { wamid: wamidOf(customer as string, serial as string) }),
    origin,
    customer,
    type,
    content: contentOf(content as object, shared),
    status,
    error,
    createdAtMs,
    history: historyOf(history as unknown[], createdAtMs as number),
    ...(batch !== undefined && { batchId: shared[batch] }),
    ...rest,
    explain: typeof explain === 'number' ? shared[explain] : explain,
  };
}

/** If several messages shared the template, it is a number, and the variables are next to it. */
function contentOf(content: object, shared: readonly unknown[]): object {
  const { template, variables } = content as { template?: unknown; variables?: unknown };
  return typeof template === 'number' ? { template: { ...(shared[template] as object), variables } } : content;
}

function historyOf(history: readonly unknown[], createdAtMs: number): unknown[] {
  return history.map((entry, i) =>
    typeof entry === 'number' ? { status: usualHistory[i], atMs: createdAtMs + entry } : entry,
  );
}
