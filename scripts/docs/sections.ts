/** Generates tables in hand-written pages, each from a list in the code. */
import { readdirSync, readFileSync } from 'node:fs';
import { groups } from '../../src/certify/run.js';
import { checks } from '../../src/certify/checks.js';
import { configOptionList } from '../../src/config/index.js';
import { defaultDialect, dialectSettings } from '../../src/dialect/index.js';
import { type ShapeKey, shapes } from '../../src/dialect/names.js';
import { channelErrors } from '../../src/domain/errors.js';
import { lifecyclePresets } from '../../src/language/lifecycle.js';
import { loadScenario } from '../../src/reader/load.js';
import { magicNumbers, magicTemplates } from '../../src/rules/magic-numbers.js';
import { kindOf, type ScenarioKind } from '../../src/language/kind.js';
import { preferKeys } from '../../src/reader/prefer.js';
import { FACTS_BY_HOOK, FIELDS_BY_SUBJECT, HOOKS, SLOTS_BY_HOOK } from '../../src/language/hooks.js';
import { apiSections } from './api-sections.js';
import { clientOptionTable, commandTable } from './cli.js';
import { code, table } from './markdown.js';
import { scenarioReference } from './scenario-reference.js';

const list = (values: readonly string[]): string => values.map(code).join(', ');

/** Two entries per row, to be read down the left half first, so that the table stays short. */
function halved(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const half = Math.ceil(rows.length / 2);
  const none = head.map(() => '');
  return table(
    [...head, ...head],
    rows.slice(0, half).map((row, index) => [...row, ...(rows[half + index] ?? none)]),
  );
}

const magicTable = (): string =>
  halved(
    ['NN', 'Behaviour'],
    magicNumbers.map(({ suffix, description }) => [`**${suffix}**`, description]),
  );

function magicTemplateTable(): string {
  return table(
    ['Name ends in', 'Review'],
    magicTemplates.map(({ suffix, description }) => [code(suffix), description]),
  );
}

function lifecycleTable(): string {
  return table(
    ['Preset', 'Steps'],
    lifecyclePresets.map(({ name, steps }) => [code(name), stepWords(steps)]),
  );
}

function stepWords(steps: readonly object[]): string {
  const one = (step: object): string =>
    Object.entries(step)
      .map(([key, value]) => `${key}: ${String(value)}`)
      .join(', ');
  return steps.length === 0 ? '`[]`' : code(`[${steps.map((step) => `{ ${one(step)} }`).join(', ')}]`);
}

function failureTable(): string {
  return halved(
    ['Name', 'Number'],
    channelErrors.map(({ code: name, channelCode }) => [code(name), String(channelCode)]),
  );
}

function hookTable(): string {
  return table(
    ['`when`', 'Fields for `match`', 'Actions for `then`'],
    HOOKS.map((hook) => [code(hook), list([...FACTS_BY_HOOK[hook].keys()]), list(SLOTS_BY_HOOK[hook])]),
  );
}

function fieldTable(): string {
  return table(
    ['`that`', 'Fields for `where`, `has` and `in_order`'],
    Object.entries(FIELDS_BY_SUBJECT).map(([subject, fields]) => [code(subject), list([...fields.keys()])]),
  );
}

function preferTable(): string {
  return table(
    ['Key', 'Sets'],
    preferKeys.map(({ key, about }) => [code(key), about]),
  );
}

function shippedTable(): string {
  const files = readdirSync('scenarios').filter((name) => name.endsWith('.yaml'));
  const known = files.sort().map((file) => {
    const result = loadScenario(readFileSync(`scenarios/${file}`, 'utf8'), { file });
    if ('problems' in result) throw new Error(`scenarios/${file} does not load.`);
    return { file, scenario: result.scenario };
  });
  const rows = (kind: ScenarioKind) =>
    known
      .filter(({ scenario }) => kindOf(scenario) === kind)
      .map(({ file, scenario }) => [`[${code(scenario.name)}](../scenarios/${file})`, scenario.description ?? '']);
  const conditions = table(['For any test suite', 'Conditions'], rows('conditions'));
  return `${conditions}\n\n${table(['For `scenario run`', 'Story'], rows('story'))}`;
}

function settingTable(): string {
  const rows = dialectSettings().map(({ key, about, allowed, path }) => {
    const values = allowed.map((value, index) => `${code(value)}${index === 0 ? ' (default)' : ''}`).join(', ');
    return [code(key), about, values || valuesOf(key, path)];
  });
  return table(['Setting', 'Sets', 'Values'], rows);
}

function valuesOf(key: string, [, name, header = '']: readonly string[]): string {
  if (key === 'errors.status.CODE')
    return '400 to 599. CODE is a code of the [API](api.md#errors-of-every-operation) other than `forbidden`, `limit_reached` and `store_unavailable`, which only the sandbox has';
  if (key === 'errors.codes.CODE')
    return 'A text without spaces. `no_default_otp_template`, `send_failed`, `otp_max_attempts` and `otp_expired` cannot be changed';
  if (name === 'headers') {
    const standard = defaultDialect.webhooks.headers[header as keyof typeof defaultDialect.webhooks.headers];
    return `${code(standard)} (default), another name, or \`null\``;
  }
  const names = Object.keys(shapes[key as ShapeKey].names).filter((name) => !name.startsWith('event.'));
  return `A [JSON template](#json-templates) with the placeholders ${names.map((name) => code(`{${name}}`)).join(', ')}`;
}

function settingsTable(): string {
  const rows = configOptionList.map(({ flags, env, standardText, description, isList }) => {
    const written = `\`${flags.replace(/[<>]/g, '')}\``;
    const variables = env.map((name) => `\`${name}\``).join(', ');
    const many = !isList || description.includes('repeatable') ? '' : '; repeatable';
    return [written, variables, standardText, description + many];
  });
  return table(['Flag', 'Variable', 'Default', 'What it does'], rows);
}

/** The checks of a receiver. The report of a failed check says what was sent, expected and found, and why it matters. */
function certifyChecks(): string {
  const rows = groups.flatMap((group) =>
    checks.filter((check) => check.group === group).map(({ id, title, level }) => [code(id), title, level]),
  );
  return table(['Check', 'What it tests', 'Level'], rows);
}

/** The generator of each marked section, by name. */
export const sections: Readonly<Record<string, () => string>> = {
  'magic-numbers': magicTable,
  'magic-templates': magicTemplateTable,
  lifecycles: lifecycleTable,
  failures: failureTable,
  hooks: hookTable,
  fields: fieldTable,
  prefer: preferTable,
  shipped: shippedTable,
  'dialect-settings': settingTable,
  reference: scenarioReference,
  settings: settingsTable,
  'client-options': clientOptionTable,
  commands: commandTable,
  'certify-checks': certifyChecks,
  ...apiSections,
};
