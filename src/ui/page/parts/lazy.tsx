/** A view whose code is loaded when it is first rendered, and again when the sandbox is back. */
import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { model } from '../core/index.js';
import { Button } from './button.js';
import { Empty, Loading } from './detail.js';

export function lazy<P extends object>(load: () => Promise<FunctionComponent<P>>): FunctionComponent<P> {
  const loaded = signal<FunctionComponent<P> | null>(null);
  const failed = signal(false);
  return function Lazy(props: P) {
    const View = loaded.value;
    const { state } = model.value.stream.connection.value;
    useEffect(() => {
      if (loaded.peek() !== null) return;
      failed.value = false;
      load().then(
        (view) => (loaded.value = view),
        () => (failed.value = true),
      );
    }, [state]);
    if (View) return <View {...props} />;
    if (!failed.value) return <Loading />;
    return (
      <Empty title="This part of the page could not be loaded">
        <p>The sandbox is unreachable, or a different version is running now.</p>
        <Button onClick={() => location.reload()}>Reload page</Button>
      </Empty>
    );
  };
}
