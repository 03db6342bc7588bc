import { format } from 'prettier';
import { assumptions } from '../src/dialect/assumptions.js';
import { dialectSettings, statusRange, statusSetting } from '../src/dialect/settings.js';
import { errorTable } from '../src/domain/errors.js';

const cell = (text: string): string => text.replaceAll('|', '\\|');
const row = (...cells: string[]): string => `| ${cells.map(cell).join(' | ')} |`;
const table = (head: string[], rows: string[][]): string =>
  [row(...head), row(...head.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');

/** The page in Markdown, as the formatter leaves it, so that the file on disk can be compared with it. */
export async function assumptionsPage(): Promise<string> {
  const choices = assumptions.map(({ section, point, choice, reason, setting }) => [
    section,
    point,
    choice,
    reason,
    setting === undefined ? '' : `\`${setting}\``,
  ]);
  const settings = dialectSettings.map(({ key, allowed }) => [
    `\`${key}\``,
    allowed.map((value, index) => `\`${value}\`${index === 0 ? ' (default)' : ''}`).join(', '),
  ]);
  const errors = Object.entries(errorTable)
    .filter(([, error]) => error.plane !== 'control')
    .map(([code, error]) => [`\`${code}\``, `${error.status}`, error.title]);
  const page = `# What we assumed

<!-- Printed by scripts/assumptions.ts from src/dialect; edit there. -->

The interface document of the service leaves some points open. This is what the sandbox does at each of them, and why.
In \`openapi.yaml\` the same points carry \`x-assumed: true\`. If your service differs, a setting may turn the choice:
write it into a YAML file and start with \`--dialect FILE\`. If it differs and has no setting, please open an issue.

${table(['§', 'Open point', 'The sandbox', 'Why', 'Setting'], choices)}

## Settings

Nested or dotted keys, as you like; what a file does not name keeps its default.

\`\`\`yaml
http.created: 201
errors:
  envelope: flat
  status: { otp_expired: 400 }
\`\`\`

${table(['Setting', 'Values'], [...settings, [`\`${statusSetting}\``, `${statusRange.least} to ${statusRange.most}, for each code below`]])}

## Errors of the API

${table(['Code', 'Status', 'When'], errors)}
`;
  return format(page, { parser: 'markdown', printWidth: 120 });
}
