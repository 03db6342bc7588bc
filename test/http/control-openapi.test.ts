/** The control plane's document is the one source of its validation, types and manual, so it is tested as code. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import {
  callsOf,
  controlSource,
  follow,
  jsonAnswer,
  readControlDocument,
  type Operation,
} from '../support/control-document.js';
import { errorTable } from '../../src/domain/errors.js';
import { eventTypes } from '../../src/domain/event.js';
import { BODY_MODES, SIGNATURES, SIMULATIONS } from '../../src/scenario/schema/actions.js';

type Json = Record<string, unknown>;

const document = readControlDocument();
const operations = callsOf(document);
const resolve = <T extends { $ref?: string }>(value: T): T => follow(document, value);

const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true });
ajv.addVocabulary([
  'x-allowed',
  'x-hint',
  'x-words',
  'openapi',
  'info',
  'servers',
  'security',
  'tags',
  'paths',
  'components',
]);
ajv.addSchema({ $id: 'document', ...readControlDocument() });

/** The validator of a schema inside the document, by its path there; compiling throws when the schema is malformed. */
function validatorAt(...path: string[]) {
  const pointer = path.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).map(encodeURIComponent);
  return ajv.compile({ $ref: `document#/${pointer.join('/')}` });
}

function faults(validate: ReturnType<typeof validatorAt>, value: unknown): string[] {
  validate(value);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`);
}

/** Every schema that an example stands beside, with the example. */
function exampled(): { at: string[]; example: unknown }[] {
  const found: { at: string[]; example: unknown }[] = [];
  const walk = (node: unknown, path: string[]) => {
    if (typeof node !== 'object' || node === null) return;
    const has = node as Json;
    if ('example' in has && 'schema' in has) found.push({ at: [...path, 'schema'], example: has['example'] });
    for (const [key, value] of Object.entries(has)) if (key !== 'example') walk(value, [...path, key]);
  };
  walk(document, []);
  return found;
}

describe('operations', () => {
  it('has each operationId once, in camelCase', () => {
    const ids = operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z]+[A-Z][A-Za-z]+$/.test(id))).toEqual([]);
  });

  it.each(operations)('$id has one tag that is described, a summary and a description', ({ operation }) => {
    expect(operation.tags).toHaveLength(1);
    expect(document.tags.map((tag) => tag.name)).toContain(operation.tags[0]);
    expect(operation.summary.length).toBeGreaterThan(5);
    expect(operation.description.length).toBeGreaterThan(30);
  });

  it('uses every tag', () => {
    const used = new Set(operations.flatMap(({ operation }) => operation.tags));
    expect(document.tags.map((tag) => tag.name).filter((name) => !used.has(name))).toEqual([]);
  });

  it.each(operations)('$id describes every parameter, and all of its path', ({ path, parameters }) => {
    expect(parameters.filter((parameter) => !parameter.description)).toEqual([]);
    const inPath = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => `{${parameter.name}}`);
    expect(inPath).toEqual(path.match(/\{\w+\}/g) ?? []);
  });

  it('keeps defaults of parameters where the validator finds them: it drops what stands beside a $ref', () => {
    const lost = operations.flatMap(({ id, parameters }) =>
      parameters
        .filter((parameter) => '$ref' in parameter.schema && Object.keys(parameter.schema).length > 1)
        .map((parameter) => `${id} ${parameter.name}`),
    );
    expect(lost).toEqual([]);
  });

  const lists = operations.filter(({ id }) => id.startsWith('list'));

  it.each(lists)('$id is paged', ({ parameters, operation }) => {
    const names = parameters.map((parameter) => parameter.name);
    expect(names).toEqual(expect.arrayContaining(['after', 'before', 'limit', 'order']));
    const validate = validatorAt(...schemaPath(operation));
    expect(faults(validate, { items: [], next: null })).toEqual([]);
    expect(faults(validate, { items: [], next: 7 })).toEqual([]);
    expect(faults(validate, { items: [] })).toHaveLength(1);
    expect(faults(validate, { items: [], next: '7' })).not.toEqual([]);
  });

  it('calls everything that answers a list a list', () => {
    const answersList = operations.filter(({ operation }) => {
      const media = jsonAnswer(operation);
      const schema = media ? resolve(media.schema) : {};
      return /^items,next(,trimmed)?$/.test(Object.keys(schema['properties'] ?? {}).join());
    });
    expect(answersList.map(({ id }) => id)).toEqual(lists.map(({ id }) => id));
  });

  it.each(operations.filter(({ operation }) => operation.requestBody))(
    '$id refuses what it does not know in its body',
    ({ operation, id }) => {
      const media = operation.requestBody?.content['application/json'];
      // These take documents of others: a scenario, a snapshot, whatever a webhook sends.
      if (['activateScenario', 'checkScenario', 'putSnapshot', 'receiveAtSink', 'putExplorationReport'].includes(id))
        return;
      const validate = validatorAt(...bodyPath(operation));
      expect(faults(validate, media?.example)).toEqual([]);
      expect(faults(validate, { ...(media?.example as Json), typo: 1 })).not.toEqual([]);
    },
  );
});

/** Where the schema of the JSON answer stands. */
function schemaPath(operation: Operation): string[] {
  const { path, method } = operations.find((candidate) => candidate.operation === operation)!;
  return ['paths', path, method, 'responses', '200', 'content', 'application/json', 'schema'];
}

function bodyPath(operation: Operation): string[] {
  const { path, method } = operations.find((candidate) => candidate.operation === operation)!;
  return ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
}

describe('schemas', () => {
  it.each(Object.keys(document.components.schemas))('%s compiles', (name) => {
    expect(validatorAt('components', 'schemas', name)).toBeTypeOf('function');
  });

  it('are all used', () => {
    const unused = Object.keys(document.components.schemas).filter(
      (name) => !controlSource.includes(`"#/components/schemas/${name}"`),
    );
    expect(unused).toEqual([]);
  });

  it('name the errors of the error table, and the words of the domain', () => {
    const enumOf = (name: string) => document.components.schemas[name]!['enum'] as string[];
    const ours = Object.entries(errorTable).filter(([, row]) => row.plane !== 'api');
    expect([...enumOf('ErrorCode')].sort()).toEqual(ours.map(([code]) => code).sort());
    expect(enumOf('EventType')).toEqual(eventTypes);
  });

  it('bend deliveries in the words of the scenario language', () => {
    const slot = document.components.schemas['WebhookSlot']!['properties'] as Record<string, Json>;
    expect(slot['signature']!['enum']).toEqual(SIGNATURES);
    expect(slot['body']!['enum']).toEqual(BODY_MODES);
    const validate = validatorAt('components', 'schemas', 'WebhookSlot');
    for (const simulate of [...SIMULATIONS, 500]) expect(faults(validate, { receiver: { simulate } })).toEqual([]);
    expect(faults(validate, { receiver: { simulate: 'gone' } })).not.toEqual([]);
  });

  it.each([
    ['Duration', ['250ms', '10s', '5m', '24h', '7d', '1h30m', '0s'], ['', '1.5h', '90', '5m1h', '-1s', '1 h', '5 min']],
    ['Instant', ['2026-03-01T09:00:00Z', '2026-03-01T10:00+01:00'], ['2026-03-01', '2026-03-01T09:00:00', 'now']],
    ['Timestamp', ['2026-03-01T09:00:00.000Z'], ['2026-03-01T09:00:00Z', '2026-03-01T09:00:00.000+00:00']],
    ['Name', ['a', 'after-1.b_c', 'x'.repeat(64)], ['', '.a', '-a', 'a/b', 'a b', 'x'.repeat(65)]],
    ['PhoneNumber', ['+12025550150', '+1234567'], ['12025550150', '+0202555015', '+123456', '+1202555015012345']],
    ['AdvanceInput', [{ by: '1h' }, { until: 'idle', max: '7d' }], [{}, { by: '1h', until: 'next' }, { by: '1.5h' }]],
    ['WindowInput', [{ open: false }, { closes_at: '2026-03-01T09:00:00Z' }], [{}, { open: 'yes' }]],
    ['InboundInput', [{ from: '+12025550150' }], [{}, { from: '+12025550150', type: 'interactive' }]],
    ['SinkInput', [{ respond: [] }, { respond: [{ status: 503, delay: '1s' }] }], [{ respond: [{ status: 99 }] }]],
  ])('%s takes and refuses the right values', (name, good, bad) => {
    const validate = validatorAt('components', 'schemas', name);
    for (const value of good) expect({ value, faults: faults(validate, value) }).toEqual({ value, faults: [] });
    expect(bad.filter((value) => faults(validate, value).length === 0)).toEqual([]);
  });
});

describe('examples', () => {
  it.each(exampled().map((row) => ({ ...row, where: row.at.join(' ') })))('$where', ({ at, example }) => {
    expect(faults(validatorAt(...at), example)).toEqual([]);
  });

  it('stand beside every body and every answer that has one', () => {
    const bare = operations.flatMap(({ id, operation }) => {
      const media = [
        ...Object.entries(operation.requestBody?.content ?? {}),
        ...Object.values(operation.responses).flatMap((response) => Object.entries(resolve(response).content ?? {})),
      ];
      return media.filter(([, { example }]) => example === undefined).map(([type]) => `${id} ${type}`);
    });
    expect(bare).toEqual([]);
  });

  it('carry error codes under their own status', () => {
    const wrong = operations.flatMap(({ id, operation }) =>
      Object.entries(operation.responses).flatMap(([status, response]) => {
        if (!/^[45]/.test(status)) return [];
        const example = resolve(response).content?.['application/json']?.example as
          { error?: { code?: string } } | undefined;
        const code = example?.error?.code;
        if (code === undefined || errorTable[code as keyof typeof errorTable].status === Number(status)) return [];
        return [`${id} ${status} ${code}`];
      }),
    );
    expect(wrong).toEqual([]);
  });
});
