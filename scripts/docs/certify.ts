import { groups, type Check } from '../../src/certify/check.js';
import { checks } from '../../src/certify/checks.js';
import { table } from './markdown.js';

function particulars(check: Check): string {
  const { id, title, why, sends, expects, criterion } = check;
  return `#### ${title}

\`${id}\` · ${check.level}

- **Sent:** ${sends}
- **Expected:** ${expects}
- **Criterion:** ${criterion}
- **Why:** ${why}
`;
}

/** An overview of the checks of a receiver, and a chapter for each group. */
export function certifyChecks(): string {
  const overview = checks.map((check) => [`\`${check.id}\``, check.title, check.level]);
  const chapters = groups.map((group) => {
    const title = group.charAt(0).toUpperCase() + group.slice(1);
    const members = checks.filter((check) => check.group === group);
    return `### ${title}\n\n${members.map(particulars).join('\n')}`;
  });
  return [table(['Check', 'What it tests', 'Level'], overview), ...chapters].join('\n\n');
}
