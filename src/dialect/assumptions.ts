import { statusSetting } from './settings.js';

/** One decision of ours where the interface document is silent (contract 2). */
export interface Assumption {
  /** Section of the interface document that leaves it open. */
  readonly section: string;
  /** What is open. */
  readonly point: string;
  /** What the sandbox does. */
  readonly choice: string;
  /** Why that, and not something else. */
  readonly reason: string;
  /** Dialect key that turns it, where there is one. */
  readonly setting?: string;
}

/** Every such decision, in the order of the sections. `docs/assumptions.md` is printed from this. */
export const assumptions: readonly Assumption[] = [
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
  {
    section: '2.1',
    point: 'Further properties of `template`, and a place for `template_id`',
    choice: 'Ignored, with a warning in the journal',
    reason: 'Guessing a meaning would let a wrong request pass as a right one.',
  },
  {
    section: '2.1',
    point: 'Shape of `wamid`',
    choice: '`wamid.` and base64 of a layout with the length and digits of the number and 18 hex characters',
    reason: 'It has the length and alphabet of a real one, so columns and patterns get a fair test.',
  },
  {
    section: '2.1, 7',
    point: "A failed message's `error`",
    choice: '`{"code", "message", "channel_code"}`: a stable name, a sentence, the number of the channel',
    reason: 'A name to branch on, a text to show, and the number that the channel documents.',
  },
  {
    section: '2.1, 8',
    point: 'Size of a text',
    choice: '1 to 4096 code points',
    reason: 'The limit of the channel; code points are the same in every language, bytes and UTF-16 units are not.',
  },
  {
    section: '2.1, 8',
    point: 'Size of a template body and of an interactive body',
    choice: '1 to 1024 code points',
    reason: 'The limit of the channel.',
  },
  {
    section: '2.1, 8',
    point: 'Quick-reply buttons of an interactive message',
    choice: '1 to 3, with unique ids (1 to 256) and unique titles (1 to 20)',
    reason: 'The limits of the channel; two equal ids could not be told apart in the reply.',
  },
  {
    section: '2.1, 8',
    point: 'What counts as E.164',
    choice: '`^\\+[1-9]\\d{6,14}$`',
    reason: 'The standard allows 15 digits; nothing dialled internationally is shorter than 7.',
  },
  {
    section: '2.1, 8',
    point: 'What counts as a publicly reachable `media_url`',
    choice: 'Any absolute http or https address; it is never fetched',
    reason: 'A sandbox makes no network calls of its own; a scenario can let the fetch fail.',
  },
  {
    section: '2.2',
    point: 'Shape of a template button',
    choice:
      '`{"type": "quick_reply" | "url" | "phone_number" | "copy_code", "text", …}`, at most 10, kept and echoed as sent',
    reason: 'These are the kinds that the channel knows; the rest of each is left to the caller.',
  },
  {
    section: '2.2',
    point: 'Form and scope of a template name',
    choice: '`^[a-z][a-z0-9_]{0,511}$`, unique per account across languages, taken even after deletion',
    reason: 'The document says lowercase, underscores and unique; a deleted template can still be read by its id.',
  },
  {
    section: '2.2',
    point: 'Placeholders and variables',
    choice:
      'Numbered from 1 without a gap, nothing but a number in them; as many variables as the highest number, all strings',
    reason: 'Anything else would send a message with a hole in it.',
  },
  {
    section: '2.2',
    point: 'Variables of an authentication template without a body',
    choice: 'One, the code',
    reason: 'The channel writes the text of these itself and leaves room for the code.',
  },
  {
    section: '2.2, 4.7',
    point: 'Whether a look-up shows `body` and `buttons`',
    choice: 'The buttons, when some were submitted; not the body',
    reason:
      'Section 4.7 lists neither; buttons are echoed because their shape is ours, and has to be seen to be checked.',
  },
  {
    section: '2.2',
    point: 'Which language codes are accepted',
    choice: 'The shape of BCP-47, with hyphens or underscores, such as `en`, `pt-BR`, `en_US`',
    reason: 'The channel itself writes underscores; a closed list would be wrong next month.',
  },
  {
    section: '3.1',
    point: 'Order of the message states',
    choice: 'accepted, sent, delivered, read; failed from any but read; read and failed are final, nothing moves back',
    reason: 'It is the order in which things happen to a message.',
  },
  {
    section: '3.1',
    point: 'What a look-up says before the channel reported',
    choice: '`sent`, with a `wamid`',
    reason: 'Section 2.1 allows the look-up four states, and accepted is none of them.',
  },
  {
    section: '3.2',
    point: '`pending` and `pending_review`',
    choice: 'One state: the submission says `pending_review`, look-ups say `pending`',
    reason: 'Each is what its own section lists.',
  },
  {
    section: '3.2',
    point: 'Moves into and out of `paused` and `deleted`',
    choice:
      'approved to paused and back, any to deleted, by control plane or scenario; a deleted one can still be read',
    reason: 'The interface offers no call for them, so they belong to the platform owner.',
  },
  {
    section: '3.2, 6',
    point: 'Which template moves fire `template.status`',
    choice: 'Approved and rejected only',
    reason: 'Section 6 names those two.',
  },
  {
    section: '3.3',
    point: 'What registering a URL again does',
    choice: 'Same `webhook_id`, new secret, new events, active, no failures counted; held events can be redelivered',
    reason: 'Section 3.3 calls it the way to resume; a second entry for one URL would deliver everything twice.',
  },
  {
    section: '3.3, 6',
    point: 'Exact retry timetable and instant of the pause',
    choice:
      'After 1, 5 and 30 minutes, then every 60, each from the attempt before; paused 24 hours after the first failure of an unbroken run',
    reason: 'A timetable counted from attempts is exact; any success ends the run.',
  },
  {
    section: '3.3, 6',
    point: 'Whether a redirect is a success',
    choice: 'No: 2xx within 10 seconds alone is, and redirects are not followed',
    reason: 'The document asks for 2xx; following would carry a signed body to another place.',
  },
  {
    section: '3.4',
    point: 'Which call locks an OTP',
    choice:
      'Wrong codes 1 to 5 answer `valid: false` with 4 to 0 remaining; after that `otp_max_attempts`, for a right code too',
    reason: 'Five attempts are granted, so five are compared.',
    setting: 'otp.lock',
  },
  {
    section: '3.4',
    point: 'A verified code, verified again',
    choice: '`not_found`: it is spent',
    reason: 'A code that works twice would be no one-time code.',
  },
  {
    section: '3.4',
    point: 'Which check comes first',
    choice: 'Unknown, spent, locked, expired (at `expires_at` exactly it is), compared',
    reason: 'A guesser learns nothing about the code from an id that is no longer good.',
  },
  {
    section: '4.4, 8',
    point: 'Bounds of `expiry_seconds`',
    choice: '1 to 86400',
    reason: 'Zero would expire at birth; a day is beyond any sensible code.',
  },
  {
    section: '4.4',
    point: 'Whether a new code cancels an earlier one, and fires `message.status`',
    choice: 'Neither: sends are independent and only `otp.verified` exists for them',
    reason: 'Each has its own otp_id, and section 6 ties message.status to POST /v1/messages.',
  },
  {
    section: '4.4',
    point: '"Most recently approved"',
    choice: 'The latest approval counts, not the latest submission',
    reason: 'That is what the words say.',
  },
  {
    section: '4.4',
    point: 'A named OTP template of another category',
    choice: '`validation_error` on the field `template`',
    reason: 'The template exists and may be approved; it is the choice that is wrong.',
  },
  {
    section: '4.1',
    point: 'Array `to`: how few, and with other types',
    choice: '1 to 100, one alone is a batch too; with a non-template type `validation_error`, nothing is sent',
    reason: 'Section 4.1 describes batches for templates only; half a batch would be hard to undo.',
  },
  {
    section: '4.1',
    point: 'Faults in a batch',
    choice:
      'Of the template: the whole request is refused. Of a number: its entry fails, `{"to", "ok": false, "error"}` without `message_id`',
    reason: 'A fault of the template would fail every entry alike.',
  },
  {
    section: '4.1',
    point: '`recipient_count` and the order of `results`',
    choice: 'The number of entries, failed and repeated ones included; results in the order of `to`',
    reason: 'A caller can join results to its own list by position.',
  },
  {
    section: '4.2',
    point: 'Edges of the 24-hour window',
    choice: 'Opened by an inbound message, closed at exactly 24 hours after the latest, per customer; refused at once',
    reason: 'At 24 hours the 24 hours are over; a refused message was never one.',
  },
  {
    section: '4.10',
    point: 'Envelope and timestamps of the webhook list',
    choice: '`{"webhooks": […]}`, newest first, `created_at` and `updated_at`; `pause_reason` only while paused',
    reason: 'It follows the template list of section 4.8.',
  },
  {
    section: '4.9',
    point: 'An event kind named twice',
    choice: 'Counts once, in the place where it is named first',
    reason: 'Delivering every event twice would serve nobody.',
  },
  {
    section: '5',
    point: 'How keys are issued',
    choice: 'Any non-empty Bearer token is a key and an account of its own; `--api-keys` makes a closed list',
    reason: 'A test worker needs no set-up and meets no other.',
  },
  {
    section: '5',
    point: 'What keys the signature',
    choice: 'The whole secret string, `whsec_` included, as UTF-8',
    reason: 'The document says keyed with the secret, and that is the string it shows.',
  },
  {
    section: '6',
    point: 'Payload of the events',
    choice: '`{"id": "evt_…", "type", "created_at", "data"}`, the same bytes on every attempt',
    reason: 'An id lets a receiver drop duplicates, which retries make certain; same bytes keep the signature.',
  },
  {
    section: '6',
    point: 'Event name in a header',
    choice: '`X-Service-Event`, `X-Service-Event-Id`, `X-Service-Delivery`, `X-Service-Attempt` beside the signature',
    reason:
      'Receivers can route and drop duplicates before parsing; turn them off to see that yours does not need them.',
    setting: 'webhooks.extra_headers',
  },
  {
    section: '7',
    point: 'Error envelope',
    choice: '`{"error": {"code", "message", "details"?}}`, details `[{"field", "message"}]`',
    reason:
      'Structured and with a message, as the document says; nested, so that success and failure never look alike.',
    setting: 'errors.envelope',
  },
  {
    section: '7',
    point: 'Further codes, and the status of each',
    choice: 'The table of errors below',
    reason: 'The usual meaning of each HTTP status.',
    setting: statusSetting,
  },
  {
    section: '7',
    point: 'Which check comes first',
    choice: 'Key (401), path (404), method (405), size (413), media type (415), JSON and fields (400), then the rules',
    reason: 'Who may not come in learns nothing about the house.',
  },
  {
    section: '8',
    point: 'Size of a request',
    choice: '1 MB',
    reason: 'Far above any valid request, and small enough to hold in memory.',
  },
  {
    section: '8',
    point: 'Rate limits',
    choice: 'None, unless a scenario sets one',
    reason: 'A limit that nobody asked for makes tests fail by chance.',
  },
];
