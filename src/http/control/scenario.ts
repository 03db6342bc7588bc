import { dirname } from 'node:path';
import type { Account } from '../../account/account.js';
import { type ErrorDetail, invalidField, ServiceError } from '../../domain/errors.js';
import { isoTimeOrNull } from '../../domain/instant.js';
import type { LoadResult } from '../../reader/load.js';
import { activateScenario, deactivateScenario } from '../../stage/activate.js';
import { sayEnd } from '../../stage/end.js';
import { readSource, type KnownScenario, type ScenarioLibrary } from '../../reader/library.js';
import { freeze, play } from '../../stage/play.js';
import { scenarioEndMs, verdictOf } from '../../stage/verdict.js';
import { kindOf } from '../../language/kind.js';
import type { Problem } from '../../language/problems.js';
import type { ControlContext, ControlHandlers } from './handler.js';
import { show } from './show.js';
import { realDuration } from './values.js';

const usualPlayMs = 60_000;
const longestPlayMs = 600_000;

interface PlayBody {
  readonly name?: string;
  readonly scenario?: object | string;
  readonly application?: string;
  readonly pace?: 'flow' | 'frozen';
  readonly max_real?: string;
  readonly quiet_real?: string;
  readonly retry_real?: string;
  readonly call_real?: string;
}

export const scenario: ControlHandlers = {
  getScenario: ({ account, service }) => showActive(account, service.scenarios),

  activateScenario: {
    body: 'yaml',
    run: (context) => {
      const { account, service } = context;
      const { scenario: loaded, text, warnings } = sentScenario(context);
      account.scheduler.requireFree();
      const kept = activateScenario(account, loaded, text);
      const notes = kept.map((message) => noteOn(loaded.files, 'clock', 'clock_kept', message));
      return showActive(account, service.scenarios, [...warnings, ...notes]);
    },
  },

  playScenario: async (context) => {
    const { account, response, service } = context;
    const { name, scenario, application, pace, ...body } = (context.body ?? {}) as PlayBody;
    const real = (field: keyof typeof body) => {
      const text = body[field];
      return text === undefined ? undefined : realDuration(field, text, longestPlayMs);
    };
    const times = { maxRealMs: real('max_real') ?? usualPlayMs, quietMs: real('quiet_real') };
    const known = { retryMs: real('retry_real'), callMs: real('call_real') };
    if (name !== undefined && scenario !== undefined)
      throw invalidField('scenario', 'cannot be given beside "name": each names the scenario to play; leave one out');
    const sent = name === undefined ? scenario : { name };
    const loaded = sent === undefined ? null : loadScenario(service.scenarios, sent);
    if (!loaded && !account.script.scenario) throw nothingToPlay();
    account.scheduler.requireFree();
    const over = new AbortController();
    response.once('close', () => over.abort());
    const giveBack = application === undefined ? () => undefined : account.application.lend({ origin: application });
    try {
      const kept = loaded ? activateScenario(account, loaded.scenario, loaded.text) : [];
      const notes = [...(loaded?.warnings ?? []).map(({ line, message }) => `Line ${line}: ${message}`), ...kept];
      if (loaded) freeze(account);
      const end = await play(account, { ...times, pace, known, signal: over.signal });
      return { ended: end && sayEnd(end), verdict: verdictOf(account), notes };
    } finally {
      giveBack();
    }
  },

  deactivateScenario: ({ account }) => {
    deactivateScenario(account);
    return undefined;
  },

  checkScenario: {
    body: 'yaml',
    isHarmless: true,
    run: (context) => {
      const { scenario: loaded, warnings } = sentScenario(context);
      return { valid: true, name: loaded.name, warnings: warnings.map(problemDetail) };
    },
  },

  readScenario: ({ account, name, service: { scenarios } }) => showText(account, known(scenarios, name), scenarios),

  saveScenario: {
    isHarmless: true,
    run: ({ account, name, body, service: { scenarios } }) => {
      const { source: text } = body as { source: string };
      const path = scenarios.get(name)?.path;
      const folder = path === undefined ? scenarios.newFilesFolder() : dirname(path);
      requireValid(scenarios.loadText(text, path ?? `${name}.yaml`, folder));
      return showText(account, scenarios.save(name, text), scenarios);
    },
  },
};

