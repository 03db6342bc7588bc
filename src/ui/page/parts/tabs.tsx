/** Views of the same subject, each with its own address; a tab is a link. */
interface Props {
  readonly label: string;
  readonly tabs: readonly {
    readonly id: string;
    readonly title: string;
    readonly href: string;
    readonly count?: number;
  }[];
  readonly current: string;
}

export function Tabs({ label, tabs, current }: Props) {
  return (
    <nav class="tabs flex gap-25 ruled" aria-label={label}>
      {tabs.map(({ id, title, href, count }) => (
        <a key={id} href={href} aria-current={id === current ? 'page' : undefined}>
          {title}
          {count !== undefined && <span class="tab-count tiny-text">{count}</span>}
        </a>
      ))}
    </nav>
  );
}
