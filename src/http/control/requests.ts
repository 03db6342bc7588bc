/** The journal of API calls, and the calls that were rejected before they had an account. */
import { isoTime } from '../../domain/instant.js';
import { requestList } from './lists.js';
import { everything, type Fields, findRows, glob, httpStatus, listAll, readFilter, searchIn } from './filters.js';
import type { RejectedCall } from '../rejected-calls.js';
import type { ControlHandlers } from './handler.js';

export const rejectedFields: Fields<RejectedCall> = {
  id: { of: (row) => row.id },
  method: { of: (row) => row.method },
  path: { of: (row) => row.path, ...glob },
  status: { of: (row) => row.status, ...httpStatus },
  error: { of: (row) => row.error },
  search: searchIn(({ id, path, message }) => [id, path, message]),
};

export const requests: ControlHandlers = {
  countRequests: ({ account, query }) => {
    const { after } = query;
    const page = { ...everything, ...(typeof after === 'number' && { cursor: after }) };
    return { count: findRows(requestList, account, readFilter(requestList.fields, query), page).items.length };
  },

  clearRequests: ({ account }) => {
    account.store.update(() => account.store.tables.requests.clear());
    return undefined;
  },

  listRefused: (context) => listAll(rejectedFields, context.service.rejected.all, context, showRejected),
};

function showRejected({ atMs, query, headers, ...call }: RejectedCall) {
  return { ...call, at: isoTime(atMs), request: { headers, ...(query !== '' && { query }) } };
}
