/**
 * Operations have two names: the operationId of `openapi.yaml`, and the hook of the scenario language (`message.send`).
 * Callers may use either.
 */
const operationIdByHook: Readonly<Record<string, string>> = {
  'message.send': 'sendMessage',
  'message.get': 'getMessage',
  'otp.send': 'sendOtp',
  'otp.verify': 'verifyOtp',
  'template.create': 'createTemplate',
  'template.get': 'getTemplate',
  'template.list': 'listTemplates',
  'webhook.create': 'createWebhook',
  'webhook.list': 'listWebhooks',
  'webhook.delete': 'deleteWebhook',
};

const hookByOperationId = new Map(Object.entries(operationIdByHook).map(([hook, id]) => [id, hook]));

/** The dotted name of every operation. */
export const operationHooks: readonly string[] = Object.keys(operationIdByHook);

/** Every operationId. */
export const operationNames: readonly string[] = Object.values(operationIdByHook);

/** Returns the operationId of a name; an unknown name is returned unchanged. */
export function operationIdOf(name: string): string {
  return operationIdByHook[name] ?? name;
}

/** Returns the dotted name of an operation; null if the call is not an operation. */
export function hookOf(operationId: string | null): string | null {
  return operationId === null ? null : (hookByOperationId.get(operationId) ?? operationId);
}
