import { hostNameOf } from '../domain/host-name.js';

/** The host of the built-in receiver (contract §4, §6d); it exists in no DNS. */
export const SINK_HOST = 'sink.sandbox';

export interface SinkAddress {
  /** Which sink: the first segment of the path. */
  readonly name: string;
  /** What follows the name, query included; `/` when nothing does. */
  readonly path: string;
}

/** Letters that need no escaping in a URL, so that a sink is called the same in the URL and in the control plane. */
const NAME = /^[A-Za-z0-9._~-]{1,128}$/;

/**
 * The sink that a URL names: `https://sink.sandbox/NAME/more?x=1`.
 * @returns `elsewhere` when the URL points to another host, `unnamed` when it has no usable name.
 */
export function sinkAddressOf(url: URL): SinkAddress | 'elsewhere' | 'unnamed' {
  if (hostNameOf(url) !== SINK_HOST) return 'elsewhere';
  const [, name = '', ...rest] = url.pathname.split('/');
  if (!NAME.test(name)) return 'unnamed';
  return { name, path: `/${rest.join('/')}${url.search}` };
}
