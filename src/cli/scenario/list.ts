import type { Command } from 'commander';
import type { components } from '../../generated/control.js';
import { printableLine } from '../../domain/printable.js';
import { connect, withClientFlags } from '../client.js';
import type { Connection } from '../../client/connection.js';
import type { ClientFlags } from '../client.js';
import { print } from '../print.js';

type KnownScenario = components['schemas']['KnownScenario'];
type ScenarioList = components['schemas']['ScenarioList'];

/** `scenario list`: lists the scenarios of a sandbox and marks the active one. */
export function addList(scenario: Command): void {
  withClientFlags(
    scenario.command('list').description('list the scenarios of a running sandbox; * marks the active one'),
  ).action(async (flags: ClientFlags) => {
    const known = await allOf(connect(flags));
    const width = Math.max(0, ...known.map(({ name }) => name.length));
    const lines = known.map(({ name, active, valid, description, problems }) => {
      const [first] = problems ?? [];
      const trouble = first === undefined ? 'does not load' : `does not load, line ${first.line}: ${first.message}`;
      const about = (valid ? (description ?? '') : trouble).replace(/\s+/g, ' ');
      return printableLine(`${active ? '*' : ' '} ${name.padEnd(width)}  ${about}`.trimEnd());
    });
    print(flags.json, { items: known }, lines.length === 0 ? ['No scenario is known.'] : lines);
  });
}

async function allOf(client: Connection): Promise<KnownScenario[]> {
  const all: KnownScenario[] = [];
  let next: number | null = 0;
  while (next !== null) {
    const page: ScenarioList = await client.call('GET', `/_sandbox/scenarios?after=${next}`);
    all.push(...page.items);
    next = page.next;
  }
  return all;
}
