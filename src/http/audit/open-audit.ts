/** Opens an audit. A file of its own, loaded with what it needs only where `--audit` asks for it: no other start pays for it. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ContractAudit, type AuditParts } from './audit.js';
import { DocumentCheck } from './document-check.js';

export function openAudit(parts: AuditParts): ContractAudit {
  const makeAjv = () => new Ajv2020({ strict: false, allErrors: true });
  const { api, control } = parts.documents;
  return new ContractAudit(parts, {
    api: new DocumentCheck(api, makeAjv),
    control: new DocumentCheck(control, makeAjv),
  });
}
