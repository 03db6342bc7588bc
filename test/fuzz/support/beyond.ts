/**
 * The reasons for rejecting a call that its schema accepts: rules between fields, or about the meaning of a text, which
 * a schema cannot express. Any other rejection as malformed is an error of the document or of the code.
 */
const rules: readonly (readonly [operation: RegExp, message: RegExp])[] = [
  [/./, /nested too deeply/],
  [/^sendMessage$/, /must be unique among the buttons|list-style|^media_url must be a complete/],
  [/^createTemplate$/, /is not a placeholder|placeholder/i],
  [/^(createWebhook|registerEndpoint)$/, /complete https:\/\/ URL/],
  [/^(setClock|advanceClock)$/, /is in the past|where account time ends/],
  [/^(setClock|advanceClock|setCustomerWindow)$/, /must be a date and time in UTC, from the year/],
  [/^putSnapshot$/, /taken_at/],
  [/^redeliver(Event|Delivery)$/, /cannot be requested and dropped/],
  [/^reportMessageStatus$/, /belongs to status "failed" only/],
  [/^advanceClock$/, /^max belongs to until "idle" only/],
  [/^waitForMatch$/, /is not a query parameter of GET |; found "/],
  [/^putSnapshot$/, /damaged or was edited|version must be 1/],
  [/^(setClock|resetAccount)$/, /(scale|quiet_real) belongs to mode|quiet_real must be at most/],
  [/^resetAccount$/, /^keep names (clock|scenario)|must be a date and time in UTC, from the year/],
  [/^getCoverage$/, /is neither a group of the coverage nor one of its items/],
  [/^certifyEndpoint$/, /is a sink of the sandbox/],
  [/^sendInbound$/, /^media_url must be a complete/],
];

export function beyondTheSchema(operation: string, { message }: { readonly message: string }): boolean {
  return rules.some(([id, words]) => id.test(operation) && words.test(message));
}
