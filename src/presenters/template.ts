/** A stored template as the service shows it. */
import { isoTime } from '../domain/instant.js';
import type { Template } from '../domain/template.js';

export function presentTemplate(template: Template, echoButtons: boolean) {
  return {
    id: template.id,
    name: template.name,
    category: template.category,
    language: template.language,
    status: template.status,
    template_type: 'standard',
    rejection_reason: template.rejectionReason,
    created_at: isoTime(template.createdAtMs),
    ...(echoButtons && template.buttons && { buttons: template.buttons }),
  };
}
