/** Makes the calls of the one account under test. */
const headers = { authorization: 'Bearer crash-test', 'content-type': 'application/json' };

/** The server has been killed: the connection was refused or closed. */
export class Gone extends Error {
  override readonly name = 'Gone';
}

/**
 * Repeats a call once if there was no response: a kept connection may close at the moment of its reuse.
 * @throws Gone if there was no response; Error for anything but 2xx
 */
export async function call<T>(url: string, method: string, path: string, body?: object): Promise<T> {
  const first = once<T>(url, method, path, body);
  return method === 'GET' ? first.catch((error: unknown) => again(error, () => once<T>(url, method, path))) : first;
}

function again<T>(error: unknown, ask: () => Promise<T>): Promise<T> {
  if (error instanceof Gone) return ask();
  throw error;
}

async function once<T>(url: string, method: string, path: string, body?: object): Promise<T> {
  let status: number;
  let text: string;
  try {
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    status = answer.status;
    text = await answer.text();
  } catch (error) {
    throw new Gone(`${method} ${path}: no answer`, { cause: error });
  }
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** Returns every item of a list, page by page. */
export async function all<T>(url: string, path: string): Promise<T[]> {
  const items: T[] = [];
  for (let after: number | null = 0; after !== null;) {
    const separator = path.includes('?') ? '&' : '?';
    const page: { items: T[]; next: number | null } = await call(
      url,
      'GET',
      `${path}${separator}limit=1000&after=${after}`,
    );
    items.push(...page.items);
    after = page.next;
  }
  return items;
}
