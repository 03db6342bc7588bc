/** Every handler of the control plane by its operationId in `openapi.yaml` in this folder. */
import type { Row } from '../../domain/rows.js';
import { accounts } from './accounts.js';
import { certification } from './certify.js';
import { clock } from './clock.js';
import { customers } from './customers.js';
import { events } from './events.js';
import { listRows, type TableList } from './filters.js';
import { rowOf } from './given-values.js';
import type { ControlHandler, ControlHandlers } from './handler.js';
import { info } from './info.js';
import * as lists from './lists.js';
import { messages } from './messages.js';
import { reports } from './reports.js';
import { requests } from './requests.js';
import { rules } from './rules.js';
import { scenario } from './scenario.js';
import { show } from './show.js';
import { sink } from './sink.js';
import { snapshots } from './snapshots.js';
import { templates } from './templates.js';
import { wait } from './wait.js';
import { webhooks } from './webhooks.js';

const rowsOf =
  <R extends Row>(list: TableList<R>): ControlHandler =>
  (context) =>
    listRows(list, context);

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
  listCustomers: rowsOf(lists.customerList),
  listDeliveries: rowsOf(lists.deliveryList),
  listEndpoints: rowsOf(lists.endpointList),
  listEvents: rowsOf(lists.eventList),
  listJobs: rowsOf(lists.jobList),
  listMessages: rowsOf(lists.messageList),
  listOtps: rowsOf(lists.otpList),
  listRequests: rowsOf(lists.requestList),
  listRules: rowsOf(lists.ruleList),
  listStoredTemplates: rowsOf(lists.templateList),
  getDelivery: rowOf('deliveries', show.delivery),
  getEvent: rowOf('events', show.event),
  getOtp: rowOf('otps', show.otp),
  getRequest: rowOf('requests', show.request),
  getStoredTemplate: rowOf('templates', show.template),
};
