/** The secret of an endpoint is shown only at registration. */
import type { Endpoint, Message, Template } from '../domain/rows.js';
import { isoTime } from '../domain/instant.js';
import { lookupStatus } from '../domain/message.js';

export function presentRegistration(endpoint: Endpoint) {
  return {
    webhook_id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    secret: endpoint.secret,
    status: endpoint.status,
  };
}

export function presentEndpoint(endpoint: Endpoint) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    status: endpoint.status,
    ...(endpoint.status === 'paused' && { pause_reason: endpoint.pauseReason }),
    created_at: isoTime(endpoint.createdAtMs),
    updated_at: isoTime(endpoint.updatedAtMs),
  };
}

export function presentMessage(message: Message) {
  return {
    message_id: message.id,
    wamid: message.wamid,
    status: lookupStatus(message.status),
    type: message.type,
    created_at: isoTime(message.createdAtMs),
    error: message.error,
  };
}

export function presentTemplate(template: Template) {
  return {
    id: template.id,
    name: template.name,
    category: template.category,
    language: template.language,
    status: template.status,
    template_type: 'standard',
    rejection_reason: template.rejectionReason,
    created_at: isoTime(template.createdAtMs),
  };
}
