/** Reads the types that the clients in other languages exchange, from the two documents and from the scenario language. */
import { scenarioJsonSchema } from '../../src/scenario/schema/scenario.js';
import { operationsOf, resolve, type OpenApi, type Schema } from '../openapi.js';

export type Shape = { readonly nullable?: boolean } & (
  | { readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'any' | 'instant' | 'duration' | 'offset' }
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

export interface Models {
  /** Named lists of words, such as the states of a message. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  /** A model comes after those that it uses, unless they use each other. */
  readonly models: readonly Model[];
  /** The filters of the lists. */
  readonly filters: readonly Model[];
}

/** What the methods of the clients send and return; the models that these use are read with them. */
const sent = `AdvanceInput CreateTemplateRequest EmitInput EndpointStatusInput InboundInput InteractiveReply ResetInput
  ReviewInput RuleInput SinkInput SnapshotNameInput TemplateStatusInput WindowInput`;
const received = `ActiveScenario AddedRule AdvanceResult Clock Coverage Customer Delivery EmitResult Endpoint Event
  IdleResult InboundMessage InboundResult Job JournalRequest KnownScenario Message Otp Rule SinkRequest SnapshotInfo Template
  Verdict WebhookRegistration`;

/** The payloads of events, which the document of the control plane describes as any object. */
const payloads = ['MessageReceivedData', 'MessageStatusData', 'OtpVerifiedData', 'TemplateStatusData'];

const filterNames: Readonly<Record<string, string>> = {
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
export function readModels(control: OpenApi, api: OpenApi, inputSuffix: string): Models {
  const words = new Map<string, readonly string[]>();
  const models = new Map<string, Model>();
  /** What is being read now: a rule's match has other matches. */
  const open = new Set<string>();
  const documented = { ...api.components['schemas'], ...control.components['schemas'] } as Record<string, Schema>;
  // A rule that is received is described as any object.
  const sendable = { ...documented, ...ruleSchemas() };
  const schemaOf = (name: string, input: boolean) => (input ? sendable : documented)[name] ?? {};

  const shapeOf = (schema: Schema, name: string, input: boolean): Shape => {
    const { type, properties, allOf, items = {}, enum: listed } = schema;
    if (schema.$ref !== undefined) return named(lastPart(schema.$ref), input);
    if (allOf && !properties)
      return allOf.length === 1
        ? shapeOf(allOf[0] ?? {}, name, input)
        : object(merged(schema, allOf, input), name, input);
    if (listed && listed.some((word) => typeof word === 'string')) {
      const all = listed.map(String).filter((word) => !/^\d+$/.test(word));
      return { kind: 'words', words: [...new Set(all)], ...(listed.includes(null) && { nullable: true }) };
    }
    if (schema.const === true) return { kind: 'boolean' };
    const choices = type === 'object' ? undefined : (schema.anyOf ?? schema.oneOf);
    if (choices) return union(choices.map((choice) => (choice.type === 'null' ? null : shapeOf(choice, name, input))));
    if (type === undefined) return { kind: 'any' };
    return union(
      [type].flat().map((each): Shape | null => {
        if (each === 'null') return null;
        if (each === 'object') return object(schema, name, input);
        if (each === 'array') return { kind: 'list', of: shapeOf(items, name.replace(/s$/, ''), input) };
        if (each === 'integer' || each === 'number' || each === 'boolean') return { kind: each };
        return { kind: textKind(schema) };
      }),
    );
  };

  /** Some durations are listed, because they have a default. Those of the scenario language may have two ends. */
  const textKind = ({ pattern }: Schema) => {
    if (pattern !== undefined && pattern === documented['Duration']?.pattern) return 'duration';
    return pattern?.includes('(?:\\d+ms)?') ? 'offset' : 'text';
  };

  const named = (name: string, input: boolean): Shape => {
    if (name === 'Timestamp' || name === 'Instant') return { kind: 'instant' };
    if (name === 'Duration') return { kind: 'duration' };
    const schema = schemaOf(name, input);
    if (open.has(name)) return schema.properties ? { kind: 'model', name: modelName(name, input) } : { kind: 'any' };
    open.add(name);
    const shape = shapeOf(schema, name, input);
    open.delete(name);
    if (shape.kind !== 'words') return shape;
    words.set(name, shape.words);
    return { kind: 'named', name };
  };

  const modelName = (name: string, input: boolean) => (input && !name.endsWith('Input') ? name + inputSuffix : name);

  const object = (schema: Schema, plainName: string, input: boolean): Shape => {
    const { properties = {}, additionalProperties: more } = schema;
    if (Object.keys(properties).length === 0) {
      return { kind: 'map', of: typeof more === 'object' ? shapeOf(more, plainName, input) : { kind: 'any' } };
    }
    const name = modelName(plainName, input);
    if (!models.has(name)) {
      const fields = Object.entries(properties).map(([key, property]): Field => {
        const required = schema.required?.includes(key) === true;
        const isPayload = name === 'Event' && key === 'data';
        const shape = isPayload
          ? union(payloads.map((each) => named(each, false)))
          : shapeOf(property, plainName + pascal(key), input);
        return { name: key, doc: property.description ?? '', required, shape };
      });
      models.set(name, { name, doc: schema.description ?? '', input, fields });
    }
    return { kind: 'model', name };
  };

  const merged = ({ description }: Schema, parts: readonly Schema[], input: boolean): Schema => {
    const whole = parts.map((part) => (part.$ref === undefined ? part : schemaOf(lastPart(part.$ref), input)));
    return {
      ...(description !== undefined && { description }),
      properties: Object.assign({}, ...whole.map(({ properties }) => properties)) as Record<string, Schema>,
      required: whole.flatMap(({ required = [] }) => required),
    };
  };

  const filters = operationsOf(control).flatMap(({ operation: { operationId, parameters = [] } }): Model[] => {
    const name = filterNames[operationId];
    if (name === undefined) return [];
    const query = parameters.map((given) => resolve(control, given)).filter((parameter) => parameter.in === 'query');
    const fields = query.map(({ name: key, description: doc = '', schema }): Field => {
      return { name: key, doc, required: false, shape: shapeOf(schema, '', true) };
    });
    return [{ name, doc: '', input: true, fields }];
  });
  for (const [names, input] of [
    [sent, true],
    [received, false],
  ] as const) {
    for (const name of names.split(/\s+/)) {
      if (!documented[name]) throw new Error(`The documents have no schema ${name}.`);
      named(name, input);
    }
  }
  return { words, models: [...models.values()], filters };
}

function union(shapes: readonly (Shape | null)[]): Shape {
  const rest = shapes.filter((shape) => shape !== null);
  const [only = { kind: 'any' } as const] = rest;
  const shape: Shape = rest.length > 1 ? { kind: 'union', of: rest } : only;
  return rest.length < shapes.length ? { ...shape, nullable: true } : shape;
}

/**
 * The parts of a rule, as the scenario language describes them: `Match` as `RuleMatch`. The control plane's document has
 * WebhookSlot, too.
 */
function ruleSchemas(): Record<string, Schema> {
  const { definitions } = scenarioJsonSchema() as { definitions: object };
  const text = JSON.stringify(definitions).replace(/"#\/definitions\/(?!WebhookSlot")/g, '"#/definitions/Rule');
  const { Rule, ...parts } = JSON.parse(text) as Record<string, Schema>;
  const named = Object.entries(parts).map(([name, schema]) => [`Rule${name}`, schema]);
  return { ...Object.fromEntries(named), ...(Rule && { RuleInput: Rule }) } as Record<string, Schema>;
}

function lastPart(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

/** `last_hit` as `LastHit`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|[_.-])(\w)/g, (_all, first: string) => first.toUpperCase());
}
