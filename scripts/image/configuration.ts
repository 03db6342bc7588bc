/** What the image says of itself, before anything runs. */
import { holds, same, type Check } from './check.js';
import { must } from './docker.js';

interface ImageConfig {
  readonly User: string;
  readonly ExposedPorts?: Record<string, unknown>;
  readonly Volumes?: Record<string, unknown>;
  readonly StopSignal?: string;
  readonly Labels?: Record<string, string>;
  readonly Healthcheck?: {
    readonly Test: readonly string[];
    readonly Interval: number;
    readonly StartInterval?: number;
  };
}

export async function configOf(image: string): Promise<ImageConfig> {
  return JSON.parse(await must(['image', 'inspect', '-f', '{{json .Config}}', image])) as ImageConfig;
}

/** The health check as the engine runs it: program and arguments. */
export async function healthLine(image: string): Promise<readonly string[]> {
  const [kind, ...line] = (await configOf(image)).Healthcheck?.Test ?? [];
  // A shell form would need a shell in the image, and hide the program behind it.
  same('the form of HEALTHCHECK', kind, 'CMD');
  return line;
}

const seconds = 1_000_000_000;
const labels = ['title', 'description', 'licenses', 'version', 'revision', 'base.name'];

export const configuration: Check = {
  that: 'user, port, volumes, stop signal, health check and labels are declared',
  run: async (image) => {
    const { User, ExposedPorts, Volumes, StopSignal, Labels = {}, Healthcheck } = await configOf(image);
    // By number, so that `runAsNonRoot` can be judged without the image's own list of users.
    holds(/^[1-9]\d*:[1-9]\d*$/.test(User), `USER is "${User}", wanted a number other than 0, and a group`);
    same('EXPOSE', Object.keys(ExposedPorts ?? {}), ['4242/tcp']);
    same('VOLUME', Object.keys(Volumes ?? {}).sort(), ['/data', '/scenarios']);
    same('STOPSIGNAL', StopSignal, 'SIGTERM');
    same('the interval of HEALTHCHECK', Healthcheck?.Interval, 15 * seconds);
    same('its interval during the start', Healthcheck?.StartInterval, seconds);
    holds((await healthLine(image)).includes('readyz'), "HEALTHCHECK does not run the command line's own readyz");
    const missing = labels.filter((label) => !(Labels[`org.opencontainers.image.${label}`] ?? ''));
    same('labels that are missing', missing, []);
    return `user ${User}`;
  },
};
