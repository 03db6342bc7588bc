/** Merges a scenario with what it extends. */
import type { Given, LoadedScenario, Scenario } from '../language/scenario.js';
import type { LoadedRule } from '../language/rules.js';
import type { LoadedFile, RuleSources } from './scenario-schema.js';
import { expandCustomers } from './many-customers.js';
import type { YamlNode } from './yaml-node.js';

/** The first file takes precedence; additions of later files come after it. */
export function merge(files: readonly LoadedFile[], file: string): { scenario: LoadedScenario; sources: RuleSources } {
  const sources = new Map<LoadedRule, YamlNode>();
  const rules: LoadedRule[] = [];
  const taken = new Set<string>();
  const names = files.map((loaded) => nameOf(loaded.file));
  files.forEach((loaded, fileIndex) => {
    // Not the path: ids appear in headers and seed random choices, which must be the same on every machine.
    const name = names[fileIndex] ?? '';
    const prefix = names.indexOf(name) === fileIndex ? name : `${name}-${fileIndex}`;
    for (const rule of loaded.scenario.rules ?? []) {
      const place = loaded.placeOf(rule);
      if (place === undefined) continue;
      // The path is that of the entry in its file: `rules[0]`.
      const id = rule.id ?? (fileIndex === 0 ? place.path : `${prefix}:${place.path}`);
      // A rule of the same id in an extended file is replaced.
      if (taken.has(id)) continue;
      taken.add(id);
      const whole = { ...rule, id, source: { file: loaded.file, line: place.line } };
      rules.push(whole);
      sources.set(whole, place);
    }
  });
  const parts = files.map((loaded) => loaded.scenario);
  const first = <K extends keyof Scenario>(key: K) => parts.find((part) => part[key] !== undefined)?.[key];
  const [description, seed, clock] = [parts[0]?.description, first('seed'), first('clock')];
  const expectNoCalls = first('expect_no_calls');
  const scenario: LoadedScenario = {
    version: 1,
    name: parts[0]?.name ?? nameOf(file),
    ...(description !== undefined && { description }),
    ...(seed !== undefined && { seed }),
    ...(clock !== undefined && { clock }),
    defaults: Object.assign({}, ...parts.map((part) => part.defaults ?? {}).reverse()) as LoadedScenario['defaults'],
    given: {
      templates: mergeBy(parts, 'templates', ({ name }) => name),
      customers: expandCustomers(
        mergeBy(parts, 'customers', (entry) => (entry.count === undefined ? entry.phone : undefined)),
        new Set(
          parts
            .flatMap((part) => part.given?.customers ?? [])
            .flatMap(({ phone, count }) => (count === undefined ? (phone ?? []) : [])),
        ),
      ),
      webhooks: mergeBy(parts, 'webhooks', ({ alias }) => alias),
    },
    rules,
    timeline: parts.flatMap((part) => part.timeline ?? []),
    expect: parts.flatMap((part) => part.expect ?? []),
    ...(expectNoCalls !== undefined && { expect_no_calls: expectNoCalls }),
    files: files.map((loaded) => loaded.file),
  };
  return { scenario, sources };
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

/** `scenarios/flaky-api.yaml` → `flaky-api`. */
export function nameOf(file: string): string {
  const last = file.split(/[\\/]/).pop() ?? file;
  const name = last.replace(/\.(?:ya?ml|json)$/i, '').replace(/[^\w-]/g, '-');
  return name === '' ? 'scenario' : name;
}
