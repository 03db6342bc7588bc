import type { Assumption } from './assumption.js';

/** Assumptions that apply to every call. */
export const everywhere: readonly Assumption[] = [
  {
    section: 'all',
    point: 'Status of a created template or endpoint',
    choice: '200, as for every other GET and POST',
    reason: 'Clients that check for 200 and clients that check for any 2xx both work.',
    setting: 'http.created',
  },
  {
    section: '4.11',
    point: 'Response to a removal',
    choice: '204 without a body; with the setting at 200 the body is `{"id", "deleted": true}`',
    reason: 'Clients cannot depend on an empty body.',
    setting: 'http.deleted',
  },
  {
    section: 'all',
    point: 'HEAD',
    choice: 'Supported wherever GET is, with the same headers and no body; `Allow` lists the methods of the document',
    reason: 'HTTP requires it of every server (RFC 9110, 9.1), and load balancers and link checkers depend on it.',
  },
  {
    section: 'all',
    point: 'Properties and query parameters that are not described',
    choice: 'Ignored, with a warning in the journal',
    reason: 'A newer client keeps working, and a typo can still be found.',
  },
  {
    section: 'all',
    point: 'Values of the wrong type',
    choice: 'Rejected, never converted: `"6"` is not an integer',
    reason: 'A request that passes here must also pass a stricter service.',
  },
  {
    section: 'all',
    point: 'Form of ids and timestamps',
    choice: 'UUIDs in v4 form, lower case; `YYYY-MM-DDTHH:mm:ss.sssZ` from the account clock',
    reason: 'One spelling makes responses comparable as text.',
  },
];
