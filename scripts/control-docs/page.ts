/** The manual of the control plane as Markdown, from the document that validates it. */
import { format } from 'prettier';
import { curlOf } from './curl.js';
import { callsOf, follow, jsonAnswer, nameOf, readControlDocument, type Call, type Schema } from './document.js';
import { code, propertyRows, typeWords } from './schema-words.js';

const document = readControlDocument();
const calls = callsOf(document);

const cell = (text: string): string => text.trim().replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
const row = (cells: string[]): string => `| ${cells.map(cell).join(' | ')} |`;
const table = (head: string[], rows: string[][]): string => [head, head.map(() => '---'), ...rows].map(row).join('\n');
const block = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

const callName = ({ method, path }: Call): string => `${method.toUpperCase()} ${path}`;
/** The anchor that renderers make of a heading: lower case, spaces to hyphens, punctuation dropped. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

/** Answers that nearly every call shares are explained once, under Errors. */
const shared = new Set([
  'BadRequest',
  'Unauthorized',
  'Forbidden',
  'PayloadTooLarge',
  'UnsupportedMediaType',
  'LimitReached',
  'StoreUnavailable',
]);
const isShared = (ref: string | undefined): boolean => ref !== undefined && shared.has(nameOf(ref));

function parameterTable({ parameters }: Call): string[] {
  if (parameters.length === 0) return [];
  const rows = parameters.map(({ name, in: place, required, description, schema }) => [
    code(name),
    required === true ? `${place}, required` : place,
    typeWords(schema),
    `${description}${schema.default === undefined ? '' : ` Default ${code(schema.default)}.`}`,
  ]);
  return [table(['Parameter', 'In', 'Type', 'Meaning'], rows)];
}

function bodySection({ operation }: Call): string[] {
  const { requestBody } = operation;
  if (!requestBody) return [];
  const types = Object.keys(requestBody.content).map((type) => (type === '*/*' ? 'any content type' : code(type)));
  const schema = Object.values(requestBody.content)[0]?.schema ?? {};
  const shape = follow(document, schema);
  const rows = propertyRows(shape);
  return [
    `**Body** (${types.join(', ')}${requestBody.required ? '' : '; may be left out'}). ${shape.description ?? ''}`,
    ...(rows.length === 0 ? [] : [table(['Property', 'Type', 'Required', 'Meaning'], rows)]),
  ];
}

function answerSection({ operation }: Call): string[] {
  const entries = Object.entries(operation.responses);
  const own = entries.filter(([, response]) => !isShared(response.$ref));
  const rows = own.map(([status, response]) => {
    const { description, content } = follow(document, response);
    const kinds = Object.entries(content ?? {}).map(([type, media]) =>
      type === 'application/json' ? typeWords(media.schema) : code(type),
    );
    return [status, description, kinds.join(', ')];
  });
  const others = entries.filter(([, response]) => isShared(response.$ref)).map(([status]) => status);
  return [
    table(['Answer', 'Means', 'Content'], rows),
    ...(others.length === 0 ? [] : [`Also ${others.join(', ')}: see [Errors](#errors).`]),
  ];
}

function callSection(call: Call): string {
  const { operation } = call;
  const answer = jsonAnswer(operation) ?? operation.responses['200']?.content?.['text/plain'];
  const text = typeof answer?.example === 'string';
  const example = text ? String(answer.example) : JSON.stringify(answer?.example);
  return [
    `### ${callName(call)}`,
    `**${operation.summary}** (${code(operation.operationId)})`,
    operation.description,
    ...parameterTable(call),
    ...bodySection(call),
    ...answerSection(call),
    block('sh', curlOf(call)),
    ...(answer ? [block(text ? 'text' : 'json', example)] : []),
  ].join('\n\n');
}

function tagSection({ name, description }: { name: string; description: string }): string {
  const own = calls.filter(({ operation }) => operation.tags[0] === name);
  const index = own.map((call) => [`[${callName(call)}](#${anchor(callName(call))})`, call.operation.summary]);
  return [`## ${name}`, description, table(['Call', 'Does'], index), ...own.map(callSection)].join('\n\n');
}

function errorTable(): string {
  const rows = Object.entries(document.components.responses).map(([name, { description }]) => {
    const statuses = calls.flatMap(({ operation }) =>
      Object.entries(operation.responses).filter(([, { $ref }]) => $ref !== undefined && nameOf($ref) === name),
    );
    return [[...new Set(statuses.map(([status]) => status))].join(', '), description];
  });
  rows.sort(([one = ''], [other = '']) => one.localeCompare(other));
  return table(['Status', 'Code and reason'], rows);
}

/** Shapes that no body shows in full already. */
function shapes(): [string, Schema][] {
  const bodies = calls.map(({ operation }) => Object.values(operation.requestBody?.content ?? {})[0]?.schema.$ref);
  const answers = JSON.stringify(calls.map(({ operation }) => operation.responses));
  return Object.entries(document.components.schemas).filter(
    ([name]) => !bodies.includes(`#/components/schemas/${name}`) || answers.includes(`"#/components/schemas/${name}"`),
  );
}

function shapeSection([name, schema]: [string, Schema]): string {
  const rows = propertyRows(schema);
  const scalar = [
    `Type: ${typeWords(schema)}.`,
    ...(schema.pattern === undefined ? [] : [`Pattern: ${code(schema.pattern)}`]),
  ].join(' ');
  return [
    `### Shape ${name}`,
    schema.description ?? '',
    rows.length === 0 ? scalar : table(['Property', 'Type', 'Always', 'Meaning'], rows),
  ].join('\n\n');
}

/** The page as the formatter leaves it, so that the file on disk can be compared with it. */
export async function controlPage(): Promise<string> {
  const page = [
    '# Control plane',
    '<!-- Printed by scripts/control-docs.ts from src/http/control/openapi.yaml; edit there. -->',
    document.info.description,
    `Jump to: ${document.tags.map(({ name }) => `[${name}](#${name})`).join(' · ')} · [Errors](#errors) · [Shapes](#shapes)`,
    ...document.tags.map(tagSection),
    '## Errors',
    'Each operation lists what can happen to it; what nearly all of them share is explained here.',
    errorTable(),
    '## Shapes',
    'What answers hold. Properties may be added in later versions; none listed as always there is taken away.',
    ...shapes().map(shapeSection),
  ].join('\n\n');
  return format(page, { parser: 'markdown', printWidth: 120 });
}
