/** Generated from the document of the control plane. */
import type { components as Api, operations as ApiOperations } from '../generated/api.js';
import type { components as Control, operations } from '../generated/control.js';
import type * as language from '../generated/scenario.js';

type Schemas = Control['schemas'];
type ApiSchemas = Api['schemas'];
type Query<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>;
/** A text may be given as a number: `status: 429`. */
type Loose<Value> = Value extends string ? (string extends Value ? Value | number : Value) : Value;
type FilterOf<Wanted> = { [Name in keyof Wanted]: Loose<Wanted[Name]> };
type Filter<Operation extends keyof operations> = FilterOf<Query<Operation>>;

/** A duration: `250ms`, `10s`, `5m`, `24h`, `7d`, or combined, largest unit first: `1h30m`. */
export type Duration = Schemas['Duration'];
/** An instant of the account's clock: `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export type Timestamp = Schemas['Timestamp'];

export type Clock = Schemas['Clock'];
export type ClockInput = Schemas['ClockInput'];
export type AdvanceInput = Schemas['AdvanceInput'];
export type AdvanceResult = Schemas['AdvanceResult'];
export type WindowInput = Schemas['WindowInput'];
export type Customer = Schemas['Customer'];
export type Inbound = Omit<Schemas['InboundInput'], 'from'>;
export type InboundResult = Schemas['InboundResult'];
export type Button = Schemas['InteractiveReply'];
export type Message = Schemas['Message'];
export type InboundMessage = Schemas['InboundMessage'];
export type HandsetMessage = Schemas['HandsetMessage'];
export type Template = Schemas['Template'];
export type ReviewInput = Schemas['ReviewInput'];
export type TemplateStatusInput = Schemas['TemplateStatusInput'];
export type NewTemplate = ApiSchemas['CreateTemplateRequest'];
export type Otp = Schemas['Otp'];
export type EventType = Schemas['EventType'];
export type Delivery = Schemas['Delivery'];
/** The faults of a delivery: the `webhook` action of a scenario. */
export type WebhookSlot = language.WebhookSlot;
/** A registered webhook, with its secret. */
export type Endpoint = Schemas['Endpoint'];
export type RegisteredEndpoint = ApiSchemas['WebhookRegistration'];
/** The operations of the emulated service. */
export type Operation = Exclude<keyof ApiOperations, `on${string}`>;
/** The body of a call: all of it is optional, because a rejected call may have any body. */
export type SentBody<Called extends Operation> = ApiOperations[Called] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Partial<Body>
  : null;
/** One call to the API plane; its `operation` determines the type of its `request.body`. */
export type JournalRequest<Called extends Operation = Operation> = {
  [One in Called]: Omit<Schemas['JournalRequest'], 'operation' | 'request'> & {
    operation: One;
    request: Omit<Schemas['JournalRequest']['request'], 'body'> & { body: SentBody<One> };
  };
}[Called];
export type Rule = Schemas['Rule'];
export type RuleInput = language.Rule;
export type ActiveScenario = Schemas['ActiveScenario'];
export type KnownScenario = Schemas['KnownScenario'];
/** A complete scenario, as in a file. */
export type Scenario = language.Scenario;
/** A complete scenario, or the name of a known one. */
export type ScenarioInput = Scenario | { readonly name: string };
export type ScenarioCheck = Schemas['ScenarioCheck'];
export type Verdict = Schemas['Verdict'];
type PlayInput = Schemas['PlayInput'];
export interface PlayOptions {
  /** Address of the application, for the steps and checks that call it. */
  readonly application?: string | undefined;
  /** `flow`, the default: time passes as on the machine between jumps. `frozen`: it only jumps. */
  readonly pace?: PlayInput['pace'];
  /** Longest real time of the play, at most `10m`. Default: `60s`. */
  readonly maxReal?: Duration;
  /** Shortest real time for which the application must be idle before time jumps. */
  readonly quietReal?: Duration;
}
export type PlayResult = Schemas['PlayResult'];
/** The verdict, and what ended the play. */
export type PlayedVerdict = Verdict & Pick<PlayResult, 'ended'>;
export type AccountsVerdict = Schemas['AccountsVerdict'];
export type Coverage = Schemas['Coverage'];
export type Snapshot = Schemas['Snapshot'];
export type SnapshotInfo = Schemas['SnapshotInfo'];
export type Sink = Schemas['Sink'];
export type SinkRequest = Schemas['SinkRequest'];
export type SinkResponse = Schemas['SinkResponse'];
export type RequestCount = Schemas['RequestCount'];
export type Info = Schemas['Info'];
export type IdleResult = Schemas['IdleResult'];
export type NearMiss = Schemas['NearMiss'];
export type Keep = NonNullable<Schemas['ResetInput']['keep']>[number];

/** A word, or several with commas. */
type Words<Word extends string> = Word | `${Word},${string}`;
/** A misspelt status does not compile. */
export type MessageFilter = Omit<Filter<'listMessages'>, 'status' | 'type'> & {
  readonly status?: Words<Message['status'] | InboundMessage['status']>;
  readonly type?: Words<Message['type']>;
};
export type EventFilter = Filter<'listEvents'>;
export type DeliveryFilter = Filter<'listDeliveries'>;
export type OtpFilter = Filter<'listOtps'>;
export type RequestFilter = Filter<'listRequests'>;
export type TemplateFilter = Filter<'listStoredTemplates'>;
export type HandsetFilter = Filter<'listCustomerMessages'>;
export type WebhookFilter = Filter<'listEndpoints'>;
export type CustomerFilter = Filter<'listCustomers'>;
export type RuleFilter = Filter<'listRules'>;
export type SinkFilter = Filter<'listSinkReceived'>;
export type ScenarioFilter = Filter<'listScenarios'>;
export type SnapshotFilter = Filter<'listSnapshots'>;

/** The payload of each kind of event. */
interface EventData {
  'message.received': ApiSchemas['MessageReceivedData'];
  'message.status': ApiSchemas['MessageStatusData'];
  'otp.verified': ApiSchemas['OtpVerifiedData'];
  'template.status': ApiSchemas['TemplateStatusData'];
}

export type EventOf<Type extends EventType> = {
  [T in Type]: Omit<Schemas['Event'], 'type' | 'data'> & { type: T; data: EventData[T] };
}[Type];
/** One event; its `type` determines the type of its `data`. */
export type Event = EventOf<EventType>;

export interface EmitResult {
  event: Event;
  /** One for each endpoint that the event is delivered to. */
  deliveries: Delivery[];
}

/** The initial mode of every account's clock: `x60` is a minute per second. */
export type ClockStart = 'real' | 'frozen' | `frozen:${string}` | `x${number}` | 'auto' | `auto:${string}`;