/** Loads the scenario in the body of a call; its text as it was written, because it may have been written by hand. */
function sentScenario({ body, request, query: { file }, service: { scenarios } }: ControlContext) {
  return loadScenario(scenarios, body as object | string, request.text, file as string | undefined);
}

/** `{"name"}` is a known scenario; anything else is a complete one, as JSON or YAML. */
export function loadScenario(
  library: ScenarioLibrary,
  body: object | string,
  text = typeof body === 'string' ? body : JSON.stringify(body, null, 2),
  file = 'request body',
) {
  const { name, ...rest } = (typeof body === 'string' ? {} : body) as { name?: unknown };
  if (typeof name === 'string' && Object.keys(rest).length === 0) {
    const loaded = library.load(known(library, name));
    return { ...requireValid(loaded.result), text: loaded.text };
  }
  return { ...requireValid(library.loadText(text, file)), text };
}

function nothingToPlay(): ServiceError {
  const next = 'Send {"name"} or {"scenario"}, or activate one first with PUT /_sandbox/scenario.';
  return new ServiceError('not_found', `No scenario is active. ${next}`);
}

function requireValid(result: LoadResult): Exclude<LoadResult, { readonly problems: unknown }> {
  if ('problems' in result) throw scenarioInvalid(result.problems, result.warnings);
  return result;
}

export function scenarioInvalid(problems: readonly Problem[], warnings: readonly Problem[] = []): ServiceError {
  const [first] = problems;
  const where = first ? ` The first: ${first.file}:${first.line}:${first.column} ${first.message}` : '';
  const count = problems.length === 1 ? 'one error' : `${problems.length} errors`;
  return new ServiceError('scenario_invalid', `The scenario has ${count}; nothing was changed.${where}`, {
    details: problems.map(problemDetail),
    ...(warnings.length > 0 && { extra: { warnings: warnings.map(problemDetail) } }),
  });
}

export function problemDetail(problem: Problem): ErrorDetail {
  return { field: problem.path, ...problem };
}

function known(library: ScenarioLibrary, name: string): KnownScenario {
  const found = library.get(name);
  if (found) return found;
  throw new ServiceError('not_found', `${library.unknown(name)} Known: ${library.names().join(', ')}.`);
}

function noteOn([file = '']: readonly string[], path: string, code: string, message: string): Problem {
  return { file, line: 1, column: 1, path, code, message, found: '' };
}

function showActive(account: Account, library: ScenarioLibrary, warnings: readonly Problem[] = []) {
  const { active: row, scenario: active } = account.script;
  const skipped = row?.passedOver ?? [];
  const notes = skipped.map((message) => noteOn(active?.files ?? [], 'timeline', 'step_passed_over', message));
  return {
    name: active?.name ?? null,
    description: active?.description ?? null,
    // A scenario that was sent has no file of the sandbox.
    file: library.list().find(({ path }) => path === active?.files[0])?.path ?? null,
    activated_at: isoTimeOrNull(account.script.activatedAtMs),
    ends_at: isoTimeOrNull(scenarioEndMs(account)),
    scenario: active,
    source: row?.text ?? null,
    rules: (active?.rules ?? []).map((rule, i) => show.rule({ rule, seq: i + 1 }, account)),
    warnings: [...warnings, ...notes].map(problemDetail),
  };
}

function showText(account: Account, entry: KnownScenario, library: ScenarioLibrary) {
  const seq = library.list().findIndex(({ path }) => path === entry.path) + 1;
  return { ...showKnown(account, { ...entry, seq }, library), source: readSource(entry.path) ?? '' };
}

export function showKnown(account: Account, entry: KnownScenario & { readonly seq: number }, library: ScenarioLibrary) {
  const { result } = library.load(entry);
  const valid = 'scenario' in result;
  return {
    seq: entry.seq,
    name: entry.name,
    description: valid ? (result.scenario.description ?? null) : null,
    file: entry.path,
    active: entry.path === account.script.scenario?.files[0],
    valid,
    kind: valid ? kindOf(result.scenario) : null,
    writable: library.isWritable(entry),
    ...(!valid && { problems: result.problems.map(problemDetail) }),
  };
}
