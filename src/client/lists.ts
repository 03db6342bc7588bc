import { withQuery, type Connection, type Query } from './connection.js';

interface Page<Item> {
  readonly items: Item[];
  readonly next: number | null;
}

const largestPage = 1000;

/**
 * The entries of a list, oldest first unless `order` says otherwise: all of them, however many pages that takes, or at
 * most `limit`.
 */
export async function listAll<Item>(connection: Connection, path: string, filter: Query = {}): Promise<Item[]> {
  if (filter['limit'] !== undefined) return (await connection.call<Page<Item>>('GET', withQuery(path, filter))).items;
  const cursor = filter['order'] === 'desc' ? 'before' : 'after';
  const items: Item[] = [];
  for (let query: Query = { ...filter, limit: largestPage }; ;) {
    const page = await connection.call<Page<Item>>('GET', withQuery(path, query));
    items.push(...page.items);
    if (page.next === null) return items;
    query = { ...query, [cursor]: page.next };
  }
}
