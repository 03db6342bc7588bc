/** Moves each error of the API document to the status that a dialect gives its code. */
import { errorTable, type ErrorCode } from '../domain/errors.js';
import { operationsOf, resolved, type ApiDocument, type Response } from './document-parts.js';

export function moveErrors(document: ApiDocument, statusOf: (code: string) => number): void {
  for (const { responses } of operationsOf(document)) {
    const before = Object.entries(responses).map(([status, response]) => {
      const { 'x-error-codes': codes = [] } = resolved(document, response);
      return { status, response, codes };
    });
    const sources = before.filter(({ codes }) => codes.length > 0);
    const statuses = new Set(sources.flatMap(({ codes }) => codes.map((code) => String(statusOf(code)))));
    for (const { status } of sources) Reflect.deleteProperty(responses, status);
    for (const status of statuses) {
      const parts = sources.flatMap(({ response, codes }) => {
        const here = codes.filter((code) => String(statusOf(code)) === status);
        return here.length === 0 ? [] : [{ response, here, isWhole: here.length === codes.length }];
      });
      const [only] = parts;
      responses[status] =
        parts.length === 1 && only?.isWhole === true
          ? only.response
          : joined(parts.map(({ response, here }) => part(resolved(document, response), here)));
    }
  }
}

/** Returns a response with only some of its codes. */
function part(response: Response, codes: readonly string[]): Response {
  const media = response.content?.['application/json'];
  const examples = Object.entries(media?.examples ?? {}).filter(([name]) => codes.includes(name));
  return {
    ...response,
    description: codes.map((code) => errorTable[code as ErrorCode].title).join(' '),
    'x-error-codes': codes,
    content: { 'application/json': { ...media, examples: Object.fromEntries(examples) } },
  };
}

function joined(parts: readonly Response[]): Response {
  const examples = parts.map(({ content }) => content?.['application/json']?.examples);
  const response: Response = Object.assign({}, ...parts) as Response;
  return {
    ...response,
    description: parts.map(({ description }) => description).join(' '),
    headers: Object.assign({}, ...parts.map(({ headers }) => headers)) as object,
    'x-error-codes': [...new Set(parts.flatMap((each) => each['x-error-codes'] ?? []))],
    content: {
      'application/json': {
        ...response.content?.['application/json'],
        examples: Object.assign({}, ...examples) as Record<string, { value: unknown }>,
      },
    },
  };
}
