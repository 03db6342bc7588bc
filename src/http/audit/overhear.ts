/**
 * Overhears every answer on its way out, as it goes out: status, headers and bytes (the self-audit of `--audit`).
 */
import type { ServerResponse } from 'node:http';
import { exchangeOf, hasExchange, type Call, type Step } from '../api/request-context.js';
import { pathOf } from '../api/query.js';
import { auditAnswer, type Audited, type ContractAudit } from './audit.js';
import type { Finding } from './finding.js';
import type { OverheardAnswer } from './document-check.js';

/** Larger bodies (a snapshot of 256 MB may be downloaded) are let pass: to parse them would hold up everybody. */
const largestAuditedBytes = 16 * 1024 * 1024;

export function overhear(audit: ContractAudit): Step {
  return (request, response, next) => {
    listen(response, (status, headers, chunks) => {
      judge(audit, request, status, headers, chunks);
    });
    next();
  };
}

type Heard = (status: number, headers: Record<string, string>, chunks: readonly Buffer[]) => void;

/** Headers handed to `writeHead` are nowhere to be read afterwards, so they are remembered here. */
function listen(response: ServerResponse, heard: Heard): void {
  const write = bound(response, 'write');
  const end = bound(response, 'end');
  const writeHead = bound(response, 'writeHead');
  const chunks: Buffer[] = [];
  let head: Record<string, string> = {};
  const take = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encoding === 'latin1' ? 'latin1' : 'utf8'));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  const wrapped: Record<'write' | 'end' | 'writeHead', Method> = {
    writeHead: (...args) => {
      head = { ...head, ...lowerCase(args.at(-1)) };
      return writeHead(...args);
    },
    write: (...args) => {
      take(args[0], args[1]);
      return write(...args);
    },
    end: (...args) => {
      take(args[0], args[1]);
      heard(response.statusCode, { ...lowerCase(response.getHeaders()), ...head }, chunks);
      return end(...args);
    },
  };
  Object.assign(response, wrapped);
}

type Method = (...args: unknown[]) => unknown;

/** A method with its overloads laid aside. */
function bound(response: ServerResponse, name: 'write' | 'end' | 'writeHead'): Method {
  const methods = response as unknown as Record<typeof name, Method>;
  return methods[name].bind(response);
}

function judge(
  audit: ContractAudit,
  request: Call,
  status: number,
  headers: Record<string, string>,
  chunks: readonly Buffer[],
): void {
  const path = pathOf(request.originalUrl);
  const { method } = request;
  const plane = path === '/v1' || path.startsWith('/v1/') ? 'api' : 'control';
  const exchange = hasExchange(request) ? exchangeOf(request) : null;
  // What a rule wanted to be said is the scenario's word, not ours; a rate limit is refused in our own.
  const scripted = exchange !== null && exchange.fault !== null && exchange.fault !== 'limit';
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (scripted || size > largestAuditedBytes) {
    audit.excuse();
    return;
  }
  const match = audit[plane].match(method, path);
  const audited: Audited = {
    of: plane,
    operation: match.kind === 'operation' ? match.route.operationId : null,
    request: exchange?.id ?? null,
    account: exchange?.account.key ?? null,
    method,
    path,
    status,
  };
  const answer = { status, headers, body: method === 'HEAD' ? null : Buffer.concat(chunks) };
  audit.record(audited, [...auditAnswer(audit[plane], method, path, answer), ...ourFailure(answer)]);
}

/** The document knows how a failure of ours looks; that there is one is a violation all the same. */
function ourFailure({ status, body }: OverheardAnswer): Finding[] {
  if (status !== 500) return [];
  return [
    {
      where: 'status',
      expected: 'no failure of the sandbox itself; its log says more',
      found: `500 ${body?.toString('utf8').slice(0, 200) ?? ''}`,
    },
  ];
}

function lowerCase(headers: unknown): Record<string, string> {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return {};
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}
