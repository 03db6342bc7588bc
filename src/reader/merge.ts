import { nameOf } from '../language/problems.js';
import { NUMBER_RANGE, type Given, type GivenCustomer } from '../language/given.js';
import type { LoadedCustomer, LoadedScenario, Scenario } from '../language/scenario.js';
import type { LoadedRule } from '../language/rule.js';
import { magicFor } from '../rules/magic-numbers.js';
import type { Place } from './place.js';

export interface LoadedFile {
  readonly file: string;
  readonly scenario: Scenario;
  readonly root: Place;
}

export type RuleSources = ReadonlyMap<LoadedRule, Place>;

/** The first file takes precedence; additions of later files come after it. */
export function merge(files: readonly LoadedFile[], file: string): { scenario: LoadedScenario; sources: RuleSources } {
  const parts = files.map((loaded) => loaded.scenario);
  const sources = mergeRules(files);
  const { name = nameOf(file), description } = parts[0] ?? {};
  const { seed, clock, state, ends, expect_no_calls } = Object.assign({}, ...parts.toReversed()) as Partial<Scenario>;
  const customers = mergeBy(parts, 'customers', (entry) => (entry.count === undefined ? entry.phone : undefined));
  const scenario: LoadedScenario = {
    version: 1,
    name,
    ...(description !== undefined && { description }),
    ...(seed !== undefined && { seed }),
    ...(clock !== undefined && { clock }),
    defaults: Object.assign({}, ...parts.map(({ defaults }) => defaults).reverse()) as LoadedScenario['defaults'],
    given: {
      templates: mergeBy(parts, 'templates', (entry) => entry.name),
      customers: expandCustomers(customers),
      webhooks: mergeBy(parts, 'webhooks', (entry) => entry.alias),
    },
    rules: [...sources.keys()],
    timeline: parts.flatMap(({ timeline = [] }) => timeline),
    expect: parts.flatMap(({ expect = [] }) => expect),
    ...(state !== undefined && { state }),
    ...(ends !== undefined && { ends }),
    ...(expect_no_calls !== undefined && { expect_no_calls }),
    files: files.map((loaded) => loaded.file),
  };
  return { scenario, sources };
}

function mergeRules(files: readonly LoadedFile[]): RuleSources {
  const sources = new Map<LoadedRule, Place>();
  const taken = new Set<string>();
  const names = files.map((loaded) => nameOf(loaded.file));
  for (const [fileIndex, { file, scenario, root }] of files.entries()) {
    // Not the path of the file: ids appear in headers and seed random choices, which must be the same on every machine.
    const name = names[fileIndex] ?? '';
    const prefix = fileIndex === 0 ? '' : `${names.indexOf(name) === fileIndex ? name : `${name}-${fileIndex}`}:`;
    const places = root.items('rules');
    for (const [index, rule] of (scenario.rules ?? []).entries()) {
      const place = places[index] ?? root;
      const id = rule.id ?? `${prefix}${place.path}`;
      if (!taken.has(id)) sources.set({ ...rule, id, source: { file, line: place.line } }, place);
      taken.add(id);
    }
  }
  return sources;
}

function mergeBy<K extends keyof Given>(
  parts: readonly Scenario[],
  key: K,
  nameOf: (entry: Required<Given>[K][number]) => string | undefined,
): Required<Given>[K] {
  const merged = new Map<unknown, Required<Given>[K][number]>();
  for (const part of parts) {
    for (const entry of part.given?.[key] ?? []) {
      // An entry without a name is never replaced.
      const name = nameOf(entry) ?? entry;
      if (!merged.has(name)) merged.set(name, entry);
    }
  }
  return [...merged.values()] as Required<Given>[K];
}

/** Area codes. Each has a hundred numbers reserved for fiction. */
const AREAS =
  '202 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 224 225 228 229 231 234 239 240 248 251 252 253 254 256 260 262 267 269 270 276 281 301 302 303 304 305 307 308 309 310 312 313 314 315 316 317 318 319 320 321 323 325 330 334'.split(
    ' ',
  );

/** `{ count: 100 }` becomes a hundred customers. */
function expandCustomers(customers: readonly GivenCustomer[]): LoadedCustomer[] {
  const used = new Set(customers.flatMap(({ phone, count }) => (count === undefined ? (phone ?? []) : [])));
  return customers.flatMap(({ count, phone, ...rest }) => {
    if (count === undefined) return phone === undefined ? [] : [{ phone, ...rest }];
    const many: LoadedCustomer[] = [];
    for (const number of numbersFrom(phone)) {
      if (many.length === count) break;
      if (used.has(number) || magicFor(number) !== null) continue;
      used.add(number);
      many.push({ phone: number, ...rest });
    }
    return many;
  });
}

function* numbersFrom(phone: string | undefined): Iterable<string> {
  const [, area = '202'] = (phone === undefined ? null : (NUMBER_RANGE.exec(phone) ?? /^\+1(\d{3})/.exec(phone))) ?? [];
  const first = /^\+1\d{3}55501(\d\d)$/.exec(phone ?? '')?.[1] ?? '00';
  const others = [...AREAS.slice(AREAS.indexOf(area) + 1), ...AREAS.slice(0, Math.max(0, AREAS.indexOf(area)))];
  for (const code of [area, ...others.filter((one) => one !== area)]) {
    for (let last = code === area ? Number(first) : 0; last < 100; last += 1) {
      yield `+1${code}55501${String(last).padStart(2, '0')}`;
    }
  }
}
