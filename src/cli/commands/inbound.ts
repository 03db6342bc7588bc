import { Option } from 'commander';
import type { Command } from 'commander';
import type { components } from '../../generated/control.js';
import { checkedPhone } from '../checked-values.js';
import { connect, withClientFlags } from '../client.js';
import type { ClientFlags } from '../client.js';
import { CliFailure } from '../failure.js';
import { newCommand } from '../new-command.js';
import { print } from '../print.js';

type InboundResult = components['schemas']['InboundResult'];

interface Flags extends ClientFlags {
  readonly type?: string;
  readonly mediaUrl?: string;
  readonly button?: string;
  readonly name?: string;
}

/** `inbound`: writes as a customer, which opens the window and fires `message.received`. */
export function define(): Command {
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
  return withClientFlags(command).action(async (from: string, text: string | undefined, flags: Flags) => {
    const input = inboundInput(from, text, flags);
    const result = await connect(flags).call<InboundResult>('POST', '/_sandbox/inbound', input);
    print(flags.json, result, [
      `${from} wrote message ${result.message_id} (event ${result.event_id}); window open until ${result.window_closes_at}`,
    ]);
  });
}

function inboundInput(from: string, text: string | undefined, flags: Flags): object {
  const { type, mediaUrl: media_url, button, name: profile_name } = flags;
  const implied = button !== undefined ? 'interactive' : media_url !== undefined ? 'image' : 'text';
  const interactive = button === undefined ? undefined : readButton(button);
  return { from: checkedPhone('inbound', from), type: type ?? implied, text, media_url, interactive, profile_name };
}

function readButton(text: string): { id: string; title: string } {
  const [, id, title] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (id !== undefined && title !== undefined) return { id, title };
  throw new CliFailure(
    2,
    `Invalid value "${text}" for --button. Expected the id and title of a button that the account sent, such as yes="Yes, please".`,
  );
}
