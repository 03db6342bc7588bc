import type { SandboxAccount } from './client/account.js';

export type { EmitOptions, RecordOptions, SandboxAccount } from './client/account.js';
export { connectSandbox } from './client/client.js';
export type { ConnectOptions, SandboxClient, SandboxClient as Sandbox } from './client/client.js';
export type { Advance, Pace } from './client/clock.js';
export type { ScenarioSource, SinkControl } from './client/controls.js';
export { createSandbox } from './client/create-sandbox.js';
export type { SandboxOptions } from './client/create-sandbox.js';
export type { CustomerControl } from './client/customer.js';
export { SandboxError } from './client/sandbox-error.js';
export type { SandboxErrorDetail } from './client/sandbox-error.js';
export type * from './client/types.js';
export { SIGNATURE_HEADER, verifySignature } from './webhooks/sign.js';

export type ClockControl = SandboxAccount['clock'];
export type RuleControl = SandboxAccount['rules'];
export type ScenarioControl = SandboxAccount['scenario'];
export type SnapshotControl = SandboxAccount['snapshot'];
export type TemplateControl = SandboxAccount['templates'];
export type WaitControl = SandboxAccount['waitFor'];
export type WebhookControl = SandboxAccount['webhooks'];
