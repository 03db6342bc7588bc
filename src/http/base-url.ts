/** Returns the next step if a path shows that the base URL of the application ends in `/v1` or with a slash; or nothing. */
export function baseUrlHint(path: string): string {
  const base = 'The base URL of the application is the address of the sandbox alone, such as http://127.0.0.1:4242';
  if (/^\/+v1\/+v1(?:[/?]|$)/.test(path))
    return ` ${base}: leave out the /v1 at its end, because each path begins with /v1.`;
  return /^[^?]*\/\//.test(path)
    ? ` ${base}: leave out the slash at its end, because each path begins with a slash.`
    : '';
}
