import { DialectError, parseDialect } from '../dialect/index.js';
import { type Shape, type ShapeKey, shapes } from '../dialect/names.js';
import type { Json, Names } from '../dialect/template.js';
import { yaml } from '../domain/yaml.js';
import type { Sent } from './privacy.js';
import { type Example, infer, type Inferred } from './infer.js';
import type { Pair } from './account-play.js';

export interface Finding {
  /** Section of the interface document. */
  readonly section: string;
  readonly setting: string;
  readonly result: 'agrees' | 'set' | 'differs' | 'not in the capture';
  readonly evidence: readonly string[];
  /** The keys that no setting can express; only with `differs`. */
  readonly about?: string;
}

export class Lesson {
  readonly settings = new Map<string, Json>();
  readonly findings: Finding[] = [];

  /** `sent` has what the requests of the capture say. */
  constructor(readonly sent: Sent) {}

  note(
    section: string,
    setting: string,
    pairs: readonly Pair[],
    differs: boolean,
    value: Json | undefined,
    about = '',
  ): void {
    const evidence = [...new Set(pairs.map(({ place }) => place))].slice(0, 3);
    const isSet = differs && value !== undefined && this.#isValid(setting, value);
    if (isSet) this.settings.set(setting, value);
    const result =
      pairs.length === 0 ? 'not in the capture' : !differs ? 'agrees' : isSet && about === '' ? 'set' : 'differs';
    this.findings.push({ section, setting, result, evidence, ...(about !== '' && { about }) });
  }

  #isValid(setting: string, value: Json): boolean {
    const file = fileOf(new Map([...this.settings, [setting, value]]));
    try {
      parseDialect(file, '');
      return true;
    } catch (error) {
      if (error instanceof DialectError) return false;
      throw error;
    }
  }

  shape(
    section: string,
    key: ShapeKey,
    pairs: readonly Pair[],
    examples: readonly Example[],
    differs: boolean,
  ): Inferred | null {
    if (!differs || examples.length === 0) {
      this.note(section, key, examples.length === 0 ? [] : pairs, false, undefined);
      return null;
    }
    // A failed entry has its error itself, which can differ from the error of a failed message.
    const { error: _whole, ...parts }: Names = shapes[key].names;
    const inferred = infer(examples, key === 'shapes.batch.failed' ? parts : shapes[key].names, this.sent);
    this.note(section, key, pairs, true, withRare(key, inferred.template), inferred.unsaid.join(', '));
    return inferred;
  }
}

/** Adds what the interface document names and the capture happens not to show, such as the reason of a pause. */
function withRare(key: ShapeKey, template: Json): Json {
  const { kept, names }: Shape = shapes[key];
  const rare = kept.filter(({ name, key: at }) => at !== undefined && names[name]?.canMiss === true);
  if (rare.length === 0 || typeof template !== 'object' || template === null || Array.isArray(template))
    return template;
  return {
    ...Object.fromEntries(rare.map(({ name, key: at = name }) => [at, `{${name}?}`])),
    ...(template as Readonly<Record<string, Json>>),
  };
}

export function fileOf(settings: ReadonlyMap<string, Json>): string {
  return settings.size === 0 ? '{}\n' : yaml().stringify(Object.fromEntries(settings), { lineWidth: 0 });
}
