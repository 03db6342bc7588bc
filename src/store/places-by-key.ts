/** Up to so many keys a plain map does it, and faster: it is full for the last time when a copy takes a few milliseconds. */
export const fewKeys = 8192;
const shardCount = 256;
const shardBits = 8;
const smallestShard = 64;
/** Of a key that is longer, the end: ids differ there. */
const hashedChars = 64;

/**
 * Which place belongs to a key. A plain map of many keys is copied into a larger one each time when it is full, in one go: a
 * third of a second at a million, for which nobody is served. From some thousand keys on this is many small hash tables, of
 * numbers alone: growing is little work at a time, the keys stand nowhere twice, and the collector of garbage has nothing
 * to visit.
 */
export class PlacesByKey {
  #few: Map<string, number> | null = new Map();
  #shards: readonly Shard[] = [];
  readonly #keyAt: (place: number) => string | undefined;

  /** @param keyAt the key whose place it is */
  constructor(keyAt: (place: number) => string | undefined) {
    this.#keyAt = keyAt;
  }

  get(key: string): number | undefined {
    if (this.#few !== null) return this.#few.get(key);
    const hash = hashOf(key);
    const shard = this.#shardOf(hash);
    const slot = shard.find(hash, key, this.#keyAt);
    return slot === none ? undefined : shard.placeIn(slot);
  }

  /** Gives the key its place; false when it has one already. */
  add(key: string, place: number): boolean {
    if (this.#few === null) {
      const hash = hashOf(key);
      const shard = this.#shardOf(hash);
      if (shard.find(hash, key, this.#keyAt) !== none) return false;
      shard.add(hash, place);
      return true;
    }
    if (this.#few.has(key)) return false;
    this.#few.set(key, place);
    if (this.#few.size > fewKeys) this.#divide(this.#few);
    return true;
  }

  /** Takes the place of a key from it, while the key can still be told of the place. */
  take(key: string): number | undefined {
    if (this.#few !== null) {
      const place = this.#few.get(key);
      if (place !== undefined) this.#few.delete(key);
      return place;
    }
    const hash = hashOf(key);
    const shard = this.#shardOf(hash);
    const slot = shard.find(hash, key, this.#keyAt);
    if (slot === none) return undefined;
    const place = shard.placeIn(slot);
    shard.empty(slot);
    return place;
  }

  #divide(few: ReadonlyMap<string, number>): void {
    this.#few = null;
    this.#shards = Array.from({ length: shardCount }, () => new Shard());
    for (const [key, place] of few) {
      const hash = hashOf(key);
      this.#shardOf(hash).add(hash, place);
    }
  }

  #shardOf(hash: number): Shard {
    return this.#shards[hash & (shardCount - 1)] as Shard;
  }
}

const none = -1;

/** A hash table with open addressing: what finds its slot taken takes the next one that is free. */
class Shard {
  #hashes = new Uint32Array(smallestShard);
  /** One more than the place, so that 0 is a free slot. */
  #places = new Float64Array(smallestShard);
  #count = 0;

  placeIn(slot: number): number {
    return (this.#places[slot] as number) - 1;
  }

  find(hash: number, key: string, keyAt: (place: number) => string | undefined): number {
    const hashes = this.#hashes;
    const places = this.#places;
    const mask = hashes.length - 1;
    for (let slot = (hash >>> shardBits) & mask; ; slot = (slot + 1) & mask) {
      const place = places[slot] as number;
      if (place === 0) return none;
      if (hashes[slot] === hash && keyAt(place - 1) === key) return slot;
    }
  }

  add(hash: number, place: number): void {
    if (this.#count * 4 >= this.#hashes.length * 3) this.#grow();
    this.#put(hash, place + 1);
    this.#count += 1;
  }

  /** What stands behind the slot because it was taken moves up, so that nobody who looks stops too early. */
  empty(slot: number): void {
    const hashes = this.#hashes;
    const places = this.#places;
    const mask = hashes.length - 1;
    let free = slot;
    for (let next = (slot + 1) & mask; places[next] !== 0; next = (next + 1) & mask) {
      const home = ((hashes[next] as number) >>> shardBits) & mask;
      if (((next - home) & mask) < ((next - free) & mask)) continue;
      hashes[free] = hashes[next] as number;
      places[free] = places[next] as number;
      free = next;
    }
    places[free] = 0;
    this.#count -= 1;
  }

  #put(hash: number, stored: number): void {
    const mask = this.#hashes.length - 1;
    let slot = (hash >>> shardBits) & mask;
    while (this.#places[slot] !== 0) slot = (slot + 1) & mask;
    this.#hashes[slot] = hash;
    this.#places[slot] = stored;
  }

  #grow(): void {
    const [hashes, places] = [this.#hashes, this.#places];
    this.#hashes = new Uint32Array(2 * hashes.length);
    this.#places = new Float64Array(2 * hashes.length);
    for (let slot = 0; slot < hashes.length; slot += 1) {
      const stored = places[slot] as number;
      if (stored !== 0) this.#put(hashes[slot] as number, stored);
    }
  }
}

function hashOf(key: string): number {
  const { length } = key;
  let hash = length;
  for (let at = Math.max(0, length - hashedChars); at < length; at += 1) {
    hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0;
  }
  // Numbers one after the other are neighbours until here.
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
