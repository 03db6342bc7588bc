/** Customers given by `count`: `{ count: 100 }` becomes a hundred customers, with numbers reserved for fiction. */
import { magicFor } from '../engine/magic-numbers.js';
import type { GivenCustomer, LoadedCustomer } from '../language/scenario.js';

/** Area codes. Each has a hundred numbers reserved for fiction. */
const AREAS =
  '202 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 224 225 228 229 231 234 239 240 248 251 252 253 254 256 260 262 267 269 270 276 281 301 302 303 304 305 307 308 309 310 312 313 314 315 316 317 318 319 320 321 323 325 330 334'.split(
    ' ',
  );

/** The fictional numbers that are not magic numbers. */
export const MOST_CUSTOMERS = 4_000;

/** `+1202555…`: the numbers of an area code. */
export const NUMBER_RANGE = /^\+1([2-9]\d\d)(?:555(?:01)?)?(?:…|\.{3}|\*)$/;

/** The first of several numbers. */
export const RANGE_START = /^\+1[2-9]\d\d55501\d\d$/;

/** @param taken numbers of customers without `count` */
export function expandCustomers(customers: readonly GivenCustomer[], taken: ReadonlySet<string>): LoadedCustomer[] {
  const used = new Set(taken);
  return customers.flatMap(({ count, phone, ...rest }) => {
    if (count === undefined) return phone === undefined ? [] : [{ phone, ...rest }];
    const many: LoadedCustomer[] = [];
    for (const number of numbersFrom(phone)) {
      if (many.length === count) break;
      if (used.has(number) || magicFor(number) !== null) continue;
      used.add(number);
      many.push({ phone: number, ...rest });
    }
    return many;
  });
}

function* numbersFrom(phone: string | undefined): Iterable<string> {
  const [, area = '202'] = (phone === undefined ? null : (NUMBER_RANGE.exec(phone) ?? /^\+1(\d{3})/.exec(phone))) ?? [];
  const first = /^\+1\d{3}55501(\d\d)$/.exec(phone ?? '')?.[1] ?? '00';
  const others = [...AREAS.slice(AREAS.indexOf(area) + 1), ...AREAS.slice(0, Math.max(0, AREAS.indexOf(area)))];
  for (const code of [area, ...others.filter((one) => one !== area)]) {
    for (let last = code === area ? Number(first) : 0; last < 100; last += 1) {
      yield `+1${code}55501${String(last).padStart(2, '0')}`;
    }
  }
}
