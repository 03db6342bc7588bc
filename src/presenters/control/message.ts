/** Converts a message in either direction to the form of the control plane. */
import { accountNumber } from '../../domain/event.js';
import { withActors } from '../../domain/explain.js';
import { isoTime } from '../../domain/instant.js';
import type { Message, MessageContent } from '../../domain/rows.js';
import { fillTemplate } from '../../domain/template.js';

/** A message in either direction, with its content as the customer sees it: variables and code filled in. */
export function showMessage(message: Message, profileName: string | null = null) {
  const inbound = message.origin === 'inbound';
  return {
    id: message.id,
    message_id: message.id,
    seq: message.seq,
    wamid: message.wamid,
    direction: inbound ? 'inbound' : 'outbound',
    from: inbound ? message.customer : accountNumber,
    to: inbound ? accountNumber : message.customer,
    type: message.type,
    status: message.status,
    ...showContent(message.content),
    ...(inbound && { profile_name: profileName }),
    ...(message.batchId !== undefined && { batch_id: message.batchId }),
    ...(message.otpId !== undefined && { otp_id: message.otpId }),
    error: message.error,
    created_at: isoTime(message.createdAtMs),
    history: message.history.map(({ status, atMs, ...more }) => ({ status, at: isoTime(atMs), ...more })),
    explain: withActors(message.explain, message.history),
  };
}

/** Returns the text of a message; for a tap, the text of the button. */
export function shownText({ text, interactive, template }: MessageContent): string | null {
  if (template) return fillTemplate(template.body, template.variables);
  return text ?? (interactive && 'title' in interactive ? interactive.title : null);
}

function showContent(content: MessageContent) {
  const { media_url, interactive, template } = content;
  return {
    text: shownText(content),
    ...(media_url !== undefined && { media_url }),
    ...(interactive && { interactive }),
    ...(template && {
      template: {
        name: template.name,
        language: template.language,
        category: template.category,
        body: template.body,
        variables: template.variables,
        ...(template.buttons && { buttons: template.buttons }),
      },
    }),
  };
}
