/** Generates parts of the pages about the emulated service from its OpenAPI document. */
import document from '../../src/generated/api.json' with { type: 'json' };
import { operationsOf, type Content, type OpenApi, type Operation } from '../openapi.js';
import { code, table } from './markdown.js';

interface ErrorResponse extends Content {
  readonly description: string;
  readonly 'x-error-codes'?: readonly string[];
}

const { webhooks, components } = document as unknown as {
  readonly webhooks: Readonly<Record<string, { readonly post: { description: string; requestBody: Content } }>>;
  readonly components: { readonly responses: Readonly<Record<string, ErrorResponse>> };
};

const operations = operationsOf(document as unknown as OpenApi).map(({ operation }) => operation);
const examplesOf = ({ content = {} }: Content) =>
  Object.values(content).flatMap(({ examples = {} }) => Object.entries(examples));

/** Returns the status and the name of each error of an operation, without the one for statuses that are not listed. */
function errorsOf({ responses }: Operation): [status: string, name: string][] {
  return Object.entries(responses).flatMap(([status, response]): [string, string][] =>
    '$ref' in response && status !== 'default' ? [[status, response.$ref.replace('#/components/responses/', '')]] : [],
  );
}

/** Errors that most operations share; the page shows them once. */
const common = new Set(
  [...new Set(operations.flatMap((operation) => errorsOf(operation).map(([, name]) => name)))].filter(
    (name) => operations.filter((operation) => errorsOf(operation).some(([, other]) => other === name)).length > 3,
  ),
);

const codesOf = (name: string) => components.responses[name]?.['x-error-codes'] ?? [];

/** @param but codes that another table has */
function errorTable(
  errors: readonly (readonly [status: string, name: string])[],
  but: ReadonlySet<string> = new Set(),
): string {
  const rows = errors.flatMap(([status, name]) => {
    const shared = components.responses[name];
    if (shared === undefined) throw new Error(`openapi.yaml has no response "${name}".`);
    const { description, 'x-error-codes': codes = [], ...response } = shared;
    const summaries = new Map(examplesOf(response).map(([key, { summary }]) => [key, summary]));
    const when = (error: string): string =>
      (codes.length === 1 ? description : (summaries.get(error) ?? description))
        .replace(/(?<!\.)$/, '.')
        .replace('magic number', '[magic number](failures.md#magic-numbers)');
    return codes.filter((error) => !but.has(error)).map((error) => [status, code(error), when(error)]);
  });
  return table(['Status', 'Code', 'When'], rows);
}

const ownErrorsOf = (operation: Operation) => errorsOf(operation).filter(([, name]) => !common.has(name));

function commonErrors(): string {
  const all = operations.flatMap(errorsOf).filter(([, name]) => common.has(name));
  const once = [...new Map(all.map(([status, name]) => [name, status]))].map(
    ([name, status]) => [status, name] as const,
  );
  return errorTable(once.sort(([one], [other]) => Number(one) - Number(other)));
}

function eventPayloads(): string {
  return Object.entries(webhooks)
    .map(([type, { post }]) => {
      const [first, ...others] = examplesOf(post.requestBody).map(([, example]) => example);
      const json = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
      // Of the further examples, the data differ.
      const more = others.map(
        ({ summary, value }) => `\n\n${summary} (only \`data\`):\n\n${json((value as { data: unknown }).data)}`,
      );
      return `### ${type}\n\n${post.description.trim()}\n\n${json(first?.value)}${more.join('')}`;
    })
    .join('\n\n');
}

export const apiSections: Readonly<Record<string, () => string>> = {
  ...Object.fromEntries(
    operations
      .filter((operation) => ownErrorsOf(operation).length > 0)
      .map((operation) => [
        `errors-${operation.operationId}`,
        () => errorTable(ownErrorsOf(operation), new Set([...common].flatMap(codesOf))),
      ]),
  ),
  'errors-common': commonErrors,
  'event-payloads': eventPayloads,
};
