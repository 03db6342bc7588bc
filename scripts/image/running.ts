/** The container at work, as a strict cluster runs it. */
import { availableParallelism, loadavg } from 'node:os';
import { machineTime } from '../../src/time/system-clock.js';
import { holds, same, type Check } from './check.js';
import { healthLine } from './configuration.js';
import { hardened, nextName, start, until } from './container.js';
import { docker, must } from './docker.js';

const readyWithinMs = 1_000;
/** What a machine with more to do than processors says about a start is little; that it is not stuck, at most. */
const busyWithinMs = 5_000;

export const startsFast: Check = {
  that: `it is ready within ${readyWithinMs} ms (the best of three starts)`,
  run: async (image) => {
    const times: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const container = await start(image, hardened);
      times.push(Math.round(container.readyMs));
      await container.remove();
    }
    const busy = (loadavg()[0] ?? 0) > availableParallelism();
    const found = `${times.join(', ')} ms${busy ? ` on a busy machine, so ${busyWithinMs} ms were allowed` : ''}`;
    holds(Math.min(...times) < (busy ? busyWithinMs : readyWithinMs), found);
    return found;
  },
};

/** Of /proc/1 and of the process that serves: nothing of root is left, and no way to get it back. */
export const unprivileged: Check = {
  that: 'read-only, without capabilities: it runs as 10001 and writes to /data and /tmp alone',
  run: async (image) => {
    const container = await start(image, [...hardened, '-e', 'SANDBOX_DATA=/data']);
    const { stdout } = await container.exec('sh', '-c', 'cat /proc/1/status');
    const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(stdout)?.[1];
    same('the user of process 1', field('Uid'), '10001');
    same('its capabilities', Number.parseInt(field('CapEff') ?? '', 16), 0);
    same('NoNewPrivs', field('NoNewPrivs'), '1');
    const writable = await container.exec(
      'sh',
      '-c',
      'for d in /app /etc / /data /tmp; do test -w $d && echo $d; done; :',
    );
    same('what can be written', writable.stdout.trim().split('\n'), ['/data', '/tmp']);
    const sent = await container.call('/v1/messages', {
      key: 'a',
      body: { to: '+12025550150', type: 'text', text: 'x' },
    });
    same('the status of a send', sent.status, 200);
    await container.remove();
    return 'and serves';
  },
};

export const health: Check = {
  that: "the engine calls it healthy by the image's own line, which fails where nothing serves",
  run: async (image) => {
    const line = await healthLine(image);
    const container = await start(image, hardened);
    const state = () => must(['inspect', '-f', '{{.State.Health.Status}}', container.name]);
    await until('healthy', async () => (await state()) === 'healthy');
    same('the exit code of the line', (await container.exec(...line)).code, 0);
    await container.remove();
    // Another port than usual: the line must find it by the same variable.
    const elsewhere = await start(image, [...hardened, '-e', 'SANDBOX_PORT=8080', '-p', '127.0.0.1::8080'], 8080);
    same('its exit code with SANDBOX_PORT=8080', (await elsewhere.exec(...line)).code, 0);
    await elsewhere.remove();
    const alone = await docker([
      'run',
      '--rm',
      '--network',
      'none',
      '--entrypoint',
      line[0] ?? '',
      image,
      ...line.slice(1),
    ]);
    same('its exit code without a server', alone.code, 1);
    return line.join(' ');
  },
};

export const stops: Check = {
  that: 'SIGTERM and SIGINT end it with 0, and a slow receiver does not hold it',
  run: async (image) => {
    const times: number[] = [];
    for (const signal of ['SIGTERM', 'SIGINT']) {
      const container = await start(image, hardened);
      const name = container.name;
      const sentMs = machineTime.monotonic();
      await must(['kill', '-s', signal, name]);
      same(`the exit code after ${signal}`, await must(['wait', name]), '0');
      times.push(Math.round(machineTime.monotonic() - sentMs));
      await container.remove();
    }
    holds(Math.max(...times) < 5_000, `it took ${Math.max(...times)} ms`);
    return `${times.join(', ')} ms`;
  },
};

export const reaps: Check = {
  that: 'process 1 reaps orphans, passes on signals and exit codes',
  run: async (image) => {
    const container = await start(image, hardened);
    // The shell ends at once; what it left in the background is process 1's from then on.
    for (let i = 0; i < 5; i += 1) await container.exec('sh', '-c', 'sleep 0.05 & :');
    const states = async () =>
      (await container.exec('sh', '-c', "cat /proc/[0-9]*/stat | sed 's/.*) //' | cut -c1")).stdout;
    const sleepers = async () => (await container.exec('sh', '-c', "grep -l '^sleep' /proc/[0-9]*/comm; :")).stdout;
    await until('the orphans are gone', async () => (await sleepers()).trim() === '');
    holds(!(await states()).includes('Z'), 'zombies are left');
    await container.remove();
    const inner = ['exec', '--', 'sh', '-c', 'exit 7'];
    same('the exit code of exec', (await docker(['run', '--rm', '--name', nextName(), image, ...inner])).code, 7);
    return 'no zombie';
  },
};
