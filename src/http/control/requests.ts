/** The journal of API-plane calls (contract §4). */
import { showRequest } from '../../presenters/control.js';
import { pageRequests, type RequestFilter } from '../../store/filters.js';
import { operationNamed } from './operation-name.js';
import { found } from './find.js';
import type { ControlHandlers } from './handler.js';
import { pageQuery, shownPage, text } from './listing.js';

export const requests: ControlHandlers = {
  listRequests: ({ account, query }) =>
    shownPage(pageRequests(account.store.tables, requestFilter(query), pageQuery(query)), showRequest),

  getRequest: ({ account, params }) => {
    const id = params['id'] ?? '';
    return showRequest(found(account.store.tables.requests.get(id), 'request', id));
  },

  countRequests: ({ account, query }) => {
    const { after, ...rest } = query;
    const page = { limit: Number.MAX_SAFE_INTEGER, ...(typeof after === 'number' && { cursor: after }) };
    return { count: pageRequests(account.store.tables, requestFilter(rest), page).items.length };
  },

  clearRequests: ({ account }) => {
    account.store.update(() => account.store.tables.requests.clear());
    return undefined;
  },
};

export function requestFilter(query: Readonly<Record<string, unknown>>): RequestFilter {
  const operation = text(query, 'operation');
  return {
    path: text(query, 'path'),
    method: text(query, 'method')?.toUpperCase(),
    status: text(query, 'status'),
    operation: operation === undefined ? undefined : operationNamed(operation),
  };
}
