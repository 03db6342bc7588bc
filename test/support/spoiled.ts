/** Delivers one event with a fault. */
import type { Sandbox } from '../../src/sandbox.js';
import type { WebhookSlot } from '../../src/scenario/schema/actions.js';
import type { Control, World } from './client.js';
import { stage } from './scenes.js';

export interface Spoiled {
  readonly world: World;
  readonly event: Control['Event'];
  readonly deliveries: readonly Control['Delivery'][];
  /** The requests to the receiver, in order. */
  readonly requests: readonly Control['SinkRequest'][];
}

/**
 * Writes as a customer, so that the event is delivered according to `webhook`. The receiver rejects the first request,
 * so that there is a retry a minute later.
 * @param attempts the attempts that the rule matches; default: the first
 */
export async function spoil(sandbox: Sandbox, webhook: WebhookSlot, attempts = '1'): Promise<Spoiled> {
  const rule = { id: 'fault', when: 'webhook.deliver', match: { attempts: attempts }, then: { webhook } } as const;
  const world = await stage(sandbox, [rule]);
  await world.put('/_sandbox/sink/app', { respond: [{ status: 500, times: 1 }, { status: 200 }] });
  await world.inbound('+12025550110', { text: 'Größe 42 / „rot“?', profile_name: 'Ada' });
  await world.advance('1m');
  const [event] = await world.events();
  if (!event) throw new Error('no event was made');
  const requests = await world.items<Control['SinkRequest']>('/_sandbox/sink/app/received');
  return { world, event, deliveries: await world.deliveries(), requests };
}
