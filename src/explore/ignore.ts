/** Reads the YAML file of breaks that the user has decided to ignore. */
import { parse } from 'yaml';
import { deviationKinds, type Cell } from './types.js';

export class IgnoreError extends Error {
  override readonly name = 'IgnoreError';
}

interface Ignored {
  readonly kind?: string;
  readonly at?: string;
  readonly fault?: string;
  readonly because: string;
}

const example = 'ignore: [{ kind: late, at: message.send, fault: hang, because: "the user does not wait for it" }]';

/** @returns why a break is ignored, or null. @throws IgnoreError with what is wrong and what is allowed */
export function parseIgnores(text: string, file: string): (kind: string, cell: Cell) => string | null {
  const list = entriesOf(text, file);
  return (kind, { placed }) => {
    const found = list.find(
      (entry) =>
        (entry.kind ?? kind) === kind &&
        placed.some(
          ({ point, fault }) => (entry.at ?? point.kind) === point.kind && (entry.fault ?? fault.id) === fault.id,
        ),
    );
    return found?.because ?? null;
  };
}

function entriesOf(text: string, file: string): Ignored[] {
  let document: unknown;
  try {
    document = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw new IgnoreError(
      `${file} is not YAML: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
    );
  }
  const list = (document as { ignore?: unknown } | null)?.ignore;
  if (!Array.isArray(list)) throw new IgnoreError(`${file}: the key "ignore" must be a list. Write ${example}`);
  return list.map((entry: unknown, i) => {
    const at = `${file}: ignore[${i}]`;
    if (typeof entry !== 'object' || entry === null) throw new IgnoreError(`${at} must be a mapping. Write ${example}`);
    for (const [name, value] of Object.entries(entry)) {
      const known = ['kind', 'at', 'fault', 'because'].includes(name);
      if (!known) throw new IgnoreError(`${at}: unknown key "${name}". Allowed: kind, at, fault, because.`);
      if (typeof value !== 'string') throw new IgnoreError(`${at}.${name} must be a text.`);
    }
    const { kind, because } = entry as Partial<Ignored>;
    if (because === undefined) throw new IgnoreError(`${at}: "because" is missing. State why you accept this break.`);
    if (kind !== undefined && !(deviationKinds as readonly string[]).includes(kind)) {
      throw new IgnoreError(`${at}.kind: unknown kind "${kind}". Allowed: ${deviationKinds.join(', ')}.`);
    }
    return entry as Ignored;
  });
}
