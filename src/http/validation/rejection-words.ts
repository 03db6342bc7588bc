/**
 * The texts in messages of rejected calls that cannot come from a keyword of a schema: what a pattern allows, and what
 * to do. Only this validator needs them, so they are not in the published documents.
 */

const httpsAddress = 'an absolute https:// address (https://localhost:PORT also reaches a local server without TLS)';

/**
 * A description of the texts that match a pattern, to follow "must be". Both documents use their patterns through this
 * list.
 */
export const patternWords: ReadonlyMap<string, string> = new Map([
  [
    String.raw`^(?=\d)(\d{1,9}d)?(\d{1,9}h)?(\d{1,9}m)?(\d{1,9}s)?(\d{1,12}ms)?$`,
    'a duration such as 250ms, 10s, 5m, 24h, 7d or 1h30m, the largest unit first',
  ],
  [
    String.raw`^(?=\d)(\d{1,9}d)?(\d{1,9}h)?(\d{1,9}m)?(\d{1,9}s)?(\d{1,12}ms)?(\.\.(?=\d)(\d{1,9}d)?(\d{1,9}h)?(\d{1,9}m)?(\d{1,9}s)?(\d{1,12}ms)?)?$`,
    'a duration such as 2s, or a range such as 2s..8s',
  ],
  [
    String.raw`^(evt_[A-Za-z0-9_-]+|message\.received|message\.status|otp\.verified|template\.status)$`,
    'an id such as evt_5f2b7c0e9d1a4c3b, or a type of event: message.received, message.status, otp.verified, template.status',
  ],
  [String.raw`^[+ ]?[1-9]\d{6,14}$`, 'an E.164 number such as +12025550101, its plus sign optional'],
  [
    '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
    'a UUID in its v4 form and lower case, such as 0b54b6ff-9d7d-4ba1-8a5f-6d2f3c7e1a90',
  ],
  [String.raw`^[1-5](\d\d|xx)$`, 'an HTTP status such as 404, or a class such as 4xx'],
  [
    '^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$',
    '1 to 100 letters, digits, "_" or "-", starting with a letter or digit, such as slow-review',
  ],
  [
    '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
    '1 to 64 letters, digits, ".", "_" or "-", starting with a letter or digit, such as after-onboarding',
  ],
  [
    '^([A-Za-z]{2,8}|[XxIi][-_][A-Za-z0-9]{1,8})([-_][A-Za-z0-9]{1,8})*$',
    'a BCP-47 language code such as en, pt-BR or zh-Hans-CN',
  ],
  [String.raw`^[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#]+\S*$`, 'an absolute http:// or https:// address'],
  [String.raw`^(all|.*\*)$`, 'a choice of accounts: all, or the beginning of their keys and *, such as ci-*'],
  [String.raw`^[a-z]+\.[a-z]+$`, 'a hook such as message.send, otp.verify or webhook.deliver'],
  ['^[!-~]+$', 'an API key of visible ASCII characters without spaces, such as test-7'],
  ['^[a-z][a-z0-9_]*$', 'a name in snake_case, such as undeliverable'],
  [
    '^[a-z][a-z0-9_]{0,511}$',
    'a lower-case letter, then up to 511 lower-case letters, digits and underscores, such as order_shipped',
  ],
  [String.raw`^\+?[1-9]\d{6,14}$`, 'an E.164 number such as +12025550101, its plus sign optional'],
  [
    String.raw`^\+[1-9]\d{6,14}$`,
    'an E.164 number: a plus sign and 7 to 15 digits, the first not 0, such as +12025550101',
  ],
  [
    String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$`,
    'an ISO 8601 instant with its offset, such as 2026-03-01T09:00:00Z',
  ],
  [
    String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`,
    'an instant in UTC with milliseconds, such as 2026-03-01T09:00:00.000Z',
  ],
  [
    String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`,
    'an instant in UTC with milliseconds, such as 2026-03-01T09:00:00.000Z',
  ],
  [String.raw`^https://[^\s/?#]+\S*$`, httpsAddress],
  [String.raw`^[Hh][Tt][Tt][Pp][Ss]://[^\s/?#]+\S*$`, httpsAddress],
  [
    String.raw`^wamid\.[A-Za-z0-9+/]+={0,2}$`,
    'an id of wamid. and base64, such as wamid.HBgLMTIwMjU1NTAxMDEVAgARGBIzRUIwQzQzMUMyNkExOTE2NTMA',
  ],
  [String.raw`^whsec_[^\s]+$`, 'a secret that starts with whsec_ and contains no spaces'],
]);

export interface SchemaWords {
  /** The allowed values, to follow "must be". */
  readonly allowed?: string;
  /** The hint for a violated keyword, by keyword. */
  readonly hints?: Readonly<Record<string, string>>;
}

/** By the name of a schema. */
export const schemaWords: Readonly<Record<string, SchemaWords>> = {
  ConversationRecipient: { hints: { type: 'only a template message takes an array of numbers' } },
  InteractiveStyle: { allowed: 'button, or omitted: list-style interactive messages are not supported' },
  TemplateRecipients: {
    allowed: 'an E.164 number (a plus sign and 7 to 15 digits, such as +12025550101) or an array of 1 to 100 of them',
    hints: { maxItems: "larger audiences belong to the dashboard's broadcast tool" },
  },
  ScenarioInput: { hints: { minProperties: 'give the name of a known scenario, or a complete scenario' } },
  StartingScenario: { allowed: 'the name of a known scenario, or a complete scenario' },
  ScenarioYaml: { hints: { minLength: 'send a scenario file' } },
  RuleYaml: { hints: { minLength: 'send a rule' } },
  RuleThen: { hints: { minProperties: 'name an action, such as refuse, respond, limit or lifecycle' } },
};
