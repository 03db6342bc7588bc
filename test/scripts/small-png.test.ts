/** Pictures of the page are made small without anybody seeing it. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { smallPng } from '../../scripts/screenshots/small-png.js';

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

function chunk(kind: string, content: Buffer): Buffer {
  const ends = Buffer.alloc(4);
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  ends.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, ends]);
}

interface Picture {
  readonly width: number;
  readonly height: number;
  /** 2 is RGB, 6 RGBA. */
  readonly type: 2 | 6;
  readonly depth?: number;
  /** Of a line, by its number; 0 unless told. */
  readonly filter?: (y: number) => number;
  readonly colour: (x: number, y: number) => number;
}

/** A PNG as a browser writes it. Filters 1 and 2 are applied here, 3 and 4 have a test of their own. */
function pngOf({ width, height, type, depth = 8, filter = () => 0, colour }: Picture): Buffer {
  const step = type === 6 ? 4 : 3;
  const at = (x: number, y: number, channel: number) =>
    x < 0 || y < 0 ? 0 : channel === 3 ? 255 : (colour(x, y) >> (16 - 8 * channel)) & 255;
  const lines: number[] = [];
  for (let y = 0; y < height; y += 1) {
    const kind = filter(y);
    lines.push(kind);
    for (let i = 0; i < width * step; i += 1) {
      const [x, channel] = [Math.floor(i / step), i % step];
      const before = kind === 1 ? at(x - 1, y, channel) : kind === 2 ? at(x, y - 1, channel) : 0;
      lines.push((at(x, y, channel) - before) & 255);
    }
  }
  return fileOf(width, height, [depth, type, 0, 0, 0], Buffer.from(lines));
}

function fileOf(width: number, height: number, kind: readonly number[], lines: Buffer): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set(kind, 8);
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(lines)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...parts]);
}

/** The colours of a picture with a palette, row by row. */
function coloursOf(png: Buffer): number[][] {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    const content = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    chunks.set(png.toString('latin1', at + 4, at + 8), content);
    expect(png.readUInt32BE(at + 8 + content.length)).toBe(crc32(png.subarray(at + 4, at + 8 + content.length)));
  }
  const [head, palette, data] = ['IHDR', 'PLTE', 'IDAT'].map((kind) => chunks.get(kind)!);
  expect([...head!.subarray(8)]).toStrictEqual([8, 3, 0, 0, 0]);
  const [width, height] = [head!.readUInt32BE(0), head!.readUInt32BE(4)];
  const lines = inflateSync(data!);
  return Array.from({ length: height }, (_row, y) =>
    Array.from({ length: width }, (_cell, x) => palette!.readUIntBE(lines[y * (width + 1) + 1 + x]! * 3, 3)),
  );
}

const table = (width: number, height: number, colour: (x: number, y: number) => number) =>
  Array.from({ length: height }, (_row, y) => Array.from({ length: width }, (_cell, x) => colour(x, y)));

describe('a picture of few colours', () => {
  const colour = (x: number, y: number) => [0xffffff, 0x102030, 0xff0000, 0x00ff00][(x * 3 + y) % 4]!;

  it.each([2, 6] as const)('keeps each of its pixels, of type %i', (type) => {
    const small = smallPng(pngOf({ width: 9, height: 5, type, colour }));
    expect(coloursOf(small)).toStrictEqual(table(9, 5, colour));
  });

  it('keeps them through the filters of a browser', () => {
    const small = smallPng(pngOf({ width: 9, height: 6, type: 6, filter: (y) => y % 3, colour }));
    expect(coloursOf(small)).toStrictEqual(table(9, 6, colour));
  });

  it('keeps them through the filters that look at two and at three neighbours', () => {
    // By hand: what each byte adds to half the sum of left and above, and to the neighbour that lies nearest.
    const lines = Buffer.from([0, 10, 20, 30, 40, 50, 60, 3, 5, 5, 5, 0, 0, 0, 4, 1, 1, 1, 2, 2, 2]);
    const small = smallPng(fileOf(2, 3, [8, 2, 0, 0, 0], lines));
    expect(coloursOf(small)).toStrictEqual([
      [0x0a141e, 0x28323c],
      [0x0a0f14, 0x192028],
      [0x0b1015, 0x1b222a],
    ]);
  });
});

it('gives a picture of many colours the nearest of 256', () => {
  const colour = (x: number, y: number) => (x < 20 ? 0xffffff : (x << 16) | (y << 8) | ((x * y) & 255));
  const png = pngOf({ width: 60, height: 40, type: 2, colour });
  const small = smallPng(png);
  const rows = coloursOf(small);
  expect(new Set(rows.flat()).size).toBeLessThanOrEqual(256);
  expect(new Set(table(60, 40, colour).flat()).size).toBeGreaterThan(1_000);
  const farthest = rows.flatMap((row, y) =>
    row.map((found, x) => {
      const wanted = colour(x, y);
      return Math.max(...[16, 8, 0].map((bits) => Math.abs(((found >> bits) & 255) - ((wanted >> bits) & 255))));
    }),
  );
  expect(rows.every((row) => row.slice(0, 20).every((found) => found === 0xffffff))).toBe(true);
  expect(Math.max(...farthest)).toBeLessThan(48);
});

it.each([
  ['what is no PNG', Buffer.from('GIF89a and more'), 'This is no PNG.'],
  ['another depth', pngOf({ width: 1, height: 1, type: 2, depth: 16, colour: () => 0 }), 'with 16 bits'],
  ['a palette', fileOf(1, 1, [8, 3, 0, 0, 0], Buffer.from([0, 0])), 'PNG of type 3'],
  ['interlacing', fileOf(1, 1, [8, 2, 0, 0, 1], Buffer.from([0, 0, 0, 0])), 'only 8-bit RGB and RGBA are read'],
])('refuses %s', (_what, png, message) => {
  expect(() => smallPng(png)).toThrow(message);
});
