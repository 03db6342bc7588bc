import { Argument, Option, type Command } from 'commander';
import { parseJson } from '../../client/connection.js';
import type { EmitResult, InboundResult } from '../../client/types.js';
import { readValue, ValueError } from '../../config/values.js';
import { isObject } from '../../domain/json.js';
import { eventTypes } from '../../domain/words.js';
import { clientCommand, type ClientFlags, inWordsOf } from '../client.js';

export function inbound(command: Command): void {
  command
    .argument('<from>', "the customer's number, such as +12025550150")
    .argument('[text]', 'text; generated if omitted');
  clientCommand(command, async (client, _flags: ClientFlags, from: string, text: string | undefined) => {
    const written = client.call<InboundResult>('POST', '/_sandbox/inbound', { from, text });
    const result = await written.catch(inWordsOf({ from: 'FROM', text: 'TEXT' }));
    const { message_id: message, event_id: event, window_closes_at: until } = result;
    return [result, [`${from} wrote message ${message} (event ${event}); window open until ${until}`]];
  });
}

const EXAMPLES = `
Examples:
  messaging-sandbox trigger message.received --set data.text=hello
  messaging-sandbox trigger message.status --set data.status=failed --set webhook.signature=wrong_secret
  messaging-sandbox trigger otp.verified --set webhook.duplicate=2 --set webhook_id=5c0e2f6a-…

PATH=VALUE sets a text. If the field is never a text, such as webhook.duplicate, it sets a number, true, false or null.
PATH:=VALUE sets any JSON value. With webhook_id, only this endpoint gets the event, even without a subscription.
The sandbox takes other fields from the account, or generates them.`;

export function trigger(command: Command): void {
  const set = new Option(
    '--set <PATH=VALUE>',
    'set a field such as data.text, or a fault of the delivery such as webhook.duplicate; repeatable',
  );
  const add = (text: string, fields: object) => readValue('--set', () => assign(text, structuredClone(fields)));
  command
    .addArgument(new Argument('<event>', 'event type').choices(eventTypes))
    .addOption(set.argParser(add).default({}, 'none'))
    .addHelpText('after', EXAMPLES);
  clientCommand(command, async (client, { set }: { readonly set: object }, type: string) => {
    const result = await client.call<EmitResult>('POST', '/_sandbox/events', { type, ...set });
    const { event, deliveries } = result;
    const head = `${event.type} ${event.id}`;
    if (deliveries.length > 0)
      return [result, [head, ...deliveries.map(({ url, state, id }) => `  → ${url}  ${state}  delivery ${id}`)]];
    const endpoint = JSON.stringify({ url: 'https://sink.sandbox/test', events: [event.type] });
    return [
      result,
      [
        `${head}: not delivered, because the account ${client.key} has no endpoint for it. Register one, such as a built-in sink:`,
        `  curl ${client.url}/v1/webhooks -H 'Authorization: Bearer ${client.key}' -H 'Content-Type: application/json' -d '${endpoint}'`,
      ],
    ];
  });
}

/** The faults of a delivery are texts, numbers and booleans; in the data of an event, an error is an object or null. */
const NOT_TEXT = /^(?:webhook\.|data\.error$|data\.error\.channel_code$)/;
const PLAIN_JSON = /^(?:-?\d+|true|false|null)$/;

/**
 * Dots separate the names of a path. Plain `=` gives a text if the field can be one: a value such as `42` is a valid
 * message, and guessing its type would change the data that the receiver gets.
 */
function assign(assignment: string, fields: object): object {
  const [, path = '', operator, text = ''] = /^([^=:]+)(:?=)(.*)$/s.exec(assignment) ?? [];
  const isJson = operator === ':=' || (NOT_TEXT.test(path) && PLAIN_JSON.test(text));
  const value = isJson ? parseJson(text) : text;
  const names = path.split('.');
  const last = names.pop() ?? '';
  let at: unknown = fields;
  for (const name of names) at = isObject(at) ? (at[name] ??= {}) : undefined;
  if (last !== '' && value !== undefined && isObject(at)) {
    at[last] = value;
    return fields;
  }
  const expected = 'a path and a value, such as data.text=hello for a text, or data.error:=null for any JSON value';
  throw new ValueError(assignment, expected);
}

/** The names that the control plane accepts in `keep`. */
const kept = ['templates', 'webhooks', 'clock', 'scenario'];

export function reset(command: Command): void {
  const add = (text: string, before: readonly string[]) => [...before, ...text.split(',')];
  command.addOption(
    new Option('--keep <WHAT>', `keep these: ${kept.join(', ')}; repeatable, or comma-separated`)
      .argParser((text: string, before: readonly string[]) =>
        readValue('--keep', () => {
          const unknown = text.split(',').find((name) => !kept.includes(name));
          if (unknown !== undefined) throw new ValueError(unknown, kept.join(', '));
          return add(text, before);
        }),
      )
      .default([], 'nothing'),
  );
  clientCommand(command, async (client, { keep }: ClientFlags & { readonly keep: readonly string[] }) => {
    await client.call('POST', '/_sandbox/reset', { keep });
    const rest = keep.length === 0 ? '' : ` It has kept its ${keep.join(', ')}.`;
    return [{ key: client.key, ...(keep.length > 0 && { keep }) }, [`The account ${client.key} is empty.${rest}`]];
  });
}
