/** The clients have the names of the JavaScript library, except those that clients/README.md lists. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sandboxAccount } from '../../src/client/account.js';
import { sandboxClient } from '../../src/client/client.js';
import { openConnection } from '../../src/client/connection.js';

const settings = { url: 'http://127.0.0.1:1', key: 'k', controlToken: null };

/** `clock.now` of an object whose parts are objects of methods. */
function namesOf(of: object, prefix = ''): string[] {
  return Object.entries(of).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null ? namesOf(value, `${prefix}${name}.`) : [`${prefix}${name}`],
  );
}

function javaScript(): string[] {
  const account = sandboxAccount(openConnection(settings));
  const parts = { customer: account.customer('+12025550123'), sink: account.sink('audit') };
  const whole = namesOf(account).filter((name) => name !== 'customer' && name !== 'sink');
  const client = namesOf(sandboxClient(settings)).filter((name) => !namesOf(account).includes(name));
  return [...whole, ...namesOf(parts), ...client, 'createSandbox', 'connectSandbox'];
}

const python = (name: string) => readFileSync(`clients/python/src/messaging_sandbox/${name}.py`, 'utf8');

function pythonNames(): string[] {
  const [sandbox, controls] = [python('_sandbox'), python('_controls')];
  const methods = (text: string, of: string) => {
    const [, body = ''] = new RegExp(`^class ${of}\\b.*\\n((?: {4}.*\\n|\\n)*)`, 'm').exec(text) ?? [];
    return [...body.matchAll(/^ {4}def ([a-z]\w*)\(/gm)].map(([, name = '']) => name);
  };
  const parts = [...sandbox.matchAll(/self\.(\w+) = controls\.(\w+)\(/g)].map(([, name = '', of = '']) => [name, of]);
  const further = [
    ['customer', 'Customer'],
    ['customer.window', 'WindowControl'],
    ['sink', 'Sink'],
  ];
  return [
    ...methods(sandbox, 'Account').filter((name) => name !== 'customer' && name !== 'sink'),
    ...[...parts, ...further].flatMap(([name = '', of = '']) => methods(controls, of).map((each) => `${name}.${each}`)),
    ...methods(sandbox, 'Sandbox').map((name) => `Sandbox.${name}`),
    ...['url', 'key', 'call', 'customer.phone', 'sink.name', 'sink.url'],
  ];
}

function goNames(): string[] {
  const text = ['account', 'customer', 'sandbox', 'testing']
    .map((name) => readFileSync(`clients/go/${name}.go`, 'utf8'))
    .join('\n');
  const fields = new Map([...text.matchAll(/^\t(\w+) +(\w+Control)$/gm)].map(([, field = '', of = '']) => [of, field]));
  const methods = [...text.matchAll(/^func (?:\(\w+ \*?(\w+)\) )?([A-Z]\w*)\(/gm)].map(
    ([, of = 'sandbox', name = '']) => {
      if (of === 'Account') return name;
      return `${fields.get(of) ?? of.replace(/Control$/, '')}.${name}`;
    },
  );
  return [
    ...methods.filter((name) => name !== 'Customer' && name !== 'Sink'),
    ...['URL', 'Key', 'Customer.Phone', 'Sink.Name', 'Sink.URL', 'Sandbox.URL'],
  ];
}

/** The names of a column, in the rows of the names that differ between languages. */
function differing(column: number): string[] {
  const [, table = ''] = readFileSync('clients/README.md', 'utf8').split(/^## (?:Names|Write a client)$/m);
  const rows = table.split('\n').filter((line) => /^\| (?!Use|---)/.test(line));
  const cells = rows.map((row) => row.split('|')[column + 1] ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name));
}

const elsewhere = ['useSandbox', 'account', 'count'];
const capitalised = (name: string): string => name.replace(/(^|\.)[a-z]/g, (letter) => letter.toUpperCase());

it.each([
  ['Python', 2, pythonNames(), (name: string) => name],
  ['Go', 3, goNames(), capitalised],
])('%s has the names of JavaScript, and those that differ', (_language, column, names, inItsForm) => {
  const regular = javaScript().filter((name) => !differing(1).includes(name));
  const listed = differing(column).filter((name) => !elsewhere.includes(name));
  expect([...regular.map(inItsForm), ...listed].sort()).toStrictEqual(names.sort());
});

it('names of JavaScript exist', () => {
  const names = [...javaScript(), ...elsewhere];
  expect(differing(1).filter((name) => !names.includes(name))).toStrictEqual([]);
});
