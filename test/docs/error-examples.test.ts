/** The errors in the examples of openapi.yaml are what the sandbox returns: each is caused here. */
import { describe, expect, it } from 'vitest';
import { findChannelError } from '../../src/domain/errors.js';
import { isObject, objectAt, readApiDocument, type Json } from '../support/openapi-document.js';
import { apiErrors } from './api-errors.js';

const json = 'application/json';

/** The examples of every response under `components`, as `COMPONENT/NAME`, or as `COMPONENT` if there is only one. */
function examplesOf(document: Json): [string, Json][] {
  return Object.entries(objectAt(document, 'components', 'responses')).flatMap(([component, response]) => {
    const media = objectAt(response, 'content', json);
    if (isObject(media.example)) return [[component, media.example] as [string, Json]];
    return Object.entries((media.examples ?? {}) as Json).map(([name, example]): [string, Json] => [
      `${component}/${name}`,
      objectAt(example, 'value'),
    ]);
  });
}

/** Ids differ from those in the example. */
const withoutIds = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')) as unknown;

describe('openapi.yaml', () => {
  const errors = examplesOf(readApiDocument()).filter(([, value]) => 'error' in value);

  it('shows no error that is not caused here', () => {
    expect(errors.map(([name]) => name).sort()).toStrictEqual(Object.keys(apiErrors).sort());
  });

  it.each(errors)('%s is what is answered', async (name, shown) => {
    expect(withoutIds(await apiErrors[name]?.())).toStrictEqual(withoutIds(shown));
  });
});

/** Returns every object in an example. */
function objectsIn(value: unknown, shown = false): Json[] {
  if (Array.isArray(value)) return value.flatMap((item) => objectsIn(item, shown));
  if (!isObject(value)) return [];
  const inner = Object.entries(value).flatMap(([key, item]) =>
    objectsIn(item, shown || key === 'example' || key === 'examples'),
  );
  return shown ? [value, ...inner] : inner;
}

it('sentences of failures in examples are those of the channel', () => {
  const failures = objectsIn(readApiDocument()).filter(({ channel_code: number }) => typeof number === 'number');
  expect(failures.length).toBeGreaterThan(0);
  for (const { code, message, channel_code: channelCode } of failures)
    expect({ code, message, channelCode }).toStrictEqual(findChannelError(String(code)));
});
