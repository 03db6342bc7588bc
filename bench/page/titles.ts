import { peers } from '../peers/registry.js';

/** A server as the tables name it; the name of the results where the registry no longer knows it. */
export function titleOf({ name, version }: { readonly name: string; readonly version: string }): string {
  const title = peers.find((peer) => peer.name === name)?.title ?? name;
  return version === '' ? title : `${title} ${version}`;
}
