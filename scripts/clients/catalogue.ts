/**
 * Reads the types of the control plane from the two documents, in a form from which code in any language can be
 * generated.
 */
import { operationsOf, resolve, type Content, type OpenApi, type Operation, type Schema } from '../openapi.js';

export type Shape = { readonly nullable?: boolean } & (
  | { readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'any' | 'instant' | 'duration' }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'named' | 'model'; readonly name: string }
  | { readonly kind: 'list' | 'map'; readonly of: Shape }
  | { readonly kind: 'union'; readonly of: readonly Shape[] }
);

export interface Field {
  readonly name: string;
  readonly doc: string;
  readonly required: boolean;
  readonly shape: Shape;
}

export interface Model {
  readonly name: string;
  readonly doc: string;
  /** Sent by a test, rather than received. */
  readonly input: boolean;
  readonly fields: readonly Field[];
}

/** An operation as a function: path parameters, query parameters, a body, a result. */
export interface Call {
  readonly id: string;
  readonly doc: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly Field[];
  readonly body: Shape | undefined;
  /** Undefined if the response has no body or is a list. */
  readonly result: Shape | undefined;
  /** For a list: the type of its items. */
  readonly item: Shape | undefined;
}

export interface Catalogue {
  /** By operationId. */
  readonly calls: ReadonlyMap<string, Call>;
  /** Named lists of words, such as the states of a message. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  readonly models: ReadonlyMap<string, Model>;
  /** The filters of the lists. */
  readonly filters: readonly Model[];
}

/** Not read: complete documents, pages of a list (their items are read), and texts that are sent instead of JSON. */
const unread = /^(?:OpenApiDocument|Error\w+|WaitResult|\w+Yaml|\w*List)$/;

/**
 * The objects of the API plane that clients exchange: a template to submit, an endpoint to register, and the payload of
 * each event.
 */
const fromApi = { input: ['CreateTemplateRequest'], output: ['WebhookRegistration'] };

/** Classes of payload by type of event; the control plane's document describes them as any object. */
export const payloads: Readonly<Record<string, string>> = {
  'message.received': 'MessageReceivedData',
  'message.status': 'MessageStatusData',
  'otp.verified': 'OtpVerifiedData',
  'template.status': 'TemplateStatusData',
};

/** Names for the filters that select the entries of a list. */
export const filterNames: Readonly<Record<string, string>> = {
  listMessages: 'MessageFilter',
  listCustomerMessages: 'HandsetFilter',
  listEvents: 'EventFilter',
  listDeliveries: 'DeliveryFilter',
  listOtps: 'OtpFilter',
  listRequests: 'RequestFilter',
  listStoredTemplates: 'TemplateFilter',
  listEndpoints: 'WebhookFilter',
  listRules: 'RuleFilter',
  listScenarios: 'ScenarioFilter',
  listSnapshots: 'SnapshotFilter',
  listSinkReceived: 'SinkFilter',
};

