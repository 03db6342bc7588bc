/** The errors in the examples of both documents are what the sandbox returns: each is caused here. */
import { describe, expect, it } from 'vitest';
import { readControlDocument } from '../support/control-document.js';
import { findChannelError } from '../../src/domain/channel-errors.js';
import { magicNumbers } from '../../src/scenario/engine/magic-numbers.js';
import { isObject, objectAt, readApiDocument, type Json } from '../support/openapi-document.js';
import { apiErrors } from './api-errors.js';
import { controlErrors } from './control-errors.js';

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

describe.each([
  ['openapi.yaml', examplesOf(readApiDocument()), apiErrors],
  ['src/http/control/openapi.yaml', examplesOf(readControlDocument() as unknown as Json), controlErrors],
] as const)('%s', (_file, all, causes) => {
  const errors = all.filter(([, value]) => 'error' in value);

  it('shows no error that is not caused here', () => {
    expect(errors.map(([name]) => name).sort()).toStrictEqual(Object.keys(causes).sort());
  });

  it.each(errors)('%s is what is answered', async (name, shown) => {
    expect(withoutIds(await causes[name]?.())).toStrictEqual(withoutIds(shown));
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

describe('sentences in examples', () => {
  const objects = [readApiDocument(), readControlDocument()].flatMap((document) => objectsIn(document));

  it('of failures are those of the channel', () => {
    const failures = objects.filter(({ channel_code: number }) => typeof number === 'number');
    expect(failures.length).toBeGreaterThan(5);
    // The table of `GET /_sandbox/info` calls the code a name.
    for (const { name, code = name, message, channel_code: channelCode } of failures) {
      expect({ code, message, channelCode }).toStrictEqual(findChannelError(String(code)));
    }
  });

  it('of magic numbers are those of the table', () => {
    const explained = objects.filter(({ by }) => by === 'magic');
    expect(explained.length).toBeGreaterThan(0);
    const known = magicNumbers.map(({ suffix, description }) => ({
      by: 'magic',
      id: `magic-${suffix}`,
      text: description,
    }));
    for (const explain of explained) expect(known).toContainEqual(explain);
  });
});
