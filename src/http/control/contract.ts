/** What the self-audit found, of all accounts together (`--audit`). */
import { isoTime } from '../../domain/instant.js';
import { ServiceError } from '../../domain/errors.js';
import type { Violation } from '../audit/audit.js';
import type { ControlHandlers } from './handler.js';
import { pageQuery } from './listing.js';

export const contract: ControlHandlers = {
  getContractViolations: ({ query, service: { audit } }) => {
    if (!audit) {
      throw new ServiceError(
        'not_found',
        'Nothing is audited here, so there is no list of violations. Start the sandbox with --audit (SANDBOX_AUDIT=1).',
      );
    }
    const { checked, excused, count, violations } = audit;
    const { limit, order, cursor } = pageQuery(query);
    const wanted = order === 'desc' ? violations.toReversed() : violations;
    const beyond = (seq: number) => cursor === undefined || (order === 'desc' ? seq < cursor : seq > cursor);
    const rest = wanted.filter(({ seq }) => beyond(seq));
    const items = rest.slice(0, limit);
    const next = rest.length > items.length ? (items.at(-1)?.seq ?? null) : null;
    return { checked, excused, count, items: items.map(showViolation), next };
  },
};

function showViolation({ atMs, ...violation }: Violation) {
  return { ...violation, at: isoTime(atMs) };
}
