/** Templates, and the platform owner who reviews them. */
import type { Connection } from './connection.js';
import { listAll } from './lists.js';
import { SandboxError } from './sandbox-error.js';
import type { NewTemplate, Template, TemplateFilter } from './types.js';

export interface TemplateControl {
  list(filter?: TemplateFilter): Promise<Template[]>;
  /** @throws SandboxError `not_found` with the names there are */
  get(name: string): Promise<Template>;
  /** Submits one as the application would: a call of the API plane, seen in `requests()`. It is pending then. */
  create(template: NewTemplate): Promise<Template>;
  /** The review ends well. @throws SandboxError `illegal_transition` unless it is pending */
  approve(name: string): Promise<Template>;
  /** The review ends badly. @throws SandboxError `illegal_transition` unless it is pending */
  reject(name: string, reason?: string): Promise<Template>;
  pause(name: string): Promise<Template>;
  /** Back from paused to approved. */
  resume(name: string): Promise<Template>;
  remove(name: string): Promise<Template>;
}

const path = '/_sandbox/templates';

export function templateControl(connection: Connection): TemplateControl {
  const list = (filter: TemplateFilter = {}) => listAll<Template>(connection, path, filter);
  const get = async (name: string): Promise<Template> => {
    const [found] = await list({ name, order: 'desc', limit: 1 });
    if (found) return found;
    const names = (await list()).map((template) => template.name);
    const known = names.length === 0 ? 'It has none yet.' : `It has: ${names.join(', ')}.`;
    throw new SandboxError({ code: 'not_found', message: `This account has no template "${name}". ${known}` });
  };
  const act = async (name: string, call: 'review' | 'status', input: object): Promise<Template> =>
    connection.call('POST', `${path}/${(await get(name)).id}/${call}`, input);
  return {
    list,
    get,
    create: async (template) => {
      const { template_id: id } = await connection.call<{ template_id: string }>('POST', '/v1/templates', template);
      return connection.call('GET', `${path}/${id}`);
    },
    approve: (name) => act(name, 'review', { decision: 'approved' }),
    reject: (name, reason) => act(name, 'review', { decision: 'rejected', ...(reason !== undefined && { reason }) }),
    pause: (name) => act(name, 'status', { status: 'paused' }),
    resume: (name) => act(name, 'status', { status: 'approved' }),
    remove: (name) => act(name, 'status', { status: 'deleted' }),
  };
}
