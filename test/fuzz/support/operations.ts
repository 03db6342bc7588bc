/** The operations of both documents, with the data that a generator of calls needs. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { follow, isSchema, listOf, type Schema } from './schema.js';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly plane: 'api' | 'control';
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The schema of a JSON body; null if it takes none. */
  readonly body: Schema | null;
  readonly bodyRequired: boolean;
  /** A JSON pointer to that schema in the document, for the validator. */
  readonly bodyPointer: string;
  readonly document: Schema;
}

const methods = ['get', 'put', 'post', 'delete'];
const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** A report is HTML, and a snapshot is of one version: no schema says more about them. */
const isBeyondSchema = (id: unknown): boolean => id === 'putExplorationReport' || id === 'putSnapshot';

function operationsOf(plane: Operation['plane'], file: string): Operation[] {
  const document = parse(readFileSync(file, 'utf8'), { maxAliasCount: -1 }) as Schema;
  return Object.entries(document['paths'] as Readonly<Record<string, Schema>>).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (!isSchema(operation) || isBeyondSchema(operation['operationId'])) return [];
      const parameters = [...listOf(item['parameters']), ...listOf(operation['parameters'])].map((given) => {
        const found = follow(document, given);
        return { ...found, required: found['required'] === true, schema: follow(document, found['schema'] as Schema) };
      }) as unknown as Parameter[];
      const requestBody = operation['requestBody'] as { required?: boolean; content?: Schema } | undefined;
      const media = requestBody?.content?.['application/json'];
      return [
        {
          plane,
          id: String(operation['operationId']),
          method: method.toUpperCase(),
          path,
          parameters,
          body: isSchema(media) ? (media['schema'] as Schema) : null,
          bodyRequired: requestBody?.required === true,
          bodyPointer: `/paths/${escaped(path)}/${method}/requestBody/content/application~1json/schema`,
          document,
        },
      ];
    }),
  );
}

export const operations: readonly Operation[] = [
  ...operationsOf('api', 'openapi.yaml'),
  ...operationsOf('control', 'src/generated/control.json'),
];
