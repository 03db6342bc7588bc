/**
 * Makes a screenshot small: at most 256 colours, written as a palette. Pages have few colours, so nobody sees it; only the
 * kind of PNG that browsers take is read (8 bits, RGB or RGBA, not interlaced).
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const mostColours = 256;

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** 0xRRGGBB, row by row. */
  readonly colours: Uint32Array;
}

/** @throws Error for a PNG of another kind */
export function smallPng(png: Buffer): Buffer {
  const { width, height, colours } = readPixels(png);
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = paletteOf(counts);
  const nearest = new Map<number, number>();
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const colour = colours[y * width + x] ?? 0;
      let index = nearest.get(colour);
      if (index === undefined) nearest.set(colour, (index = nearestOf(palette, colour)));
      lines[y * (width + 1) + 1 + x] = index;
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const table = Buffer.from(palette.flatMap((colour) => channels(colour)));
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('PLTE', table),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function readPixels(png: Buffer): Pixels {
  if (!png.subarray(0, 8).equals(signature)) throw new Error('This is no PNG.');
  const data: Buffer[] = [];
  let head = Buffer.alloc(13);
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const kind = png.toString('latin1', at + 4, at + 8);
    const content = png.subarray(at + 8, at + 8 + length);
    if (kind === 'IHDR') head = Buffer.from(content);
    else if (kind === 'IDAT') data.push(content);
    at += length + 12;
  }
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const [depth, type, , , interlaced] = head.subarray(8);
  if (depth !== 8 || (type !== 2 && type !== 6) || interlaced !== 0)
    throw new Error(`PNG of type ${type} with ${depth} bits; only 8-bit RGB and RGBA are read.`);
  const step = type === 6 ? 4 : 3;
  const raw = unfiltered(inflateSync(Buffer.concat(data)), width * step, height, step);
  const colours = new Uint32Array(width * height);
  for (let i = 0; i < colours.length; i += 1) colours[i] = raw.readUIntBE(i * step, 3);
  return { width, height, colours };
}

/** Takes back the five filters that PNG knows, line by line. */
function unfiltered(lines: Buffer, stride: number, height: number, step: number): Buffer {
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = lines[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const value = lines[y * (stride + 1) + 1 + x] ?? 0;
      const left = x >= step ? (out[y * stride + x - step] ?? 0) : 0;
      const above = y > 0 ? (out[(y - 1) * stride + x] ?? 0) : 0;
      const corner = x >= step && y > 0 ? (out[(y - 1) * stride + x - step] ?? 0) : 0;
      out[y * stride + x] = value + predicted(filter, left, above, corner);
    }
  }
  return out;
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const [a, b, c] = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

/** The commonest colours first, each some way from those before it: rare ones of a soft edge then find a near one. */
function paletteOf(counts: ReadonlyMap<number, number>): number[] {
  const byCount = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
  for (let apart = 0; ; apart += 40) {
    const palette: number[] = [];
    for (const colour of byCount) {
      if (palette.length > mostColours) break;
      if (apart === 0 || palette.every((each) => distance(each, colour) >= apart)) palette.push(colour);
    }
    if (palette.length <= mostColours) return palette;
  }
}

function nearestOf(palette: readonly number[], colour: number): number {
  let best = 0;
  for (let i = 1; i < palette.length; i += 1) {
    if (distance(palette[i] ?? 0, colour) < distance(palette[best] ?? 0, colour)) best = i;
  }
  return best;
}

function distance(one: number, other: number): number {
  const [r, g, b] = channels(one);
  const [r2, g2, b2] = channels(other);
  return (r - r2) ** 2 + (g - g2) ** 2 + (b - b2) ** 2;
}

function channels(colour: number): [number, number, number] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

function chunk(kind: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), content]);
  const out = Buffer.alloc(content.length + 12);
  out.writeUInt32BE(content.length, 0);
  out.set(body, 4);
  out.writeUInt32BE(crc32(body), content.length + 8);
  return out;
}
