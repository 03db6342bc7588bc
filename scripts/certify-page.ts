import { format } from 'prettier';
import { groups, type Check } from '../src/certify/check.js';
import { checks } from '../src/certify/checks.js';

const cell = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|');
const row = (...cells: string[]): string => `| ${cells.map(cell).join(' | ')} |`;
const table = (head: string[], rows: string[][]): string =>
  [row(...head), row(...head.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');

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

/** The page in Markdown, as the formatter leaves it, so that the file on disk can be compared with it. */
export async function certifyPage(): Promise<string> {
  const overview = checks.map((check) => [`\`${check.id}\``, check.title, check.level]);
  const chapters = groups.map((group) => {
    const title = group.charAt(0).toUpperCase() + group.slice(1);
    const members = checks.filter((check) => check.group === group);
    return `### ${title}\n\n${members.map(particulars).join('\n')}`;
  });
  const page = `# Certify your receiver

<!-- Printed by scripts/certify-docs.ts from src/certify; edit there. -->

\`messaging-sandbox certify URL --secret SECRET\` sends every type of event and every delivery fault to your own webhook
receiver, and scores its responses. It needs no running sandbox: the requests come from the same sender, with the same
signatures and the same data, as real deliveries.

\`\`\`sh
messaging-sandbox certify http://localhost:3000/hooks --secret "$WEBHOOK_SECRET"
\`\`\`

The receiver must use the same secret: the whole text is the key, \`whsec_\` included. Without \`--secret\` the command
shows a new secret and starts when you press Enter; without a terminal, that is an error. \`http://\` is allowed, and
certificates of local receivers are not verified, as with deliveries. Use a receiver for tests: it will process the good
events. Their ids are new in each run, unless you set \`--random-seed\`.

${table(
  ['Flag', 'What it does'],
  [
    ['`--secret SECRET`', 'signing secret of the receiver'],
    ['`--only ID`', 'runs this check alone; repeatable, or a comma list'],
    ['`--observe URL`', 'checks whether duplicates are recognised, see below'],
    ['`--json`', 'prints the report as JSON, with every request and response'],
    ['`--junit [FILE]`', 'writes a JUnit report; without FILE, or with `-`, to stdout instead of the text'],
    ['`--timeout DURATION`', 'longest time of a response; default `10s`, as the service allows'],
    ['`--random-seed SEED`', 'seed of the event ids'],
    ['`--allow-public-webhooks`', 'allows a receiver outside the private network'],
  ],
)}

Exit code: 0 if every required check passed, 1 if one failed, 2 for a usage error or if the receiver cannot be reached. A
skipped check does not count. A failed recommended check lowers the score but does not change the exit code; in JUnit it
shows in the name of its case.

If a request gets no response, the run waits up to five seconds for the receiver to come back, so that a crash counts
against the check that caused it. If the receiver stays away, the remaining checks fail as "not played".

## Checking deduplication

From outside, a recognised duplicate looks like any other event: both get a 2xx. If your receiver can return the number
of different events that it has accepted so far, give that URL with \`--observe\`. It must respond to GET with:

\`\`\`json
{ "received": 3 }
\`\`\`

The count may lag behind the responses by as much as a response may take. Without \`--observe\` the check is skipped.

## The checks

${table(['Check', 'What it tests', 'Level'], overview)}

${chapters.join('\n')}`;
  return format(page, { parser: 'markdown', printWidth: 120 });
}
