/** The journal of API calls, and the calls that were rejected before they had an account. */
import { isoTime } from '../../domain/instant.js';
import { requestList } from './lists.js';
import { everything, findRows, type List, listAll, readFilter } from './filters.js';
import type { RejectedCall } from '../rejected-calls.js';
import type { ControlHandlers } from './handler.js';

const rejectedList: List<RejectedCall> = {
  show: ({ atMs, query, headers, ...call }) => ({
    ...call,
    at: isoTime(atMs),
    request: { headers, ...(query !== '' && { query }) },
  }),
  fields: { search: ({ id, path, message }) => [id, path, message] },
};

export const requests: ControlHandlers = {
  countRequests: ({ account, query }) => {
    const { after } = query;
    const page = { ...everything, ...(typeof after === 'number' && { cursor: after }) };
    return { count: findRows(requestList, account, readFilter(query), page).items.length };
  },

  clearRequests: ({ account }) => {
    account.store.update(() => account.store.tables.requests.clear());
    return undefined;
  },

  listRefused: (context) => listAll(rejectedList, context.service.rejected.all, context),
};
