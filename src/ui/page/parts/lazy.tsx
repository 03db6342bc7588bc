/** A view whose code is loaded when it is first rendered, and again when the sandbox is back. */
import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { model } from '../core/index.js';
import { Button } from './button.js';
import { Empty, Loading } from './detail.js';

export function lazy<P extends object>(load: () => Promise<FunctionComponent<P>>): FunctionComponent<P> {
  const loaded = signal<FunctionComponent<P> | 'failed' | null>(null);
  return (props: P) => {
    const View = loaded.value;
    const { state } = model.value.stream.connection.value;
    useEffect(() => {
      if (View === null || View === 'failed')
        load().then(
          (view) => (loaded.value = view),
          () => (loaded.value = 'failed'),
        );
    }, [state]);
    if (View === null) return <Loading />;
    if (View !== 'failed') return <View {...props} />;
    return (
      <Empty title="This part of the page could not be loaded">
        <p>The sandbox is unreachable, or a different version is running now.</p>
        <Button onClick={() => location.reload()}>Reload page</Button>
      </Empty>
    );
  };
}
