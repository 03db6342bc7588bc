/** Audits what receivers are handed: the very bytes and headers of each attempt (the self-audit of `--audit`). */
import type { SendRequest, Sender } from '../../webhooks/sender/sender-types.js';
import type { ContractAudit } from './audit.js';
import { valueAt } from './finding.js';

export function auditedSender(sender: Sender, audit: ContractAudit): Sender {
  return {
    send: (request) => {
      // What a scenario or a caller bent on purpose breaks the document on purpose.
      if (request.bent === true) audit.excuse();
      else judge(audit, request);
      return sender.send(request);
    },
    close: () => sender.close(),
  };
}

function judge(audit: ContractAudit, { url, headers: given, body: text }: SendRequest): void {
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  const body = Buffer.from(text);
  const { id, type } = envelopeOf(body);
  const findings = audit.api.event(type ?? '', headers, body);
  if (findings.length > 0 && id !== null && audit.isGiven(id)) {
    audit.excuse();
    return;
  }
  const audited = {
    of: 'event',
    operation: type,
    request: headers['x-service-delivery'] ?? null,
    account: null,
    method: 'POST',
    path: url,
    status: null,
  } as const;
  audit.record(audited, findings);
}

interface Envelope {
  readonly id: string | null;
  readonly type: string | null;
}

function envelopeOf(body: Buffer): Envelope {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
  try {
    const event: unknown = JSON.parse(body.toString('utf8'));
    return { id: textOf(valueAt(event, '/id')), type: textOf(valueAt(event, '/type')) };
  } catch {
    return { id: null, type: null };
  }
}
