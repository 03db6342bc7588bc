import type { Assumption } from './assumption.js';

/** Section 2 of the interface document: messages and templates. */
export const objects: readonly Assumption[] = [
  {
    section: '2.1',
    point: 'Further properties of `template`, and a place for `template_id`',
    choice: 'Ignored, with a warning in the journal',
    reason: 'Guessing a meaning would accept invalid requests.',
  },
  {
    section: '2.1',
    point: 'Shape of `wamid`',
    choice: '`wamid.` and base64 of a layout with the length and digits of the number and 18 hex characters',
    reason: 'It has the length and alphabet of a real one, so database columns and patterns are tested realistically.',
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
    point: 'Size of a variable and of a template filled in',
    choice:
      'A variable has at most 32768 code points. Filled in, more than 4096 are taken and fail with `template_text_too_long` (132005)',
    reason: 'The channel checks the text that the customer would read, and it does so later; a rule can change this.',
  },
  {
    section: '2.1, 8',
    point: 'Quick-reply buttons of an interactive message',
    choice: '1 to 3, with unique ids (1 to 256) and unique titles (1 to 20)',
    reason: 'The limits of the channel; a reply could not distinguish two equal ids.',
  },
  {
    section: '2.1',
    point: 'What marks a list-style interactive message',
    choice: '`interactive.type` other than `button`, or `interactive.sections`: `validation_error`',
    reason: 'The document calls list style unsupported; without the list, the message would not be the intended one.',
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
    choice: 'Any absolute http or https URL that parses; it is never fetched',
    reason: 'A sandbox makes no network calls of its own; a scenario can let the fetch fail.',
  },
  {
    section: '2.2',
    point: 'Shape of a template button',
    choice: '`{"type": "quick_reply" | "url" | "phone_number" | "copy_code", "text", …}`, at most 10, kept as sent',
    reason: 'These are the types of the channel; their other properties are up to the caller.',
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
      'Numbered from 1 without gaps, with only a number inside; as many variables as the highest number, all strings',
    reason: 'Otherwise a message could be sent with an empty placeholder.',
  },
  {
    section: '2.2',
    point: 'Variables of an authentication template without a body',
    choice: 'One, the code',
    reason: 'The channel writes the text of these templates, with a place for the code.',
  },
  {
    section: '2.2, 4.7',
    point: 'Whether a lookup shows `body` and `buttons`',
    choice: 'Neither; the buttons can be switched on',
    reason: 'Section 4.7 lists neither. The control plane shows both.',
    setting: 'templates.echo_buttons',
  },
  {
    section: '2.2',
    point: 'Which language codes are accepted',
    choice:
      'Every well-formed BCP-47 tag, with hyphens or underscores, such as `en`, `pt-BR`, `en_US`; compared without regard to case, `_` and `-` alike',
    reason:
      'BCP-47 tags are case-insensitive, and the channel writes underscores; a closed list would soon be outdated.',
  },
];
