/** Commands that act on an account: as its customers, or on the account as a whole. */
import { Argument, Option, type Command } from 'commander';
import { clockInput } from '../../client/clock.js';
import type { ClockStart } from '../../client/create-sandbox.js';
import type { ClockInput, EmitResult, InboundResult, Keep } from '../../client/types.js';
import { parseClockSetting } from '../../config/values.js';
import { eventTypes } from '../../domain/words.js';
import { assign } from '../assignments.js';
import { checkedPhone, checkedValue } from '../checked-values.js';
import { clientCommand, type ClientFlags } from '../client.js';
import { newCommand } from '../command.js';
import { UsageError } from '../failure.js';
import { activate, isPath } from '../scenario/named.js';

interface InboundFlags extends ClientFlags {
  readonly type?: string;
  readonly mediaUrl?: string;
  readonly button?: string;
  readonly name?: string;
}

/** `inbound`: writes as a customer, which opens the window and fires `message.received`. */
export function inbound(): Command {
  const command = newCommand(
    'inbound',
    'Write to the account as a customer: opens the 24-hour window and sends message.received.',
  )
    .argument('<from>', "the customer's number, such as +12025550150")
    .argument('[text]', 'text; generated if omitted')
    .addOption(
      new Option('--type <TYPE>', 'type of message (default: from the other flags, otherwise text)').choices([
        'text',
        'image',
        'document',
        'interactive',
      ]),
    )
    .option('--media-url <URL>', 'URL of an image or document')
    .option('--button <ID=TITLE>', 'quick-reply button that was tapped')
    .option('--name <NAME>', "customer's name on the channel");
  return clientCommand(command, async (client, flags: InboundFlags, from: string, text: string | undefined) => {
    const { type, mediaUrl: media_url, button, name: profile_name } = flags;
    const implied = button !== undefined ? 'interactive' : media_url !== undefined ? 'image' : 'text';
    const interactive = button === undefined ? undefined : readButton(button);
    const phone = checkedPhone('inbound', from);
    const input = { from: phone, type: type ?? implied, text, media_url, interactive, profile_name };
    const result = await client.call<InboundResult>('POST', '/_sandbox/inbound', input);
    const { message_id: message, event_id: event, window_closes_at: until } = result;
    return [result, [`${from} wrote message ${message} (event ${event}); window open until ${until}`]];
  });
}

function readButton(text: string): { id: string; title: string } {
  const [, id, title] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (id !== undefined && title !== undefined) return { id, title };
  throw new UsageError(
    `Invalid value "${text}" for --button. Expected the id and title of a button that the account sent, such as yes="Yes, please".`,
  );
}

const EXAMPLES = `
Examples:
  messaging-sandbox trigger message.received --set data.text=hello
  messaging-sandbox trigger message.status --set data.status=failed --set webhook.signature=wrong_secret
  messaging-sandbox trigger otp.verified --set webhook.duplicate=2 --webhook-id 5c0e2f6a-…

"=" gives a text, or a number, true, false or null where no text can stand, as in webhook.duplicate; ":=" gives any
JSON value. What is not set is taken from the account or made up.`;

/** The faults of a delivery are texts, numbers and booleans; in the data of an event, an error is an object or null. */
const NOT_TEXT = /^(?:webhook\.|data\.error$|data\.error\.channel_code$)/;

interface TriggerFlags extends ClientFlags {
  readonly set: readonly string[];
  readonly webhookId?: string;
}

/** `trigger`: sends a correctly signed event on demand. */
export function trigger(): Command {
  const command = newCommand('trigger', 'Send a signed event to the registered endpoints.')
    .addArgument(new Argument('<event>', 'its type').choices(eventTypes))
    .addOption(
      new Option('--set <PATH=VALUE>', 'set a field of data, or of webhook (faults of the delivery); repeatable')
        .argParser((value: string, before: readonly string[]) => [...before, value])
        .default([], 'none'),
    )
    .option('--webhook-id <ID>', 'deliver only to this endpoint, subscribed or not')
    .addHelpText('after', EXAMPLES);
  return clientCommand(command, async (client, flags: TriggerFlags, type: string) => {
    const body = { type, ...assign(flags.set, ['data', 'webhook'], NOT_TEXT), webhook_id: flags.webhookId };
    const result = await client.call<EmitResult>('POST', '/_sandbox/events', body);
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

const KEEPABLE: readonly Keep[] = ['templates', 'webhooks', 'clock', 'scenario'];

interface ResetFlags extends ClientFlags {
  readonly keep?: string;
  readonly clock?: string;
  readonly scenario?: string;
}

/** `reset`: deletes the account's data, jobs and retries. */
export function reset(): Command {
  const command = newCommand('reset', 'Empty the account: its messages, customers, codes, events, jobs and retries.')
    .option('--keep <WHAT>', `state to keep: a comma-separated list of ${KEEPABLE.join(', ')}`)
    .option('--clock <MODE>', 'initial clock: real, frozen, frozen:2026-03-01T09:00:00Z, x60 or auto')
    .option('--scenario <SCENARIO>', 'starting scenario, by name or by path');
  return clientCommand(command, async (client, flags: ResetFlags) => {
    const keep = readKeep(flags.keep);
    for (const name of ['clock', 'scenario'] as const) {
      if (flags[name] !== undefined && keep.includes(name))
        throw new UsageError(`reset: --${name} and --keep ${name} exclude each other. Omit one of them.`);
    }
    const clock = flags.clock === undefined ? undefined : readClock(flags.clock);
    const { scenario } = flags;
    const isFile = scenario !== undefined && isPath(scenario);
    await client.call('POST', '/_sandbox/reset', { keep, clock, scenario: isFile ? undefined : scenario });
    if (isFile) {
      await activate(client, scenario);
      // The file may set a clock itself.
      if (clock) await client.call('PUT', '/_sandbox/clock', clock);
    }
    const kept = keep.length === 0 ? '' : `; kept: ${keep.join(', ')}`;
    return [{ key: client.key, kept: keep }, [`The account ${client.key} is empty${kept}.`]];
  });
}

function readKeep(text = ''): readonly Keep[] {
  return text
    .split(/[,\s]+/)
    .filter((word) => word !== '')
    .map((word) => {
      const known = KEEPABLE.find((keepable) => keepable === word);
      if (known === undefined) {
        throw new UsageError(`Invalid value "${word}" for --keep. Expected one or more of ${KEEPABLE.join(', ')}.`);
      }
      return known;
    });
}

/** @throws CliFailure (2) */
function readClock(text: string): ClockInput {
  checkedValue('reset', '--clock', () => parseClockSetting(text));
  return clockInput(text as ClockStart);
}
