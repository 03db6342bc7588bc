import ts from 'typescript';
import type { SourceFile } from './source-files.js';

const TIME = "take the account's now as a value, or SystemClock (src/time/system-clock.ts) from whoever constructs you";
const TIMER = 'use SystemClock.setTimer or SystemClock.defer (src/time/system-clock.ts), handed in';
const CHANCE = 'draw from a Stream (src/random/stream.ts) or from Ids (src/random/ids.ts), handed in';

/** What must not be reached for, and what takes its place. */
const REPLACEMENT: Readonly<Record<string, string>> = {
  'Date.now': TIME,
  'Date()': TIME,
  'performance.now': TIME,
  'process.hrtime': TIME,
  setTimeout: TIMER,
  setInterval: TIMER,
  setImmediate: TIMER,
  'node:timers': TIMER,
  'node:timers/promises': TIMER,
  'Math.random': CHANCE,
  randomUUID: CHANCE,
  randomBytes: CHANCE,
  randomInt: CHANCE,
  getRandomValues: CHANCE,
};

/** The homes of time and chance: they exist to wrap these. */
const HOMES = ['src/time/', 'src/random/', 'src/ui/page/core/browser.ts'];

/** One line for each use of the machine's clock, its timers or its randomness outside their homes. Comments do not count. */
export function ambientUses(files: readonly SourceFile[]): string[] {
  return files.filter(({ path }) => !HOMES.some((home) => path.startsWith(home))).flatMap(usesIn);
}

function usesIn({ path, text }: SourceFile): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const name = ambientName(node);
    const replacement = name === undefined ? undefined : REPLACEMENT[name];
    if (name !== undefined && replacement !== undefined) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${path}:${line + 1}: ${name} is ambient; ${replacement}.`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function ambientName(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) {
    const owner = node.expression.getText();
    // A method of that name on an object of ours (socket.setTimeout) is not the global one.
    if (owner === 'globalThis' || owner === 'crypto') return node.name.text;
    return `${owner}.${node.name.text}`;
  }
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date') {
    return (node.arguments ?? []).length === 0 ? 'Date()' : undefined;
  }
  if (ts.isCallExpression(node) && node.expression.getText() === 'Date') return 'Date()';
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) return node.moduleSpecifier.text;
  if (ts.isIdentifier(node) && isFree(node)) return node.text;
  return undefined;
}

/** Whether the identifier refers to something by its own name: no property, no key, no declaration of ours. */
function isFree(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isImportSpecifier(parent)) return (parent.propertyName ?? parent.name) === node;
  const declares =
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isMethodDeclaration(parent);
  return !(declares && parent.name === node);
}
