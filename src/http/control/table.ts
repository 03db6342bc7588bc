/** Every handler of the control plane by its operationId in `openapi.yaml` in this folder. */
import { accounts } from './accounts.js';
import { certification } from './certify.js';
import { clock } from './clock.js';
import { customers } from './customers.js';
import { events } from './events.js';
import type { ControlHandlers } from './handler.js';
import { info } from './info.js';
import { messages } from './messages.js';
import { reports } from './reports.js';
import { requests } from './requests.js';
import { rules } from './rules.js';
import { scenario } from './scenario.js';
import { sink } from './sink.js';
import { snapshots } from './snapshots.js';
import { templates } from './templates.js';
import { wait } from './wait.js';
import { webhooks } from './webhooks.js';

export const controlHandlers: ControlHandlers = {
  ...accounts,
  ...certification,
  ...clock,
  ...customers,
  ...events,
  ...info,
  ...messages,
  ...reports,
  ...requests,
  ...rules,
  ...scenario,
  ...sink,
  ...snapshots,
  ...templates,
  ...wait,
  ...webhooks,
};
