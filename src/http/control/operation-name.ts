/**
 * Operations go by two names: the operationId of `openapi.yaml` and the hook of the scenario language (`message.send`).
 * Callers may use either (contract §5, `expect`).
 */
const byHook: Readonly<Record<string, string>> = {
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

export function operationNamed(name: string): string {
  return byHook[name] ?? name;
}
