/** The part of users' calls and of the states they read that a play and its verdict need, without the schemas. */

/** Default: any status below 400 fits. */
export function fitsStatus(
  { status: wanted }: { readonly status?: string | readonly string[] | undefined },
  status: number,
): boolean {
  if (wanted === undefined) return status < 400;
  return [wanted].flat().some((one) => new RegExp(`^${one.replaceAll('x', String.raw`\d`)}$`).test(String(status)));
}

export const methodOf = ({ method, body }: { readonly method?: string | undefined; readonly body?: unknown }): string =>
  method ?? (body === undefined ? 'GET' : 'POST');

/** True for a call that brings no data and whose response is not used: it only starts work, as a timer does. */
export const startsWork = ({ body, save }: { readonly body?: unknown; readonly save?: unknown }): boolean =>
  body === undefined && save === undefined;

export const NOW = 'now';

/** `${name}` in a step: a saved value, the time, or the latest code of a number. */
const PLACEHOLDER = /\$\{([^{}]+)\}/g;

/** `phone` is the number of a code. */
export function placeholdersIn(
  text: string,
): { readonly whole: string; readonly name: string; readonly phone?: string }[] {
  return [...text.matchAll(PLACEHOLDER)].map(([whole, name = '']) => {
    const phone = /^code (\+\d+)$/.exec(name)?.[1];
    return { whole, name, ...(phone !== undefined && { phone }) };
  });
}

/** A value in the last line of output of a command that has ended. */
export const isOfCommand = (path: string): boolean => /^stdout(?:#|$)/.test(path);

/** A command reports its state as a JSON object on the last line; null for other output. */
export function stateIn(output: string): unknown {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  try {
    return line.startsWith('{') ? (JSON.parse(line) as unknown) : null;
  } catch {
    return null;
  }
}
