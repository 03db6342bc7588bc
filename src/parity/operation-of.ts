import type { CapturedCall } from './capture.js';

const operationsByPath: readonly (readonly [method: string, path: RegExp, operation: string])[] = [
  ['POST', /^\/v1\/messages$/, 'sendMessage'],
  ['GET', /^\/v1\/messages\/[^/]+$/, 'getMessage'],
  ['POST', /^\/v1\/otp\/send$/, 'sendOtp'],
  ['POST', /^\/v1\/otp\/verify$/, 'verifyOtp'],
  ['POST', /^\/v1\/templates$/, 'createTemplate'],
  ['GET', /^\/v1\/templates\/[^/]+$/, 'getTemplate'],
  ['GET', /^\/v1\/templates$/, 'listTemplates'],
  ['POST', /^\/v1\/webhooks$/, 'createWebhook'],
  ['GET', /^\/v1\/webhooks$/, 'listWebhooks'],
  ['DELETE', /^\/v1\/webhooks\/[^/]+$/, 'deleteWebhook'],
];

export const operationOf = ({ method, path }: Pick<CapturedCall, 'method' | 'path'>): string =>
  operationsByPath.find(([verb, form]) => verb === method && form.test(path))?.[2] ?? `${method} call`;
