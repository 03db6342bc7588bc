/**
 * Express loads at once all it may ever need: a database of media types, readers of forms, a server of files; a third of a
 * start. In the bundle its modules load another one where they use it.
 */
import type { Plugin } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import ts from 'typescript';

export const lateRequires: Plugin = {
  name: 'late-requires',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]node_modules[\\/]express[\\/]lib[\\/][^\\/]*\.js$/ }, async ({ path }) => ({
      contents: withLateRequires(await readFile(path, 'utf8')),
      loader: 'js',
    }));
  },
};

interface Edit {
  readonly node: ts.Node;
  readonly text: string;
}

/**
 * A variable at the top of a CommonJS module that holds what another one exports gives way to its `require` wherever it is
 * used, which in a bundle costs a call; an export that is nothing else becomes a getter. A name that means something
 * else as well stays, and so does what Node itself brings.
 */
export function withLateRequires(text: string): string {
  const inlined = edited(text, ({ statements }) => statements.flatMap(inlineLoad));
  return edited(inlined, ({ statements }) => statements.flatMap(lateExport));
}

function inlineLoad(statement: ts.Statement): Edit[] {
  if (!ts.isVariableStatement(statement)) return [];
  const [declaration, ...more] = statement.declarationList.declarations;
  if (!declaration?.initializer || more.length > 0 || !ts.isIdentifier(declaration.name)) return [];
  if (!isLoad(declaration.initializer)) return [];
  const uses = usesOf(declaration.name, statement.getSourceFile());
  if (uses === null) return [];
  const call = declaration.initializer.getText();
  return [{ node: statement, text: '' }, ...uses.map((node) => ({ node, text: call }))];
}

function lateExport(statement: ts.Statement): Edit[] {
  if (!ts.isExpressionStatement(statement) || !ts.isBinaryExpression(statement.expression)) return [];
  const { left, right } = statement.expression;
  if (!ts.isPropertyAccessExpression(left) || left.expression.getText() !== 'exports' || !isLoad(right)) return [];
  const getter = `{ configurable: true, enumerable: true, get: () => ${right.getText()} }`;
  return [{ node: statement, text: `Object.defineProperty(exports, '${left.name.text}', ${getter});` }];
}

/** `require('name')`, or something of it. */
function isLoad(node: ts.Expression): boolean {
  if (ts.isPropertyAccessExpression(node)) return isLoad(node.expression);
  if (!ts.isCallExpression(node) || node.expression.getText() !== 'require') return false;
  const [name] = node.arguments;
  return name !== undefined && ts.isStringLiteral(name) && !isBuiltin(name.text);
}

/** Where a variable is read; null when the name is not its alone, or stands where a call cannot. */
function usesOf(declared: ts.Identifier, source: ts.SourceFile): ts.Identifier[] | null {
  const uses: ts.Identifier[] = [];
  const others: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    // In there the name is the function's own.
    if (ts.isFunctionExpression(node) && node.name?.text === declared.text) return;
    if (ts.isIdentifier(node) && node !== declared && node.text === declared.text) {
      if (isRead(node)) uses.push(node);
      else if (!isPropertyName(node)) others.push(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return others.length === 0 ? uses : null;
}

function isPropertyName(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node)
  );
}

function isRead(node: ts.Identifier): boolean {
  const { parent } = node;
  if (isPropertyName(node) || ts.isShorthandPropertyAssignment(parent) || ts.isNewExpression(parent)) return false;
  if (ts.isBinaryExpression(parent) && parent.left === node) {
    return parent.operatorToken.kind !== ts.SyntaxKind.EqualsToken;
  }
  return ts.isExpression(parent) || ts.isStatement(parent) || ts.isVariableDeclaration(parent)
    ? !('name' in parent && parent.name === node)
    : false;
}

/** A text with parts of its tree written anew. */
function edited(text: string, edit: (source: ts.SourceFile) => readonly Edit[]): string {
  const source = ts.createSourceFile('module.js', text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const fromTheEnd = [...edit(source)].sort((one, other) => other.node.pos - one.node.pos);
  return fromTheEnd.reduce(
    (soFar, { node, text: written }) => soFar.slice(0, node.getStart()) + written + soFar.slice(node.end),
    text,
  );
}
