/** The platform owner's decisions. The live stream reports their result too; the response is faster. */
import { act } from '../../core/api.js';
import { model } from '../../core/current.js';
import type { Template } from '../../core/records.js';
import type { Decision } from './queue.js';

/** @returns whether it succeeded; an error is shown */
export async function decide(template: Template, to: Decision['to'], reason?: string): Promise<boolean> {
  const { api, templates } = model.value;
  const { id, name, status } = template;
  const path = { id };
  const call =
    status === 'pending' && to !== 'deleted' && to !== 'paused'
      ? api.post('/_sandbox/templates/{id}/review', {
          path,
          body: { decision: to, ...(reason !== undefined && { reason }) },
        })
      : api.post('/_sandbox/templates/{id}/status', {
          path,
          body: { status: to === 'rejected' ? 'deleted' : to },
        });
  const changed = await act(call, `${name} is ${to}.`);
  if (changed && templates.get(id)) templates.put(changed);
  return changed !== null;
}
