/**
 * The address: `#/KEY/PLACE/rest/of/path?name=value`. It contains everything that the user selected, so a link or a
 * reload shows the same view.
 */
export interface Route {
  /** The account's API key; null: not chosen yet. */
  readonly key: string | null;
  readonly place: string;
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

export type Query = Readonly<Record<string, string | number | null | undefined>>;

/** Parses the fragment of an address. A part with an invalid encoding is used unchanged. */
export function parseRoute(hash: string): Route {
  const [before = '', search = ''] = hash.replace(/^#/, '').split('?', 2);
  const [key, place = '', ...path] = before.replace(/^\//, '').split('/').map(decoded);
  return {
    key: key === undefined || key === '' ? null : key,
    place,
    path: path.filter((part) => part !== ''),
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

/** Query entries that are null, undefined or empty are omitted. */
export function hrefOf(key: string, place: string, path: readonly string[] = [], query: Query = {}): string {
  const parts = [key, place, ...path].map(encoded).join('/');
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const search = new URLSearchParams(given).toString();
  return `#/${parts}${search === '' ? '' : `?${search}`}`;
}

// In a path, a plus needs no encoding, and phone numbers are easier to read with it.
function encoded(part: string): string {
  return encodeURIComponent(part).replaceAll('%2B', '+');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
