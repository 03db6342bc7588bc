import type { Account } from '../account/account.js';
import { beyondSetUp, moveSetUp } from '../account/set-up.js';
import { windowLengthMs } from '../domain/customer.js';
import { byDefault } from '../domain/explain.js';
import { isoTime } from '../domain/instant.js';
import type { Template } from '../domain/rows.js';
import { inState } from '../domain/template.js';
import { addressOf } from '../domain/webhook.js';
import { activeId } from '../domain/words.js';
import { findOrCreateCustomer } from '../simulation/customer-writes.js';
import { tableEntries } from '../store/account-data.js';
import { parseDuration } from '../time/duration.js';
import { resumeEndpoint } from '../webhooks/endpoints.js';
import { pause } from '../webhooks/outcome.js';
import { judgementOffsetMs } from '../rules/expectations.js';
import { firstOffsetMs, scenarioSubject, scheduleSteps } from '../rules/timeline.js';
import type { GivenTemplate, GivenWebhook } from '../language/given.js';
import type { LoadedScenario, LoadedCustomer } from '../language/scenario.js';
import type { StartingScenario } from './starting-scenario.js';

/**
 * The account stays new, so that a scenario that is activated before anything else can still set the start of the
 * clock.
 */
export function beginWith(
  account: Account,
  { scenario, text, rules = [] }: Pick<StartingScenario, 'scenario' | 'text' | 'rules'>,
  options: ActivateOptions = {},
): void {
  const { store, script, clock } = account;
  store.begin();
  if (scenario) {
    activateScenario(account, scenario, text, options);
    store.begin();
  }
  if (rules.length === 0) return;
  // The start may be frozen at the activation afterwards, and a rule is not active before it was added.
  const addedAtMs = script.activatedAtMs ?? clock.now();
  store.update(() => {
    for (const rule of rules) store.tables.rules.insert({ id: rule.id, seq: store.nextSeq(), rule, addedAtMs });
    script.reload();
  });
}

interface ActivateOptions {
  readonly keepClock?: boolean;
}

export function activateScenario(
  account: Account,
  scenario: LoadedScenario,
  text: string | null,
  { keepClock = false }: ActivateOptions = {},
): string[] {
  const { store, scheduler, clock } = account;
  const warnings: string[] = [];
  store.update(() => {
    const isNew = store.isNew;
    clearScenario(account);
    account.application.current?.forget();
    if (!keepClock) warnings.push(...setClock(account, scenario, isNew));
    const nowMs = clock.now();
    store.tables.scenarios.insert({
      id: activeId,
      seq: store.nextSeq(),
      name: scenario.name,
      scenario,
      text,
      activatedAtMs: nowMs,
    });
    account.script.reload();
    for (const template of scenario.given.templates) giveTemplate(account, template);
    for (const customer of scenario.given.customers) giveCustomer(account, customer);
    for (const webhook of scenario.given.webhooks) giveWebhook(account, webhook);
    for (const entry of scenario.timeline) {
      const offsetMs = firstOffsetMs(entry.at, nowMs);
      if (offsetMs !== null) scheduleSteps(scheduler, entry, nowMs + offsetMs);
    }
    scenario.expect.forEach((expectation, index) => {
      const offsetMs = judgementOffsetMs(expectation, nowMs);
      if (offsetMs !== null) scheduler.schedule('scenario.judge', scenarioSubject, nowMs + offsetMs, { index });
    });
  });
  scheduler.rearm();
  scheduler.runDue();
  return warnings;
}

/** The counts, `given` and the timeline stay as they were. */
export function replaceScenario(account: Account, scenario: LoadedScenario, text: string): void {
  const { store, script } = account;
  store.update(() => {
    if (script.active) store.tables.scenarios.patch(script.active, { name: scenario.name, scenario, text });
    script.reload();
  });
}

/** Removes the active scenario with its rules, counts and timeline. Its effects stay. */
export function deactivateScenario(account: Account): void {
  account.store.update(() => {
    clearScenario(account);
    account.script.reload();
  });
}

