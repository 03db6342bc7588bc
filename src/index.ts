/** The exports of the package `messaging-sandbox`. */
export type { EmitOptions, RecordOptions, SandboxAccount } from './client/account.js';
export { connectSandbox } from './client/client.js';
export type { ConnectOptions, SandboxClient, SandboxClient as Sandbox } from './client/client.js';
export type { Advance, ClockControl, Pace } from './client/clock.js';
export type {
  RuleControl,
  ScenarioControl,
  ScenarioSource,
  SinkControl,
  SnapshotControl,
  TemplateControl,
  WebhookControl,
} from './client/controls.js';
export { createSandbox } from './client/create-sandbox.js';
export type { ClockStart, SandboxOptions } from './client/create-sandbox.js';
export type { CustomerControl } from './client/customer.js';
export { SandboxError } from './client/sandbox-error.js';
export type { SandboxErrorDetail } from './client/sandbox-error.js';
export type * from './client/types.js';
export type { WaitControl } from './client/wait-for.js';
export { SIGNATURE_HEADER, verifySignature } from './webhooks/sign.js';
