/** A name and its value, in a list of such pairs. */
import type { ComponentChildren, ComponentProps } from 'preact';

export function Pair({ name, ...value }: ComponentProps<'dd'> & { readonly name: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd {...value} />
    </>
  );
}
