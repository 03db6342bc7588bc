import { format } from 'prettier';
import { groups, type Check } from '../src/certify/check.js';
import { checks } from '../src/certify/registry.js';

const cell = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|');
const row = (...cells: string[]): string => `| ${cells.map(cell).join(' | ')} |`;
const table = (head: string[], rows: string[][]): string =>
  [row(...head), row(...head.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');

const words = ({ level }: Check): string => (level === 'must' ? 'must-have' : 'advice');

function particulars(check: Check): string {
  const { id, title, why, sends, expects, judged } = check;
  return `#### ${title}

\`${id}\` · ${words(check)}

- **Sent:** ${sends}
- **Expected:** ${expects}
- **Judged:** ${judged}
- **Why:** ${why}
`;
}

/** The page in Markdown, as the formatter leaves it, so that the file on disk can be compared with it. */
export async function certifyPage(): Promise<string> {
  const overview = checks.map((check) => [`\`${check.id}\``, check.title, words(check)]);
  const chapters = groups.map((group) => {
    const title = group.charAt(0).toUpperCase() + group.slice(1);
    const members = checks.filter((check) => check.group === group);
    return `### ${title}\n\n${members.map(particulars).join('\n')}`;
  });
  const page = `# Certify your receiver

<!-- Printed by scripts/certify-docs.ts from src/certify; edit there. -->

\`messaging-sandbox certify URL --secret SECRET\` plays every kind of event and every fault of a delivery at your own
webhook receiver, and scores its answers. It needs no running sandbox: the requests come from the same sender, with the
same signatures and the same data, as real deliveries.

\`\`\`sh
messaging-sandbox certify http://localhost:3000/hooks --secret "$WEBHOOK_SECRET"
\`\`\`

The receiver must hold the same secret: the whole text is the key, \`whsec_\` included. Without \`--secret\` a fresh one is
shown, and the run begins when you press Enter; where there is no terminal, that is an error. \`http://\` is fine for a
local receiver, and local certificates are not verified, as with deliveries. Point it at a receiver for tests: the good
events are believed. Their ids are new in each run, unless \`--random-seed\` says otherwise.

${table(
  ['Flag', 'What it does'],
  [
    ['`--secret SECRET`', 'what the receiver checks signatures with'],
    ['`--only ID`', 'plays this check alone; repeatable, or a comma list'],
    ['`--observe URL`', 'lets the run see whether duplicates are recognised, see below'],
    ['`--json`', 'prints the report as JSON, every request and answer included'],
    ['`--junit [FILE]`', 'writes a JUnit report; without FILE, or with `-`, to stdout in place of the text'],
    ['`--timeout DURATION`', 'how long an answer may take; default `10s`, as in the interface document §6'],
    ['`--random-seed SEED`', 'makes the ids of the events the same again'],
    ['`--allow-public-webhooks`', 'lets the receiver be outside the private network'],
  ],
)}

Exit code: 0 when every must-have passed, 1 when one failed, 2 for a wrong command line or when nobody is there. The
score counts what was judged: a check that cannot be judged at this receiver is skipped, and counts neither way. A failed
advice costs a point and not the certificate; in JUnit it shows in the name of the case.

When a request gets no answer at all, the run waits up to five seconds for the receiver to come back, so that a crash is
held against the check that caused it. If it stays away, what is left fails as "not played".

## Showing duplicates

From outside a duplicate that was recognised looks like one that was not: both are answered with 2xx. If the receiver
can answer a GET with the number of different events that it has taken in so far, name that URL with \`--observe\`:

\`\`\`json
{ "received": 3 }
\`\`\`

The count may lag behind the answers, by as much as an answer may take. Without \`--observe\` the check is skipped.

## The checks

${table(['Check', 'What it finds out', 'Level'], overview)}

${chapters.join('\n')}`;
  return format(page, { parser: 'markdown', printWidth: 120 });
}
