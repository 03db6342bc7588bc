import type { Assumption } from './assumption.js';

/** Section 4: the calls. */
export const calls: readonly Assumption[] = [
  {
    section: '4.4, 8',
    point: 'Bounds of `expiry_seconds`',
    choice: '1 to 86400',
    reason: 'With zero, a code would expire immediately; no sensible code is valid for more than a day.',
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
    reason: 'That is the literal meaning. Resuming a template is not an approval.',
  },
  {
    section: '4.4',
    point: 'A named OTP template of another category',
    choice: '`validation_error` on the field `template`',
    reason: 'The template exists and may be approved; the choice is wrong.',
  },
  {
    section: '4.4',
    point: 'An OTP template whose body takes no variable, or several',
    choice: 'None: sent unchanged. Several: `template_variables_mismatch`',
    reason: 'A code fills in one variable; without a variable, the channel shows the code on a button.',
  },
  {
    section: '4.1',
    point: 'Array `to`: the minimum, and other types of message',
    choice: '1 to 100 entries, one entry is a batch, too; with another type `validation_error`, and nothing is sent',
    reason: 'Section 4.1 describes batches for templates only; half a batch would be hard to undo.',
  },
  {
    section: '4.1',
    point: 'Errors in a batch',
    choice:
      'An error of the template rejects the whole request. An invalid number fails its own entry, `{"to", "ok": false, "error"}` without `message_id`',
    reason: 'An error of the template would fail every entry.',
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
    choice:
      'It opens with an inbound message and closes exactly 24 hours after the latest one, per customer; a send outside is rejected at once',
    reason: 'At 24 hours the window has ended; a rejected message is not stored.',
  },
  {
    section: '4.10',
    point: 'Envelope and timestamps of the webhook list',
    choice: '`{"webhooks": […]}`, newest first, `created_at` and `updated_at`; `pause_reason` only while paused',
    reason: 'It follows the template list of section 4.8.',
  },
  {
    section: '4.9',
    point: 'A repeated event type',
    choice: 'Counts once, in the position of the first',
    reason: 'Delivering every event twice would be useless.',
  },
];
