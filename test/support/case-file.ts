import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const text = z.string();
const expectation = z.strictObject({
  /** A status such as 200, or a class such as 2xx, which is the default. */
  status: z.union([z.int().min(100).max(599), text.regex(/^[1-5](\d\d|xx)$/)]).optional(),
  headers: z.record(text, text).optional(),
  body: z.unknown().optional(),
});
const step = z
  .strictObject({
    name: text.optional(),
    /** Method and path. */
    request: text.regex(/^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \//),
    /** false: no Authorization header; a word: another account of the same row. */
    key: z.union([z.literal(false), text]).optional(),
    /** null takes a header away that would be sent otherwise. */
    headers: z.record(text, text.nullable()).optional(),
    body: z.unknown().optional(),
    /** Sent as it stands, instead of `body` as JSON. */
    raw: z.unknown().optional(),
    expect: expectation.optional(),
    /** Variable → path into the response's body, such as `items[0].code`. */
    save: z.record(text, text).optional(),
  })
  .refine((each) => !('body' in each && 'raw' in each), 'give body or raw, not both');
const steps = z.array(step);
const row = z.union([
  z.strictObject({ name: text, steps: steps.refine((all) => all.some((each) => each.expect), 'expect something') }),
  step
    .refine(({ name, expect }) => name !== undefined && expect !== undefined, 'a row has a name and expects something')
    .transform((only) => ({ name: String(only.name), steps: [only] })),
]);
const changes = z.record(text, z.unknown());
/** Calls that differ in one place of the body. */
const table = z
  .strictObject({
    request: step.shape.request,
    body: z.record(text, z.unknown()),
    accepted: z.record(text, changes).default({}),
    rejected: z.record(text, z.union([z.tuple([changes, text]), z.tuple([changes, text, text])])).default({}),
  })
  .transform(({ request, body, accepted, rejected }) => {
    const caseOf = (name: string, change: z.infer<typeof changes>, expect: z.infer<typeof expectation>) => ({
      name,
      steps: [{ request, body: changed(body, change), expect }],
    });
    const errorAt = (field: string, message = '<string>') => ({
      status: 400,
      body: { error: { code: 'validation_error', details: [{ field, message }] } },
    });
    return [
      ...Object.entries(accepted).map(([name, change]) => caseOf(name, change, { status: 200 })),
      ...Object.entries(rejected).map(([name, [change, field, message]]) =>
        caseOf(name, change, errorAt(field, message)),
      ),
    ];
  });
const caseFile = z
  .strictObject({
    name: text,
    given: steps.default([]),
    tables: z.array(table).default([]),
    cases: z.array(row).min(1),
  })
  .transform(({ tables, cases, ...file }) => ({ ...file, cases: [...tables.flat(), ...cases] }))
  .refine(({ cases }) => new Set(cases.map(({ name }) => name)).size === cases.length, 'two rows have one name');

/** Returns the body with some of its values replaced, by their path such as `template.name`, or removed (`<absent>`). */
function changed(body: Readonly<Record<string, unknown>>, change: Readonly<Record<string, unknown>>) {
  const result: Record<string, unknown> = structuredClone(body);
  for (const [path, value] of Object.entries(change)) {
    const keys = path.split('.');
    const last = keys.pop()!;
    const parent = keys.reduce((object, key) => object[key] as Record<string, unknown>, result);
    if (value === '<absent>') Reflect.deleteProperty(parent, last);
    else parent[last] = value;
  }
  return result;
}

/** One request and what its response has to be. The format is described in test/cases/README.md. */
export type Step = z.infer<typeof step>;
export type Expectation = z.infer<typeof expectation>;
export type Case = z.infer<typeof row>;
export type CaseFile = z.infer<typeof caseFile>;

/** All case files of a folder, by name. */
export function readCaseFiles(folder: string): (CaseFile & { readonly file: string })[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files.sort().map((file) => {
    const { data, error } = caseFile.safeParse(parse(readFileSync(join(folder, file), 'utf8')));
    if (error) throw new Error(`${file}:\n${z.prettifyError(error)}`);
    return { file, ...data };
  });
}