/** @param inputSuffix the suffix of a model's name if it is sent; empty if one type serves both directions */
export function readCatalogue(control: OpenApi, api: OpenApi, inputSuffix: string): Catalogue {
  const words = new Map<string, readonly string[]>();
  const models = new Map<string, Model>();
  const schemas = { ...api.components['schemas'], ...control.components['schemas'] } as Record<string, Schema>;

  const shapeOf = (schema: Schema, name: string, input: boolean): Shape => {
    if (schema.$ref !== undefined) return named(lastPart(schema.$ref), input);
    const choices = schema.type === 'object' ? undefined : (schema.anyOf ?? schema.oneOf);
    if (choices) {
      const rest = choices.filter(({ type }) => type !== 'null').map((choice) => shapeOf(choice, name, input));
      const [only] = rest;
      const shape: Shape = only && rest.length === 1 ? only : { kind: 'union', of: rest };
      return rest.length < choices.length ? { ...shape, nullable: true } : shape;
    }
    const types = [schema.type ?? []].flat();
    const nullable = types.includes('null') && { nullable: true };
    const kinds = types.filter((type) => type !== 'null').map((type) => typed(type, schema, name, input));
    const [only = { kind: 'any' } as const] = kinds;
    if (schema.allOf) return object(merged(schema, schema.allOf), name, input);
    return kinds.length > 1 ? { kind: 'union', of: kinds, ...nullable } : { ...only, ...nullable };
  };

  const typed = (type: string, schema: Schema, name: string, input: boolean): Shape => {
    if (type === 'object') return object(schema, name, input);
    if (type === 'array') return { kind: 'list', of: shapeOf(schema.items ?? {}, name.replace(/s$/, ''), input) };
    if (type === 'string' && schema.enum) return { kind: 'words', words: schema.enum.map(String) };
    if (type === 'integer' || type === 'number' || type === 'boolean') return { kind: type };
    // Some durations are listed, because they have a default.
    if (schema.pattern !== undefined && schema.pattern === schemas['Duration']?.pattern) return { kind: 'duration' };
    return { kind: type === 'string' ? 'text' : 'any' };
  };

  const named = (name: string, input: boolean): Shape => {
    if (name === 'Timestamp' || name === 'Instant') return { kind: 'instant' };
    if (name === 'Duration') return { kind: 'duration' };
    const shape = shapeOf(schemas[name] ?? {}, name, input);
    if (shape.kind !== 'words') return shape;
    words.set(name, shape.words);
    return { kind: 'named', name };
  };

  const object = (schema: Schema, plainName: string, input: boolean): Shape => {
    const { properties, additionalProperties: more } = schema;
    if (!properties) {
      return { kind: 'map', of: typeof more === 'object' ? shapeOf(more, plainName, input) : { kind: 'any' } };
    }
    const name = input && !plainName.endsWith('Input') ? plainName + inputSuffix : plainName;
    if (!models.has(name)) {
      const fields = Object.entries(properties).map(([key, property]): Field => {
        const required = schema.required?.includes(key) === true;
        const shape =
          name === 'Event' && key === 'data' ? payloadOf() : shapeOf(property, plainName + pascal(key), input);
        return { name: key, doc: property.description ?? '', required, shape };
      });
      models.set(name, { name, doc: schema.description ?? '', input, fields });
    }
    return { kind: 'model', name };
  };

  const merged = ({ description }: Schema, parts: readonly Schema[]): Schema => {
    const whole = parts.map((part) => (part.$ref === undefined ? part : (schemas[lastPart(part.$ref)] ?? {})));
    return {
      ...(description !== undefined && { description }),
      properties: Object.assign({}, ...whole.map(({ properties }) => properties)) as Record<string, Schema>,
      required: whole.flatMap(({ required = [] }) => required),
    };
  };

  const payloadOf = (): Shape => ({ kind: 'union', of: Object.values(payloads).map((name) => named(name, false)) });

  const read = (schema: Schema | undefined, input: boolean): Shape | undefined => {
    const name = lastPart(schema?.$ref ?? '');
    return schema === undefined || unread.test(name) ? undefined : shapeOf(schema, name, input);
  };

  const parametersOf = ({ parameters = [] }: Operation): Field[] =>
    parameters.flatMap((given): Field[] => {
      const { in: place, name, description: doc = '', schema } = resolve(control, given);
      return place === 'query' ? [{ name, doc, required: false, shape: shapeOf(schema, '', true) }] : [];
    });

  const callOf = ({ method, path, operation }: ReturnType<typeof operationsOf>[number]): Call => {
    const success = jsonOf(operation.responses['200'] && resolve(control, operation.responses['200']));
    const list = /List$/.test(success?.$ref ?? '') ? schemas[lastPart(success?.$ref ?? '')] : undefined;
    return {
      id: operation.operationId,
      doc: operation.summary ?? '',
      method,
      path,
      query: parametersOf(operation),
      body: read(jsonOf(operation.requestBody), true),
      result: read(success, false),
      item: read(list?.properties?.['items']?.items, false),
    };
  };

  const calls = operationsOf(control).map(callOf);
  for (const name of fromApi.input) named(name, true);
  for (const name of fromApi.output) named(name, false);
  const filters = calls.flatMap(({ id, query: fields }): Model[] => {
    const name = filterNames[id];
    return name === undefined ? [] : [{ name, doc: '', input: true, fields }];
  });
  return { calls: new Map(calls.map((call) => [call.id, call])), words, models, filters };
}

function jsonOf(of: Content | undefined): Schema | undefined {
  return of?.content?.['application/json']?.schema;
}

function lastPart(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

/** `last_hit` as `LastHit`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|[_.-])(\w)/g, (_all, first: string) => first.toUpperCase());
}
