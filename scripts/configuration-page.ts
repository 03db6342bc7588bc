import { format } from 'prettier';
import { configOptionList } from '../src/config/index.js';

const cell = (text: string): string => text.replaceAll('|', '\\|');
const row = (...cells: string[]): string => `| ${cells.map(cell).join(' | ')} |`;

/** The page in Markdown, as the formatter leaves it, so that the file on disk can be compared with it. */
export async function configurationPage(): Promise<string> {
  const rows = configOptionList.map(({ flag, short, argument, env, standardText, description, separator }) => {
    const names = short === undefined ? flag : `${short}, ${flag}`;
    const written = `\`${names}${argument === undefined ? '' : ` ${argument}`}\``;
    const variables = env.map((name) => `\`${name}\``).join(', ');
    const many = separator === undefined || description.includes('repeatable') ? '' : '; repeatable';
    return row(written, variables, standardText, description + many);
  });
  const page = `# Settings

<!-- Printed by scripts/configuration.ts from src/config/options.ts; edit there. -->

Flags of \`messaging-sandbox start\`, and the variables that do the same. A flag beats a variable; an empty variable
counts as absent. Switches take \`1\`, \`true\`, \`yes\`, \`0\`, \`false\` or \`no\` as a variable. Lists are separated by commas, in a
variable by spaces too. A value that cannot be used ends the start with exit code 2 and a line that says where it came
from, what it was and what is allowed; a \`SANDBOX_…\` variable that nothing reads is warned of.

${[row('Flag', 'Variable', 'Default', 'What it does'), row('---', '---', '---', '---'), ...rows].join('\n')}

## Of the client commands

\`clock\`, \`inbound\`, \`trigger\`, \`reset\`, \`coverage\`, \`listen\`, \`scenario list\` and \`scenario use\` talk to a running sandbox. \`readyz\` takes \`--url\` and \`--json\` of these.

| Flag | Variable | Default | What it does |
| --- | --- | --- | --- |
| \`--url URL\` | \`SANDBOX_URL\` | \`http://127.0.0.1:4242\`, or what \`SANDBOX_HOST\` and \`SANDBOX_PORT\` or \`PORT\` say | the sandbox to talk to |
| \`--key KEY\` | \`SANDBOX_KEY\` | \`test_default\` | the API key whose account is meant |
| \`--control-token TOKEN\` | \`SANDBOX_CONTROL_TOKEN\` | none | the token that the sandbox was started with |
| \`--json\` | | off | print the answer as JSON |

Exit codes: 0 = done, 1 = asked rightly but it did not work, 2 = asked wrongly.
`;
  return format(page, { parser: 'markdown', printWidth: 120 });
}
