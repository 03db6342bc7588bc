/** A pattern is for machines: whatever a call can break one with is told in words, and with an example or a plain rule. */
import { describe, expect, it } from 'vitest';
import { readControlDocument } from '../support/control-document.js';
import { patternWords, schemaWords } from '../../src/http/validation/rejection-document.js';
import { isObject, objectAt, readApiDocument, type Json } from '../support/openapi-document.js';

interface Place {
  readonly at: string;
  readonly schema: Json;
}

/** Every schema that has a pattern and that a request can be held against: in parameters, bodies and the data of events, through references. */
function patternsOf(document: Json): Place[] {
  const found: Place[] = [];
  const seen = new Set<unknown>();
  const walk = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (isObject(value)) {
      if (typeof value['$ref'] === 'string') {
        walk(objectAt(document, ...value['$ref'].slice(2).split('/')), value['$ref']);
      }
      if (typeof value['pattern'] === 'string' && !value['x-words']) found.push({ at, schema: value });
    }
    for (const [name, inner] of Object.entries(value)) {
      if (!/^examples?$|^description$/.test(name)) walk(inner, `${at}/${name}`);
    }
  };
  for (const [path, item] of Object.entries(objectAt(document, 'paths'))) {
    if (!isObject(item)) continue;
    walk(item['parameters'], `${path} parameters`);
    for (const operation of Object.values(item).filter(isObject)) {
      walk(operation['parameters'], `${path} parameters`);
      walk(operation['requestBody'], `${path} body`);
    }
  }
  // What a call may give as the data of an event.
  for (const [name, schema] of Object.entries(objectAt(document, 'components', 'schemas'))) {
    if (/^(Message|Otp|Template)\w+Data$/.test(name)) walk(schema, name);
  }
  return found;
}

describe.each([
  ['API', readApiDocument(), 6],
  ['control', readControlDocument() as unknown as Json, 15],
])('%s document', (_name, document, least) => {
  const places = patternsOf(document);

  it('has the patterns that are looked for', () => {
    expect(places.length).toBeGreaterThanOrEqual(least);
  });

  it.each(places)('says in words what the pattern at $at allows', ({ schema }) => {
    expect(patternWords.get(String(schema['pattern']))).toMatch(/^(?:an?|1 to \d+) .*(?:such as \S|http|whsec_)/);
  });
});

describe('the words of rejections', () => {
  const documents = [readApiDocument(), readControlDocument() as unknown as Json];
  const texts = documents.map((document) => JSON.stringify(document));

  it('are of patterns that a document has', () => {
    const patterns = [...patternWords.keys()];
    expect(patterns.filter((pattern) => !texts.some((text) => text.includes(JSON.stringify(pattern))))).toEqual([]);
  });

  it('are of schemas that a document has', () => {
    const named = documents.flatMap((document) => Object.keys(objectAt(document, 'components', 'schemas')));
    expect(Object.keys(schemaWords).filter((name) => !named.includes(name))).toEqual([]);
  });
});
