/** What the self-audit found, of all accounts together (`--audit`). */
import { isoTime } from '../../domain/instant.js';
import { ServiceError } from '../../domain/errors.js';
import type { Violation } from '../audit/audit.js';
import type { ControlHandlers } from './handler.js';
import { pageOfAll, pageQuery, shownPage } from './listing.js';

export const contract: ControlHandlers = {
  getContractViolations: ({ query, service: { audit } }) => {
    if (!audit) {
      throw new ServiceError(
        'not_found',
        'Nothing is audited here, so there is no list of violations. Start the sandbox with --audit (SANDBOX_AUDIT=1).',
      );
    }
    const { checked, excused, count, violations } = audit;
    const page = shownPage(pageOfAll(violations, pageQuery(query)), showViolation);
    return { checked, excused, count, ...page };
  },
};

function showViolation({ atMs, ...violation }: Violation) {
  return { ...violation, at: isoTime(atMs) };
}
