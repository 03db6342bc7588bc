/** The journal of API calls, and the calls that were rejected before they had an account. */
import { isoTime } from '../../domain/instant.js';
import { requestList } from './lists.js';
import { everything, findRows, pageOfAll, pageQuery, readFilter, shownPage } from './filters.js';
import type { RejectedCall } from '../rejected-calls.js';
import type { ControlHandlers } from './handler.js';

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

  listRefused: ({ query, service }) => shownPage(pageOfAll(service.rejected.all, pageQuery(query)), showRejected),
};

function showRejected({ atMs, query, headers, ...call }: RejectedCall) {
  return { ...call, at: isoTime(atMs), request: { headers, ...(query !== '' && { query }) } };
}