function clearScenario({ store, scheduler }: Account): void {
  const { scenarios, counters, ruleHits, judgements } = store.tables;
  scheduler.cancelOf(scenarioSubject);
  for (const table of [scenarios, counters, ruleHits, judgements]) if (table.size > 0) table.clear();
}

/** A start in the past is only possible while the account contains nothing but its setup, which moves with it. */
function setClock(account: Account, { clock: wanted }: LoadedScenario, isNew: boolean): string[] {
  if (wanted === undefined) return [];
  const { store, clock, scheduler } = account;
  const nowMs = clock.now();
  const startMs = Date.parse(wanted);
  const begin = (atMs: number): void => store.setClock(clock.set(clock.mode, clock.state.scale, atMs));
  const untouched = isNew && tableEntries(store.tables).every(([, table]) => table.size === 0);
  const more = startMs < nowMs && !untouched ? beyondSetUp(store) : null;
  if (more !== null) {
    begin(nowMs);
    return [
      `clock ${wanted} is in the past: the account is at ${isoTime(nowMs)}, and it ${more}. The clock is unchanged. To start there, reset the account first, or use a new key.`,
    ];
  }
  begin(startMs);
  if (startMs < nowMs && !untouched) {
    moveSetUp(store, startMs - nowMs);
    scheduler.reload();
  }
  return [];
}

const givenByScenario = byDefault('Given by the scenario.');

function giveTemplate({ store, ids, clock }: Account, given: GivenTemplate): void {
  const { templates } = store.tables;
  const status: Template['status'] = given.status ?? 'approved';
  const content = {
    category: given.category,
    language: given.language,
    body: given.body ?? null,
    rejectionReason: status === 'rejected' ? (given.because ?? 'Rejected by the scenario.') : null,
    approvedSeq: status === 'approved' ? store.nextSeq() : null,
  };
  const known = templates.all().findLast((row) => row.name === given.name);
  const state = { ...content, explain: givenByScenario, ...inState(known ?? null, status, clock.now()) };
  if (known) templates.patch(known, state);
  else {
    const { name } = given;
    templates.insert({ id: ids.uuid(), seq: store.nextSeq(), name, createdAtMs: clock.now(), ...state });
  }
}

function giveCustomer(account: Account, { phone, name, window }: LoadedCustomer): void {
  const { store, clock } = account;
  const nowMs = clock.now();
  const customer = findOrCreateCustomer(account, phone);
  const isPast = window !== undefined && window !== 'open' && window !== 'closed';
  const wroteAtMs = isPast ? nowMs + parseDuration(window, { signed: true }) : null;
  const openFromMs = window === 'open' ? nowMs : wroteAtMs;
  const closesAtMs = window === 'closed' ? nowMs : openFromMs === null ? null : openFromMs + windowLengthMs;
  store.tables.customers.patch(customer, {
    ...(name !== undefined && { profileName: name }),
    ...(wroteAtMs !== null && { lastInboundAtMs: wroteAtMs }),
    ...(closesAtMs !== null && { windowClosesAtMs: closesAtMs }),
  });
}

function giveWebhook(account: Account, { alias, url, events, secret, status = 'active' }: GivenWebhook): void {
  const { store, ids, clock } = account;
  const { endpoints } = store.tables;
  const nowMs = clock.now();
  const pauseReason = 'Paused by the scenario.';
  const content = { alias, events, secret: secret ?? ids.secret(), updatedAtMs: nowMs, failingSinceMs: null };
  const known = endpoints.all().findLast((row) => addressOf(row.url) === addressOf(url));
  if (!known) {
    const state = { status, pauseReason: status === 'paused' ? pauseReason : null };
    endpoints.insert({ id: ids.uuid('endpoint'), seq: store.nextSeq(), url, createdAtMs: nowMs, ...content, ...state });
    return;
  }
  // Its failure streak and pause deadline end; if it is paused, its pending deliveries are held.
  if (status === 'active') resumeEndpoint(account, known);
  else pause(account, known, pauseReason);
  endpoints.patch(known, content);
}
