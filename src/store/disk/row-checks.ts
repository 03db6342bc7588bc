/**
 * What each kind of record must look like when it comes from outside: the registry, a file for each noun in `rows/`. Tied
 * to the record types: a field added there and not here does not compile.
 */
import type { Row } from '../../domain/row.js';
import type { TableName, Tables } from '../tables/account-data.js';
import { type Check, type Fields, partOf, record } from './check.js';
import type { Table } from '../tables/table.js';
import { customerFields } from './rows/customer.js';
import { attemptFields, deliveryFields, eventFields } from './rows/delivery.js';
import { endpointFields } from './rows/endpoint.js';
import { jobFields } from './rows/job.js';
import { messageFields } from './rows/message.js';
import { otpFields } from './rows/otp.js';
import { requestFields } from './rows/request.js';
import { counterFields, judgementFields, ruleHitFields, ruleFields, scenarioFields } from './rows/script.js';
import { sinkFields, sinkRequestFields } from './rows/sink.js';
import { templateFields } from './rows/template.js';

type RowOf<T> = T extends Table<infer R, infer _> ? R : never;

/** The fields of every table's rows. */
const fields: { readonly [N in TableName]: Fields<RowOf<Tables[N]>> } = {
  messages: messageFields,
  templates: templateFields,
  otps: otpFields,
  customers: customerFields,
  endpoints: endpointFields,
  events: eventFields,
  deliveries: deliveryFields,
  attempts: attemptFields,
  jobs: jobFields,
  requests: requestFields,
  scenarios: scenarioFields,
  rules: ruleFields,
  counters: counterFields,
  ruleHits: ruleHitFields,
  judgements: judgementFields,
  sinks: sinkFields,
  sinkRequests: sinkRequestFields,
};

interface RowChecks {
  /** A whole row. */
  readonly row: Check<unknown>;
  /** Some of its fields. */
  readonly patch: Check<unknown>;
}

export const rowChecks: ReadonlyMap<string, RowChecks> = new Map(
  Object.entries(fields).map(([name, of]) => [
    name,
    { row: record(of as Fields<Row>), patch: partOf(of as Fields<Row>) },
  ]),
);
