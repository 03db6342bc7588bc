/** The active scenario, the known scenarios, and checking a scenario without activating it. */
import { dirname } from 'node:path';
import type { Account } from '../../account/account.js';
import { ServiceError } from '../../domain/errors.js';
import { isoTimeOrNull } from '../../domain/instant.js';
import type { LoadResult } from '../../scenario/reader/load.js';
import type { LoadedScenario } from '../../scenario/schema/scenario.js';
import type { Problem } from '../../scenario/schema/problems.js';
import { activeId } from '../../domain/words.js';
import { activateScenario, deactivateScenario } from '../../scenario/run/activate.js';
import { scenarioEndMs } from '../../scenario/run/verdict.js';
import { readSource, type KnownScenario, type ScenarioLibrary } from '../../scenario/run/library.js';
import { listAll } from './filters.js';
import type { ControlHandlers } from './handler.js';
import { problemDetail, scenarioInvalid, scenarioRules } from './rules.js';

export const scenario: ControlHandlers = {
  getScenario: ({ account, service }) => showActive(account, service.scenarios),

  activateScenario: {
    body: 'yaml',
    run: ({ account, body, text: written, query, service: { scenarios } }) => {
      const { result, text } = loadBody(scenarios, { body, written, file: fileIn(query) });
      if ('problems' in result) throw scenarioInvalid(result.problems, result.warnings);
      if (account.scheduler.advancing) {
        throw new ServiceError(
          'clock_advancing',
          'The clock is already being advanced. Wait for that call to return, then activate.',
        );
      }
      const warnings = activateScenario(account, result.scenario, text);
      const noted = warnings.map((message) => noteOn(result.scenario, 'clock', 'clock_kept', message));
      return showActive(account, scenarios, [...result.warnings, ...noted]);
    },
  },

  deactivateScenario: ({ account }) => {
    deactivateScenario(account);
    return undefined;
  },

  checkScenario: {
    body: 'yaml',
    isHarmless: true,
    run: ({ body, text: written, query, service }) => {
      const { result } = loadBody(service.scenarios, { body, written, file: fileIn(query) });
      if ('problems' in result) throw scenarioInvalid(result.problems, result.warnings);
      return { valid: true, name: result.scenario.name, warnings: result.warnings.map(problemDetail) };
    },
  },

  listScenarios: (context) => {
    const { account, service } = context;
    const all = service.scenarios
      .list()
      .map((entry, i) => showKnown(account, { ...entry, seq: i + 1 }, service.scenarios));
    return listAll({ show: (row) => row, fields: {} }, all, context);
  },

  readScenario: ({ account, name, service: { scenarios } }) => showText(account, known(scenarios, name), scenarios),

  saveScenario: {
    isHarmless: true,
    run: ({ account, name, body, service: { scenarios } }) => {
      const { source: text } = body as { source: string };
      const path = scenarios.get(name)?.path;
      const folder = path === undefined ? scenarios.newFilesFolder() : dirname(path);
      const result = scenarios.loadText(text, path ?? `${name}.yaml`, folder);
      if ('problems' in result) throw scenarioInvalid(result.problems, result.warnings);
      return showText(account, scenarios.save(name, text), scenarios);
    },
  },
};

const fileIn = ({ file }: { readonly file?: unknown }): string => (typeof file === 'string' ? file : 'request body');

function showText(account: Account, entry: KnownScenario, scenarios: ScenarioLibrary) {
  const seq = scenarios.list().findIndex(({ path }) => path === entry.path) + 1;
  return { ...showKnown(account, { ...entry, seq }, scenarios), source: readSource(entry.path) ?? '' };
}

/** `{"name"}` is a known scenario; anything else is a complete one, as JSON or YAML. */
export function loadBody(
  library: ScenarioLibrary,
  { body, written, file }: { readonly body: unknown; readonly written: string | undefined; readonly file: string },
): { result: LoadResult; text: string } {
  if (typeof body === 'string') return { result: library.loadText(body, file), text: body };
  const { name, ...rest } = body as { name?: unknown };
  if (typeof name === 'string' && Object.keys(rest).length === 0) return library.load(known(library, name));
  const text = written ?? JSON.stringify(body, null, 2);
  return { result: library.loadText(text, file), text };
}

export function known(library: ScenarioLibrary, name: string) {
  const found = library.get(name);
  if (found) return found;
  throw new ServiceError('not_found', `${library.unknown(name)} Known: ${library.names().join(', ')}.`);
}

/** Returns warnings about a part of a scenario that is played. */
function noteOn({ files: [file = ''] }: LoadedScenario, path: string, code: string, message: string): Problem {
  return { file, line: 1, column: 1, path, code, message, found: '' };
}

function showActive(account: Account, library: ScenarioLibrary, warnings: readonly Problem[] = []) {
  const row = account.store.tables.scenarios.get(activeId);
  const active = account.script.scenario;
  const passedOver = active
    ? (row?.passedOver ?? []).map((message) => noteOn(active, 'timeline', 'step_passed_over', message))
    : [];
  return {
    name: active?.name ?? null,
    description: active?.description ?? null,
    // A scenario that was sent has no file of the sandbox.
    file: library.list().find(({ path }) => path === active?.files[0])?.path ?? null,
    activated_at: isoTimeOrNull(account.script.activatedAtMs),
    ends_at: isoTimeOrNull(scenarioEndMs(account)),
    scenario: active,
    source: row?.text ?? null,
    rules: active ? scenarioRules(account, active) : [],
    warnings: [...warnings, ...passedOver].map(problemDetail),
  };
}

function showKnown(account: Account, entry: KnownScenario & { readonly seq: number }, library: ScenarioLibrary) {
  const { result } = library.load(entry);
  const valid = 'scenario' in result;
  return {
    seq: entry.seq,
    name: entry.name,
    description: valid ? (result.scenario.description ?? null) : null,
    file: entry.path,
    active: entry.path === account.script.scenario?.files[0],
    valid,
    writable: library.isWritable(entry),
    ...(!valid && { problems: result.problems.map(problemDetail) }),
  };
}
