/** Filters of the lists of an account's set-up. The document declares the same filters; a test compares them. */
import type { Account } from '../../account/account.js';
import type { Customer } from '../../domain/customer.js';
import type { Endpoint } from '../../domain/endpoint.js';
import { eventTypes } from '../../domain/event.js';
import type { Job } from '../../domain/job.js';
import type { RunTimeRule } from '../../domain/script-state.js';
import type { SinkRequest } from '../../domain/sink.js';
import { templateCategories, templateStatuses, type Template } from '../../domain/template.js';
import { windowOf } from '../../simulation/window.js';
import {
  decidedBy,
  exact,
  type Fields,
  glob,
  httpStatus,
  type List,
  plainLanguage,
  plainPhone,
  yesOrNo,
} from './filters.js';

export const customerList: List<Customer> = {
  fields: {
    phone: { of: (row) => row.id, ...plainPhone },
    profile_name: { of: (row) => row.profileName, ...glob },
    open: { of: (row, account) => windowOf(account, row.id).open, words: yesOrNo },
  },
  source: ({ store: { tables } }) => ({ page: (query) => tables.customers.page({}, query), covers: [] }),
};

export const templateList: List<Template> = {
  fields: {
    id: { of: (row) => row.id },
    name: { of: (row) => row.name, ...glob },
    category: { of: (row) => row.category, words: templateCategories },
    language: { of: (row) => row.language, ...plainLanguage },
    status: { of: (row) => row.status, words: templateStatuses },
    rejection_reason: { of: (row) => row.rejectionReason, ...glob },
    by: { of: (row) => row.explain.by, words: decidedBy },
    rule: { of: (row) => row.explain.id },
  },
  source: ({ store: { tables } }, filter) => {
    const { part, covers } = exact(filter, ['name', 'status']);
    return { page: (query) => tables.templates.page(part, query), covers };
  },
};

export const endpointList: List<Endpoint> = {
  fields: {
    id: { of: (row) => row.id },
    url: { of: (row) => row.url, ...glob },
    alias: { of: (row) => row.alias },
    events: { of: (row) => row.events, words: eventTypes },
    status: { of: (row) => row.status, words: ['active', 'paused'] },
  },
  source: ({ store: { tables } }) => ({ page: (query) => tables.endpoints.page({}, query), covers: [] }),
};

export const ruleList: List<RunTimeRule> = {
  fields: {
    id: { of: (row) => row.id },
    when: { of: (row) => (row.rule as { when?: string }).when },
  },
  source: ({ store: { tables } }) => ({ page: (query) => tables.rules.page({}, query), covers: [] }),
};

export const jobList: List<Job> = {
  fields: { job: { of: (row) => row.kind }, subject: { of: (row) => row.subject } },
  source: ({ store: { tables } }, { subject }) => ({
    page: (query) => tables.jobs.page(subject === undefined ? {} : { subject }, query),
    covers: ['subject'],
  }),
};

export const accountFields: Fields<{ readonly account: Account }> = {
  key: { of: ({ account }) => account.key, ...glob },
  clock_mode: { of: ({ account }) => account.clock.mode, words: ['real', 'frozen', 'scaled', 'auto'] },
  scenario: { of: ({ account }) => account.script.scenario?.name },
};

export const scenarioFields: Fields<{ readonly name: string; readonly active: boolean; readonly valid: boolean }> = {
  name: { of: (row) => row.name, ...glob },
  active: { of: (row) => row.active, words: yesOrNo },
  valid: { of: (row) => row.valid, words: yesOrNo },
};

export const snapshotFields: Fields<{ readonly name: string }> = { name: { of: (row) => row.name, ...glob } };

/** The requests that the sink of this name has received. */
export function receivedList(name: string): List<SinkRequest> {
  return {
    fields: {
      method: { of: (row) => row.method },
      path: { of: (row) => row.path, ...glob },
      answered: { of: (row) => row.answered, ...httpStatus },
      signature_valid: { of: (row) => row.signatureValid, words: yesOrNo },
    },
    source: ({ store: { tables } }) => ({
      page: (query) => tables.sinkRequests.page({ sink: name }, query),
      covers: [],
    }),
  };
}
