import { getMessage, sendMessage } from './messages.js';
import type { AccountCall } from '../account/call.js';
import type { Success } from './operation.js';
import { sendOtp, verifyOtp } from './otp.js';
import { createTemplate, getTemplate, listTemplates } from './templates.js';
import { createWebhook, deleteWebhook, listWebhooks } from './webhooks.js';

interface Entry {
  readonly run: (call: AccountCall, input: never) => object;
  readonly success: Success;
}

export const operations = {
  sendMessage: { run: sendMessage, success: 'ok' },
  getMessage: { run: getMessage, success: 'ok' },
  sendOtp: { run: sendOtp, success: 'ok' },
  verifyOtp: { run: verifyOtp, success: 'ok' },
  createTemplate: { run: createTemplate, success: 'created' },
  getTemplate: { run: getTemplate, success: 'ok' },
  listTemplates: { run: listTemplates, success: 'ok' },
  createWebhook: { run: createWebhook, success: 'created' },
  listWebhooks: { run: listWebhooks, success: 'ok' },
  deleteWebhook: { run: deleteWebhook, success: 'deleted' },
} as const satisfies Record<string, Entry>;

export type OperationId = keyof typeof operations;
