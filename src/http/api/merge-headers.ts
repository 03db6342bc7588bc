/** Headers as two sides want them, under one name each: HTTP does not tell `retry-after` from `Retry-After`. */
export type Headers = Readonly<Record<string, string>>;

/** What is sent anyway, unless a rule says it otherwise. */
const sentAnyway = ['Content-Type'];

/** @returns `base`, with what `over` says in place of what it said, in whatever case */
export function overlaid(base: Headers, over: Headers): Headers {
  const names = new Map([...sentAnyway, ...Object.keys(base)].map((name) => [name.toLowerCase(), name]));
  const headers = { ...base };
  for (const [name, value] of Object.entries(over)) headers[names.get(name.toLowerCase()) ?? name] = value;
  return headers;
}
