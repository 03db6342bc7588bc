/**
 * A view whose code is loaded when it is first rendered. If the sandbox is unreachable then, loading starts when it is
 * back.
 */
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { model } from '../core/index.js';
import { Button } from './button.js';
import { EmptyState, Loading } from './empty-state.js';

export function lazyView<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const loaded = signal<ComponentType<P> | null>(null);
  const failed = signal(false);
  const begin = () => {
    failed.value = false;
    load().then(
      (view) => {
        loaded.value = view;
      },
      () => {
        failed.value = true;
      },
    );
  };
  return function LazyView(props: P) {
    const View = loaded.value;
    const { state } = model.value.stream.connection.value;
    useEffect(() => {
      if (loaded.peek() === null) begin();
    }, [state]);
    if (View) return <View {...props} />;
    if (!failed.value) return <Loading />;
    return (
      <EmptyState icon="alert" title="This part of the page could not be loaded">
        <p>The sandbox is unreachable, or a different version is running now.</p>
        <Button onClick={() => location.reload()}>Reload page</Button>
      </EmptyState>
    );
  };
}
