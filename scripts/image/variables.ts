/** Every setting by its variable, in the image as it is. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holds, same, type Check } from './check.js';
import { hardened, start } from './container.js';
import { refusedSettings } from './refused-settings.js';

export const refusals: Check = {
  that: 'every setting is read from its variable: a bad value is refused by name',
  run: async (image) => {
    const container = await start(image, hardened);
    const settings = refusedSettings();
    for (const [variable, value] of settings) {
      const line = `${variable}='${value}' exec node /app/dist/cli/main.js start --log-level info`;
      // A port of its own, unless the port is what is tried: the container's is taken.
      const { code, stderr } = await container.exec(
        'sh',
        '-c',
        variable === 'SANDBOX_PORT' ? line : `${line} --port 0`,
      );
      const told = stderr.includes(variable) || stderr.includes(value);
      holds(code !== 0 && told, `${variable}=${value} ended with ${code}: ${stderr.slice(0, 200)}`);
    }
    await container.remove();
    return `${settings.length} variables`;
  },
};

export const effects: Check = {
  that: 'what variables ask for is done',
  run: async (image) => {
    const folder = await mkdtemp(join(tmpdir(), 'image-dialect-'));
    try {
      await chmod(folder, 0o755);
      await writeFile(join(folder, 'dialect.yaml'), 'http:\n  created: 201\n');
      const variables = {
        SANDBOX_PORT: '8080',
        SANDBOX_CLOCK: 'frozen:2026-03-01T09:00:00Z',
        SANDBOX_RANDOM_SEED: 'other',
        SANDBOX_API_KEYS: 'shop',
        SANDBOX_CONTROL_TOKEN: 'secret',
        SANDBOX_DIALECT: '/etc/sandbox/dialect.yaml',
        SANDBOX_LOG_FORMAT: 'json',
        SANDBOX_ALLOWED_HOSTS: 'sandbox.example.com',
      };
      const flags = Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
      const mount = ['-v', `${folder}:/etc/sandbox:ro`, '-p', '127.0.0.1::8080'];
      const [usual, told] = [await start(image, hardened), await start(image, [...hardened, ...mount, ...flags], 8080)];
      const template = { name: 'code', category: 'authentication', language: 'en' };
      const submit = (container: typeof usual, key: string, host?: string) =>
        container.call('/v1/templates', { key, body: template, ...(host !== undefined && { host }) });
      const [before, after] = [await submit(usual, 'shop'), await submit(told, 'shop', 'sandbox.example.com')];
      same('status by the dialect', [before.status, after.status], [200, 201]);
      holds(before.text !== after.text, 'another seed gave the same id');
      same('a key that is not listed', (await submit(told, 'other')).status, 401);
      same('a host that is not allowed', (await submit(told, 'shop', 'other.example.com')).status, 403);
      same('the control plane without its token', (await told.call('/_sandbox/clock')).status, 401);
      const listed = await told.call('/v1/templates', { key: 'shop' });
      holds(listed.text.includes('"2026-03-01T09:00:00.000Z"'), `no frozen clock: ${listed.text}`);
      const lines = (await told.logs()).split('\n').filter((line) => line.startsWith('{'));
      for (const line of lines) JSON.parse(line);
      await usual.remove();
      await told.remove();
      return `${Object.keys(variables).length} variables`;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
