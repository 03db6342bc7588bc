/** The views of the panel, by their names in the address. */
export const tabs = [
  { id: 'now', title: 'Active' },
  { id: 'editor', title: 'Editor' },
  { id: 'library', title: 'Library' },
  { id: 'magic', title: 'Magic' },
] as const;

export type TabId = (typeof tabs)[number]['id'];

export function tabOf(name: string | undefined): TabId {
  return tabs.find(({ id }) => id === name)?.id ?? 'now';
}
