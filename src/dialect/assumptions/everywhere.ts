import type { Assumption } from './assumption.js';

/** What holds for every call. */
export const everywhere: readonly Assumption[] = [
  {
    section: 'all',
    point: 'Status of a created template or endpoint',
    choice: '200, as for every other GET and POST',
    reason: 'A client that checks for 200 alone works, and so does one that checks for any 2xx.',
    setting: 'http.created',
  },
  {
    section: '4.11',
    point: 'Answer of a removal',
    choice: '204 without a body; with the setting at 200 the body is `{"id", "deleted": true}`',
    reason: 'Nobody can come to rely on a body that is not there.',
    setting: 'http.deleted',
  },
  {
    section: 'all',
    point: 'HEAD',
    choice: 'Answered wherever GET is, with the same head and no body; `Allow` names the methods of the document',
    reason: 'HTTP asks that of every server (RFC 9110, 9.1), and load balancers and link checkers rely on it.',
  },
  {
    section: 'all',
    point: 'Properties and query parameters that are not described',
    choice: 'Ignored, with a warning in the journal',
    reason: 'A newer client keeps working, and a typing slip can still be found.',
  },
  {
    section: 'all',
    point: 'Values of the wrong type',
    choice: 'Refused, never converted: `"6"` is no integer',
    reason: 'What passes here must pass a stricter service too.',
  },
  {
    section: 'all',
    point: 'Form of ids and timestamps',
    choice: 'UUIDs in v4 form, lower case; `YYYY-MM-DDTHH:mm:ss.sssZ` from the account clock',
    reason: 'One spelling everywhere makes answers comparable as text.',
  },
];
