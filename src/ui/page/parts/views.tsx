import type { ComponentChildren, FunctionComponent } from 'preact';
import { useRef } from 'preact/hooks';
import { here, type Route, wide } from '../core/index.js';
import type { Query } from './records.js';

export interface ListProps {
  readonly current: string | undefined;
  readonly query: Query;
}

export interface ItemProps {
  readonly id: string;
  readonly back: string;
  /** The parts after the id in the address. */
  readonly rest: readonly string[];
}

export interface ViewOfPlace {
  readonly title: string;
  /** In the address, after the place. The view of an address that names none is the first one. */
  readonly path: readonly string[];
  readonly list: FunctionComponent<ListProps>;
  readonly item: FunctionComponent<ItemProps>;
  readonly actions?: FunctionComponent<{ readonly query: Query }>;
}

interface Props {
  readonly label: string;
  readonly route: Route;
  readonly views: readonly [ViewOfPlace, ...ViewOfPlace[]];
}

export function Views({ label, route: { place, path, query }, views }: Props) {
  const view = views.find((each) => each.path[0] !== undefined && each.path[0] === path[0]) ?? views[0];
  const { list: List, item: Item, actions: Actions } = view;
  const [id, ...rest] = path.slice(view.path.length);
  const back = here(place, view.path, query);
  return (
    <Split
      list={
        <>
          <Tabs label={label} current={view.title} tabs={views.map(({ title, path: to }) => [title, here(place, to)])}>
            {Actions && <Actions query={query} />}
          </Tabs>
          <List current={id} query={query} />
        </>
      }
      item={id === undefined ? null : <Item key={id} id={id} back={back} rest={rest} />}
    />
  );
}

export function Split({ list, item }: { list: ComponentChildren; item: ComponentChildren }) {
  const listSide = useRef<HTMLDivElement>(null);
  const detailSide = useRef<HTMLDivElement>(null);
  const open = item !== null;
  return (
    <div class={`split${open && wide.value ? ' open' : ''}`}>
      <div
        class="list-side"
        ref={listSide}
        // It keeps its place while an item takes the whole screen.
        hidden={open && !wide.value}
        onClick={({ target }) => {
          // What is open already does not arrive.
          const link = target instanceof Element ? target.closest<HTMLAnchorElement>('.target') : null;
          if (link?.hash === location.hash) detailSide.current?.querySelector<HTMLElement>('h2')?.focus();
        }}
      >
        {list}
      </div>
      {open && (
        <div
          class="detail-side"
          ref={detailSide}
          onKeyDown={({ key, target }) => {
            if (key !== 'Escape' || (target instanceof Element && target.closest('dialog, [popover]'))) return;
            const current = listSide.current?.querySelector<HTMLElement>('.target[aria-current="true"]');
            if (current && wide.value) current.focus();
            else detailSide.current?.querySelector<HTMLElement>('.titles > a.icon-button')?.click();
          }}
        >
          {item}
        </div>
      )}
    </div>
  );
}

interface TabsProps {
  readonly label: string;
  readonly current: string;
  readonly tabs: readonly (readonly [title: string, href: string])[];
  readonly children?: ComponentChildren;
}

/** The views of a place, each with its own address, and next to them the actions of the place. */
export function Tabs({ label, tabs, current, children }: TabsProps) {
  return (
    <div class="row toolbar tabbed">
      <nav class="tabs grow" aria-label={label}>
        {tabs.map(([title, href]) => (
          <a key={title} href={href} aria-current={title === current ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      {children}
    </div>
  );
}
