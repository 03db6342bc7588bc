/** WebSocket frames that violate the protocol, at `/_sandbox/live`: the socket is closed with the reason. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newWorld } from '../support/client.js';
import { useCheckedSandbox } from '../support/sandbox.js';
import { cases, fuzzSeed } from '../support/property.js';
import { Line, useServerSockets } from './support/sockets.js';

const { sandbox } = useCheckedSandbox();
useServerSockets(sandbox);

async function live(query = ''): Promise<Line> {
  const line = await Line.open(sandbox.url);
  line.write(
    [
      `GET /_sandbox/live?key=frames${query} HTTP/1.1`,
      'Host: localhost',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      '',
      '',
    ].join('\r\n'),
  );
  await line.until(({ text }) => text.includes('\r\n\r\n'));
  expect(line.statuses).toEqual([101]);
  return line;
}

interface Frame {
  readonly first: number;
  readonly payload?: Buffer;
  readonly masked?: boolean;
  /** The length in the frame, if it is wrong. */
  readonly says?: bigint;
}

function bytesOf({ first, payload = Buffer.alloc(0), masked = true, says }: Frame): Buffer {
  const length = says ?? BigInt(payload.length);
  const size = Buffer.alloc(length < 126n ? 1 : length < 65_536n ? 3 : 9);
  if (length < 126n) size[0] = Number(length);
  else if (length < 65_536n) size.writeUInt16BE(Number(length), 1);
  else size.writeBigUInt64BE(length, 1);
  if (length >= 126n) size[0] = length < 65_536n ? 126 : 127;
  size[0] = (size[0] ?? 0) | (masked ? 0x80 : 0);
  // A mask of zeros leaves the payload unchanged.
  return Buffer.concat([Buffer.from([first]), size, Buffer.alloc(masked ? 4 : 0), payload]);
}

/** Returns the code of the last close frame. */
function closeCode(line: Line): number | null {
  const at = line.received.lastIndexOf(0x88);
  return at < 0 || line.received.length < at + 4 ? null : line.received.readUInt16BE(at + 2);
}

const text = Buffer.from('{}');

describe('a frame that breaks the protocol', () => {
  it.each<[string, number, Frame[]]>([
    ['without a mask', 1002, [{ first: 0x81, payload: text, masked: false }]],
    ['of a kind that is reserved', 1002, [{ first: 0x83, payload: text }]],
    ['with a reserved bit', 1002, [{ first: 0xc1, payload: text }]],
    ['that goes on with nothing', 1002, [{ first: 0x80, payload: text }]],
    [
      'that begins before the one before ended',
      1002,
      [
        { first: 0x01, payload: text },
        { first: 0x81, payload: text },
      ],
    ],
    ['that is a ping in parts', 1002, [{ first: 0x09 }]],
    ['that is a ping of 126 bytes', 1002, [{ first: 0x89, payload: Buffer.alloc(126) }]],
    ['of text that is no UTF-8', 1007, [{ first: 0x81, payload: Buffer.from([0xff, 0xfe]) }]],
    ['that says it is endless', 1009, [{ first: 0x81, payload: text, says: 2n ** 62n }]],
    ['that says it is 2 MB', 1009, [{ first: 0x81, payload: text, says: 2n ** 21n }]],
    [
      'whose parts add up to 2 MB',
      1009,
      Array.from({ length: 33 }, (_, i) => ({ first: i === 0 ? 0x01 : 0x00, payload: Buffer.alloc(65_535, 'x') })),
    ],
    ['that closes with half a code', 1002, [{ first: 0x88, payload: Buffer.from([3]) }]],
    ['that closes with a code that is none', 1002, [{ first: 0x88, payload: Buffer.from([0, 1]) }]],
  ])('(%s) ends the socket with %d', async (_what, code, frames) => {
    for (const query of ['', '&tunnel=1']) {
      const line = await live(query);
      for (const frame of frames) line.write(bytesOf(frame));
      await line.until((seen) => closeCode(seen) === code);
      line.destroy();
      await line.closed();
    }
    expect(await newWorld(sandbox).get('/v1/templates')).toEqual({ templates: [] });
  });
});

describe('frames by chance', () => {
  const payload = fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    fc.json({ maxDepth: 2 }).map((json) => Buffer.from(json)),
    fc
      .record(
        { id: fc.string(), status: fc.oneof(fc.integer(), fc.string()), headers: fc.jsonValue(), body: fc.jsonValue() },
        { requiredKeys: [] },
      )
      .map((frame) => Buffer.from(JSON.stringify(frame))),
    fc.constant(Buffer.from(`{"id":${'['.repeat(5000)}`)),
  );
  const frame = fc.oneof(
    { weight: 3, arbitrary: payload.map((bytes) => bytesOf({ first: 0x81, payload: bytes })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.nat({ max: 255 }), payload, fc.boolean())
        .map(([first, bytes, masked]) => bytesOf({ first, payload: bytes, masked })),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)) },
  );

  it('end the socket at worst', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { maxLength: 8 }), fc.constantFrom('', '&tunnel=1'), async (frames, query) => {
        const line = await live(query);
        for (const bytes of frames) line.write(bytes);
        line.finish();
        await line.closed();
        expect(sandbox.accounts.size).toBeGreaterThan(0);
      }),
      { seed: fuzzSeed, numRuns: cases(200) },
    );
    expect(await newWorld(sandbox).get('/v1/templates')).toEqual({ templates: [] });
  }, 120_000);
});
