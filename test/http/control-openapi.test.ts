/** The control plane's document is the one source of its validation, types and manual, so it is tested as code. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { callsOf, controlSource, readControlDocument } from '../support/control-document.js';
import { errorTable } from '../../src/domain/errors.js';
import { eventTypes } from '../../src/domain/words.js';
import { controlHandlers } from '../../src/http/control/router.js';
import { BODY_MODES, SIGNATURES, SIMULATIONS } from '../../src/scenario/schema/actions.js';

const document = readControlDocument();
const { schemas } = document.components;
const operations = callsOf(document);

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema({ $id: 'document', ...readControlDocument() });

/** Compiling throws if the schema is malformed. */
const validatorOf = (name: string) => ajv.compile({ $ref: `document#/components/schemas/${name}` });

function faults(validate: ReturnType<typeof validatorOf>, value: unknown): string[] {
  validate(value);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`);
}

describe('operations', () => {
  const bodies = operations.flatMap(({ id, operation }) => {
    const { schema, example } = operation.requestBody?.content['application/json'] ?? {};
    return example === undefined ? [] : [{ id, name: schema?.$ref?.split('/').at(-1) ?? '', example }];
  });
  it.each(bodies)('$id takes its example, and refuses what it does not know', ({ name, example }) => {
    const validate = validatorOf(name);
    expect(faults(validate, example)).toEqual([]);
    if (name !== 'ScenarioInput') expect(faults(validate, { ...(example as object), typo: 1 })).not.toEqual([]);
  });
});

it('every handler is an operation', () => {
  const ids = operations.map(({ id }) => id);
  expect(Object.keys(controlHandlers).filter((id) => !ids.includes(id))).toEqual([]);
});

describe('schemas', () => {
  it('compile, and are used', () => {
    for (const name of Object.keys(schemas)) expect(validatorOf(name), name).toBeTypeOf('function');
    expect(Object.keys(schemas).filter((name) => !controlSource.includes(`"#/components/schemas/${name}"`))).toEqual(
      [],
    );
  });

  it('name the errors of the error table, and the words of the domain', () => {
    const ours = Object.entries(errorTable).filter(([, row]) => row.plane !== 'api');
    expect(schemas['ErrorCode']?.enum?.toSorted()).toEqual(ours.map(([code]) => code).sort());
    expect(schemas['EventType']?.enum).toEqual(eventTypes);
    const slot = schemas['WebhookSlot']?.properties;
    expect([slot?.['signature']?.enum, slot?.['body']?.enum]).toEqual([SIGNATURES, BODY_MODES]);
    const validate = validatorOf('WebhookSlot');
    for (const simulate of [...SIMULATIONS, 500]) expect(faults(validate, { receiver: { simulate } })).toEqual([]);
    expect(faults(validate, { receiver: { simulate: 'gone' } })).not.toEqual([]);
  });
});
