/** What is mounted: /data keeps, /scenarios is read. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { same, type Check } from './check.js';
import { hardened, nextName, start, startAgain } from './container.js';
import { docker, must } from './docker.js';

const text = { to: '+12025550150', type: 'text', text: 'Kept?' };

export const data: Check = {
  that: 'a volume at /data keeps accounts when the process is killed and another container takes over',
  run: async (image) => {
    const volume = nextName();
    const flags = [...hardened, '-e', 'SANDBOX_DATA=/data', '-e', 'SANDBOX_FSYNC=always', '-v', `${volume}:/data`];
    try {
      const first = await start(image, flags);
      const sent = await first.call('/v1/messages', { key: 'shop', body: text });
      const { message_id: id } = JSON.parse(sent.text) as { message_id: string };
      await must(['kill', first.name]);
      const again = await startAgain(first);
      same('its status after a restart', (await again.call(`/v1/messages/${id}`, { key: 'shop' })).status, 200);
      await must(['kill', again.name]);
      await again.remove();
      const second = await start(image, flags);
      same('its status in another container', (await second.call(`/v1/messages/${id}`, { key: 'shop' })).status, 200);
      await second.remove();
    } finally {
      await docker(['volume', 'rm', '-f', volume]);
    }
    return 'a message survived';
  },
};

const scenario = `version: 1
name: from-the-mount
rules:
  - id: refused-by-the-mount
    when: message.send
    then: { respond: { status: 503 } }
`;

export const scenarios: Check = {
  that: 'scenarios mounted at /scenarios are found by name, the shipped ones beside them; a bad one ends the start',
  run: async (image) => {
    const folder = await mkdtemp(join(tmpdir(), 'image-scenarios-'));
    try {
      await chmod(folder, 0o755);
      await writeFile(join(folder, 'from-the-mount.yaml'), scenario);
      await writeFile(join(folder, 'broken.yaml'), 'version: 1\nrulez: []\n');
      const mounted = [...hardened, '-v', `${folder}:/scenarios:ro`];
      const container = await start(image, [...mounted, '-e', 'SANDBOX_SCENARIO=from-the-mount']);
      same('a send', (await container.call('/v1/messages', { key: 'a', body: text })).status, 503);
      const shipped = await container.call('/v1/messages', { key: 'a~happy-path', body: { ...text, to: '+1' } });
      same('a send under a shipped scenario', shipped.status, 400);
      await container.remove();
      const bad = await docker(['run', '--rm', ...mounted, '-e', 'SANDBOX_SCENARIO=broken', image]);
      same('the exit code with a broken one', bad.code, 2);
      const named = /broken\.yaml:2:1/.test(bad.stderr);
      same('its file and line in the message', named, true);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return '/scenarios';
  },
};
