/** The control plane's document is the one source of its validation, types and manual, so it is tested as code. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { controlSource, isObject, objectAt, operationsOf, type Json } from '../support/openapi-document.js';
import { errorTable } from '../../src/domain/errors.js';
import { eventTypes } from '../../src/domain/words.js';
import { controlHandlers } from '../../src/http/control/router.js';
import { BODY_MODES, SIGNATURES, SIMULATIONS } from '../../src/language/actions.js';

const document = JSON.parse(controlSource) as Json;
const schemas = objectAt(document, 'components', 'schemas');
const operations = operationsOf(document);

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema({ $id: 'document', ...document });

function faults(name: string, value: unknown): string[] {
  const validate = ajv.compile({ $ref: `document#/components/schemas/${name}` });
  validate(value);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`);
}

const bodies = operations.flatMap(({ id, object: { requestBody } }) => {
  const media = isObject(requestBody) ? objectAt(requestBody, 'content')['application/json'] : undefined;
  if (!isObject(media) || media.example === undefined) return [];
  return {
    id,
    name: String(objectAt(media, 'schema').$ref).split('/').at(-1) ?? '',
    example: objectAt(media, 'example'),
  };
});
it.each(bodies)('$id takes its example, and refuses what it does not know', ({ name, example }) => {
  expect(faults(name, example)).toEqual([]);
  if (name !== 'ScenarioInput') expect(faults(name, { ...example, typo: 1 })).not.toEqual([]);
});

it('every handler is an operation', () => {
  const ids = operations.map(({ id }) => id);
  expect(Object.keys(controlHandlers).filter((id) => !ids.includes(id))).toEqual([]);
});

it('every schema is used', () => {
  const unused = Object.keys(schemas).filter((name) => !controlSource.includes(`"#/components/schemas/${name}"`));
  expect(unused).toEqual([]);
});

it('schemas name the errors of the error table, and the words of the domain', () => {
  const words = (...path: string[]) => objectAt(schemas, ...path)['enum'];
  const ours = Object.entries(errorTable).filter(([, row]) => row.plane !== 'api');
  expect((words('ErrorCode') as string[]).toSorted()).toEqual(ours.map(([code]) => code).sort());
  expect(words('EventType')).toEqual(eventTypes);
  expect(words('WebhookSlot', 'properties', 'signature')).toEqual(SIGNATURES);
  expect(words('WebhookSlot', 'properties', 'body')).toEqual(BODY_MODES);
  for (const simulate of [...SIMULATIONS, 500]) expect(faults('WebhookSlot', { receiver: { simulate } })).toEqual([]);
  expect(faults('WebhookSlot', { receiver: { simulate: 'gone' } })).not.toEqual([]);
});
