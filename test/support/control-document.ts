/** Reads the control plane's OpenAPI document, typed as far as tests need it. */
import { readFileSync } from 'node:fs';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
}
export interface Media {
  schema: Schema;
  example?: unknown;
}
export interface Response {
  $ref?: string;
  description: string;
  content?: Record<string, Media>;
}
export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description: string;
  schema: Schema;
  example?: unknown;
}
export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Response>;
}
export interface ControlDocument {
  info: { title: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Partial<Record<Method, Operation>> & { parameters?: Parameter[] }>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    parameters: Record<string, Parameter>;
  };
}
const methods = ['get', 'put', 'post', 'delete'] as const;
export type Method = (typeof methods)[number];

/** One operation with its path, its method and all its parameters, references followed. */
export interface Call {
  id: string;
  path: string;
  method: Method;
  operation: Operation;
  parameters: Parameter[];
}

/** The text of the document. The path is relative to the top of the project. */
export const controlSource = readFileSync('src/generated/control.json', 'utf8');

/** Returns a fresh copy, because the validator changes the one it is given. */
export const readControlDocument = (): ControlDocument => JSON.parse(controlSource) as ControlDocument;

/** Returns what a reference points at; anything else is returned as it is. */
export function follow<T extends { $ref?: string }>(document: ControlDocument, value: T): T {
  if (value.$ref === undefined) return value;
  let found: unknown = document;
  for (const key of value.$ref.slice(2).split('/')) found = (found as Record<string, unknown>)[key];
  return found as T;
}

/** Returns every operation, in the order of the document. */
export function callsOf(document: ControlDocument): Call[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const all = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
      const parameters = all.map((parameter) => follow(document, parameter));
      return [{ id: operation.operationId, path, method, operation, parameters }];
    }),
  );
}
