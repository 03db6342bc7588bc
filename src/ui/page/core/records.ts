import type { components } from '../../../generated/control.js';

type Schemas = components['schemas'];

export type Account = Schemas['Account'];
export type Advanced = Schemas['AdvanceResult'];
export type ActiveScenario = Schemas['ActiveScenario'];
export type Attempt = Schemas['Attempt'];
export type Certification = Schemas['Certification'];
export type Clock = Schemas['Clock'];
export type Customer = Schemas['Customer'];
export type Delivery = Schemas['Delivery'];
export type Endpoint = Schemas['Endpoint'];
export type Event = Schemas['Event'];
export type Explain = Schemas['Explain'];
/** Without `error`, which is always null: the client drops fields of that type. */
export type InboundMessage = Omit<Schemas['InboundMessage'], 'error'> & { readonly error?: null };
export type HandsetMessage = Schemas['Message'] | InboundMessage;
export type Info = Schemas['Info'];
export type Job = Schemas['Job'];
export type JournalRequest = Schemas['JournalRequest'];
export type Message = Schemas['Message'];
export type Played = Schemas['PlayResult'];
export type Otp = Schemas['Otp'];
export type Rule = Schemas['Rule'];
export type Template = Schemas['Template'];
export type Verdict = Schemas['Verdict'];

/** The common field of all list entries: the position in the account's sequence. */
export interface Sequenced {
  readonly seq: number;
}

/** The subjects of the stream's frames: the first part of their kind. */
export type Noun =
  | 'message'
  | 'customer'
  | 'template'
  | 'otp'
  | 'webhook'
  | 'event'
  | 'delivery'
  | 'attempt'
  | 'request'
  | 'rule'
  | 'scenario'
  | 'expectation'
  | 'clock';
