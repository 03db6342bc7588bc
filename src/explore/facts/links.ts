/** Records of a state that name the record of a customer by its id, instead of the customer. */

interface Field {
  readonly names: readonly string[];
  readonly value: unknown;
}

/** Such as `id`, `jobId` and `order_no`. */
const ID_NAME = /^(?:id|no|number|key|ref)$|(?:_(?:id|no|number|key|ref)|Id)$/;
/** Shorter texts are equal by chance. */
const shortestText = 2;

const recordOf = ({ names }: Field): string => JSON.stringify(names.slice(0, -1));

/** Numbers of several tables are equal, so they count only in their table. */
function idIn(table: string, value: unknown): string | null {
  if (typeof value === 'number') return `${table.slice(0, 3)} ${value}`;
  return typeof value === 'string' && value.length >= shortestText && !value.startsWith('<') ? value : null;
}

/**
 * Returns, by its key, the customer whose record a record names: by a text that is the other's id, or by a number under a name such as
 * `job_id` that is the id of an entry of `jobs`.
 * @param shownIn the customers that a value shows
 */
export function linksIn(
  all: readonly Field[],
  shownIn: (value: unknown) => readonly string[],
): ReadonlyMap<string, string> {
  const customers = new Map<string, readonly string[]>();
  for (const leaf of all) {
    const key = recordOf(leaf);
    customers.set(key, [...new Set([...(customers.get(key) ?? []), ...shownIn(leaf.value)])]);
  }
  /** Null for an id of two customers. */
  const owners = new Map<string, string | null>();
  for (const leaf of all) {
    const [own, ...others] = customers.get(recordOf(leaf)) ?? [];
    const table = leaf.names.slice(0, -1).findLast((name) => !/^\d+$/.test(name)) ?? '';
    const id = ID_NAME.test(leaf.names.at(-1) ?? '') ? idIn(table, leaf.value) : null;
    if (own === undefined || others.length > 0 || id === null) continue;
    owners.set(id, owners.has(id) && owners.get(id) !== own ? null : own);
  }
  // Where others have a number, such a record says that it is of none of them.
  const fields = new Set(all.flatMap(({ names, value }) => (shownIn(value).length > 0 ? [names.at(-1)] : [])));
  const none = new Set(
    all.flatMap((leaf) => (leaf.value === null && fields.has(leaf.names.at(-1)) ? [recordOf(leaf)] : [])),
  );
  const links = new Map<string, string>();
  for (const leaf of all) {
    const name = leaf.names.at(-1) ?? '';
    // Other numbers count something.
    const isId = typeof leaf.value !== 'number' || ID_NAME.test(name);
    const own = isId ? owners.get(idIn(name, leaf.value) ?? '') : null;
    const key = recordOf(leaf);
    if (own && customers.get(key)?.length === 0 && !none.has(key)) links.set(key, own);
  }
  return links;
}
