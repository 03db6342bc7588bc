import { Argument, Option } from 'commander';
import type { Command } from 'commander';
import { eventTypes } from '../../domain/event.js';
import type { components } from '../../generated/control.js';
import { assign } from '../assignments.js';
import { connect, withClientFlags } from '../client.js';
import type { ClientFlags } from '../client.js';
import { newCommand } from '../new-command.js';
import { print } from '../print.js';

type EmitResult = components['schemas']['EmitResult'];

const EXAMPLES = `
Examples:
  messaging-sandbox trigger message.received --set data.text=hello
  messaging-sandbox trigger message.status --set data.status=failed --set webhook.signature=wrong_secret
  messaging-sandbox trigger otp.verified --set webhook.duplicate=2 --webhook-id 5c0e2f6a-…

"=" gives a text, or a number, true, false or null where no text can stand, as in webhook.duplicate; ":=" gives any
JSON value. What is not set is taken from the account or made up.`;

/** The faults of a delivery are texts, numbers and booleans; in the data of an event, an error is an object or null. */
const NOT_TEXT = /^(?:webhook\.|data\.error$|data\.error\.channel_code$)/;

interface Flags extends ClientFlags {
  readonly set: readonly string[];
  readonly webhookId?: string;
}

/** `trigger`: sends a correctly signed event on demand. */
export function define(): Command {
  const command = newCommand('trigger', 'Send a signed event to the registered endpoints.')
    .addArgument(new Argument('<event>', 'its type').choices(eventTypes))
    .addOption(
      new Option('--set <PATH=VALUE>', 'set a field of data, or of webhook (faults of the delivery); repeatable')
        .argParser((value: string, before: readonly string[]) => [...before, value])
        .default([], 'none'),
    )
    .option('--webhook-id <ID>', 'deliver only to this endpoint, subscribed or not')
    .addHelpText('after', EXAMPLES);
  return withClientFlags(command).action(async (event: string, flags: Flags) => {
    const body = { type: event, ...assign(flags.set, ['data', 'webhook'], NOT_TEXT), webhook_id: flags.webhookId };
    const result = await connect(flags).call<EmitResult>('POST', '/_sandbox/events', body);
    print(flags.json, result, summary(result));
  });
}

function summary({ event, deliveries }: EmitResult): string[] {
  const head = `${event.type} ${event.id}`;
  if (deliveries.length === 0)
    return [`${head}: not delivered, because no endpoint is subscribed to it. Register one first.`];
  return [head, ...deliveries.map(({ url, state, id }) => `  → ${url}  ${state}  delivery ${id}`)];
}
