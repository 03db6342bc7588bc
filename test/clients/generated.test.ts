/** What the clients take from the documents is what is committed, and what is written by hand stays small. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCatalogue } from '../../scripts/clients/catalogue.js';
import { goTypes } from '../../scripts/clients/go.js';
import { clientFiles } from '../../scripts/clients/index.js';
import type { OpenApi } from '../../scripts/openapi.js';
import { pythonModels, synchronous } from '../../scripts/clients/python.js';

const python = 'clients/python/src/messaging_sandbox';
const byHand = ['__init__', '_async', '_async_connection', '_launch', '_wire', 'pytest_plugin'];

it('is committed as it is generated', async () => {
  const files = [...(await clientFiles())];
  expect(files.length).toBeGreaterThan(5);
  const stale = files.filter(([path, text]) => readFileSync(path, 'utf8') !== text).map(([path]) => path);
  expect(stale).toStrictEqual([]);
});

it('leaves at most 400 lines of the Python client to be written by hand', () => {
  const lines = byHand.flatMap((name) => readFileSync(join(python, `${name}.py`), 'utf8').split('\n'));
  expect(lines.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(400);
});

describe('a document', () => {
  const control: OpenApi = {
    paths: {
      '/_sandbox/things': {
        parameters: [],
        post: {
          operationId: 'addThing',
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/ThingInput' } } } },
          responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } } },
        },
      },
    },
    components: {
      schemas: {
        Timestamp: { type: 'string' },
        Duration: { type: 'string', pattern: '^d$' },
        EventType: { type: 'string', enum: ['a.b'] },
        State: { type: 'string', enum: ['on', 'half_on'] },
        Part: { type: 'object', required: ['from'], properties: { from: { type: 'string' } } },
        Thing: {
          description: 'A "thing".',
          allOf: [
            { $ref: '#/components/schemas/Part' },
            {
              type: 'object',
              required: ['state', 'seen_at', 'last_hit'],
              properties: {
                state: { $ref: '#/components/schemas/State' },
                seen_at: { anyOf: [{ $ref: '#/components/schemas/Timestamp' }, { type: 'null' }] },
                last_hit: {
                  type: ['object', 'null'],
                  required: ['otp_id'],
                  properties: { otp_id: { type: 'string' } },
                },
                parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
                kind: { $ref: '#/components/schemas/EventType' },
              },
            },
          ],
        },
        ThingInput: {
          type: 'object',
          required: ['part'],
          properties: {
            part: { $ref: '#/components/schemas/Part' },
            every: { type: 'string', pattern: '^d$' },
            open: { type: 'boolean' },
            at: { $ref: '#/components/schemas/Timestamp' },
          },
        },
      },
    },
  };
  const api: OpenApi = { paths: {}, components: { schemas: {} } };

  it('becomes classes for what is received and dictionaries for what is sent, in Python', () => {
    const text = pythonModels(readCatalogue(control, api, 'Input'));
    expect(text).toContain('State = Literal["on", "half_on"]');
    expect(text).toContain(
      'class Thing:\n    """A "thing"."""\n    from_: str\n    state: State\n    seen_at: datetime | None\n',
    );
    expect(text).toContain('    last_hit: ThingLastHit | None\n    parts: list[Part] | None = None\n');
    expect(text).toContain('PartInput = TypedDict("PartInput", {\n    "from": str,\n})');
    expect(text).toContain(
      '    part: PartInput\n    every: NotRequired[timedelta | str]\n    open: NotRequired[bool]\n',
    );
  });

  it('becomes structs in the form of gofmt, in Go', () => {
    const text = goTypes(readCatalogue(control, api, ''));
    expect(text).toContain('\tStateOn     State = "on"\n\tStateHalfOn State = "half_on"\n');
    expect(text).toContain('\tSeenAt  *time.Time    `json:"seen_at"`\n\tLastHit *ThingLastHit `json:"last_hit"`\n');
    expect(text).toContain('\tOTPID string `json:"otp_id"`');
    expect(text).toContain('\tPart  Part      `json:"part"`\n\tEvery Duration  `json:"every,omitempty"`\n');
    expect(text).toContain('\tOpen  *bool     `json:"open,omitempty"`\n\tAt    time.Time `json:"at,omitzero"`\n');
  });
});

it('turns async Python into its synchronous twin', () => {
  const source = [
    '# Written by hand; _sync.py is made of it.',
    'import asyncio',
    'from ._async_connection import AsyncControl',
    'class AsyncSandbox(AsyncControl):',
    '    async def __aexit__(self) -> None:',
    '        url = await asyncio.to_thread(launch, None)',
    '        await self._http.aclose()',
    '',
  ];
  expect(synchronous(source.join('\n'))).toBe(
    [
      '# Made of its asynchronous twin by scripts/generate.ts; edit that.',
      'from ._sync_connection import Control',
      'class Sandbox(Control):',
      '    def __exit__(self) -> None:',
      '        url = launch(None)',
      '        self._http.close()',
      '',
    ].join('\n'),
  );
});
