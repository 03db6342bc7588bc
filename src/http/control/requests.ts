/** The journal of API calls, and the calls that were rejected before they had an account. */
import { showRequest } from '../../presenters/control/request.js';
import { isoTime } from '../../domain/instant.js';
import type { RequestRecord } from '../../domain/request-record.js';
import type { Tables } from '../../store/tables/account-data.js';
import { compileGlob } from '../../scenario/engine/matchers.js';
import { operationIdOf } from '../../scenario/engine/operation-names.js';
import { pageRequests, type RequestFilter } from '../../store/tables/filters.js';
import type { Page, PageQuery } from '../../store/tables/page.js';
import { found } from './find.js';
import type { RefusedCall } from '../refused-calls.js';
import type { ControlHandlers } from './handler.js';
import { pageOfAll, pageQuery, shownPage, text } from './listing.js';

export const requests: ControlHandlers = {
  listRequests: ({ account, query }) =>
    shownPage(findRequests(account.store.tables, requestFilter(query), pageQuery(query)), showRequest),

  getRequest: ({ account, params }) => {
    const id = params['id'] ?? '';
    return showRequest(found(account.store.tables.requests.get(id), 'request', id));
  },

  countRequests: ({ account, query }) => {
    const { after, ...rest } = query;
    const page = { limit: Number.MAX_SAFE_INTEGER, ...(typeof after === 'number' && { cursor: after }) };
    return { count: findRequests(account.store.tables, requestFilter(rest), page).items.length };
  },

  clearRequests: ({ account }) => {
    account.store.update(() => account.store.tables.requests.clear());
    return undefined;
  },

  listRefused: ({ query, service }) => shownPage(pageOfAll(service.refused.all, pageQuery(query)), showRefused),
};

function showRefused({ atMs, query, headers, ...call }: RefusedCall) {
  return { ...call, at: isoTime(atMs), request: { headers, ...(query !== '' && { query }) } };
}

const slice = 500;

/**
 * Exact filters are answered by the indexes. What no index can say (a path with `*`, a class such as `4xx`) is looked for
 * among the rest, slice by slice: the journal is bounded, so this is too.
 */
export function findRequests(tables: Tables, filter: RequestFilter, query: PageQuery): Page<RequestRecord> {
  const { path, status } = filter;
  const tests: ((record: RequestRecord) => boolean)[] = [];
  const exact: { -readonly [K in keyof RequestFilter]: RequestFilter[K] } = { ...filter };
  if (path?.includes('*') === true) {
    const fits = compileGlob(path);
    tests.push((record) => fits(record.path));
    exact.path = undefined;
  }
  if (status?.endsWith('xx') === true) {
    tests.push((record) => String(record.status).startsWith(status.charAt(0)));
    exact.status = undefined;
  }
  if (tests.length === 0) return pageRequests(tables, exact, query);
  const items: RequestRecord[] = [];
  for (let cursor = query.cursor; ;) {
    const page = pageRequests(tables, exact, { ...query, limit: slice, ...(cursor !== undefined && { cursor }) });
    for (const record of page.items) {
      if (!tests.every((test) => test(record))) continue;
      if (items.length === query.limit) return { items, next: items.at(-1)?.seq ?? null };
      items.push(record);
    }
    if (page.next === null) return { items, next: null };
    cursor = page.next;
  }
}

export function requestFilter(query: Readonly<Record<string, unknown>>): RequestFilter {
  const operation = text(query, 'operation');
  return {
    path: text(query, 'path'),
    method: text(query, 'method')?.toUpperCase(),
    status: text(query, 'status'),
    operation: operation === undefined ? undefined : operationIdOf(operation),
  };
}
