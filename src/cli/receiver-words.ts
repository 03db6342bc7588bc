import { lookup } from 'node:dns/promises';
import { within } from '../time/system-clock.js';

const HOST = 'host.docker.internal';
/** Machine milliseconds. The container's own files usually have the name. */
const LOOK_UP_WITHIN_MS = 1_000;

const found = async (name: string): Promise<boolean> => {
  const looked = lookup(name).then(
    () => true,
    () => false,
  );
  return (await within(LOOK_UP_WITHIN_MS, looked)) === true;
};

/** In the image, `localhost` is the container, so the URL has the name of the machine, if the container knows it. */
export async function receiverWords(
  env: Readonly<Record<string, string | undefined>>,
  resolves: (name: string) => Promise<boolean> = found,
): Promise<[url: string, note: string]> {
  const plain = 'an https URL reaches a local plain-HTTP server too';
  if (env['MESSAGING_SANDBOX_IMAGE'] !== '1') return ['https://localhost:3000/hook', plain];
  if (await resolves(HOST)) return [`https://${HOST}:3000/hook`, plain];
  const further = `for one on the host, start the container with --add-host=${HOST}:host-gateway`;
  return ['https://localhost:3000/hook', `a receiver in this container; ${further}`];
}
