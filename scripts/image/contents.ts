/** What lies in the image beside its base. */
import { holds, same, type Check } from './check.js';
import { must } from './docker.js';

const mostBytes = 15_000_000;

export const contents: Check = {
  that: 'the application is small, has no native addon, and belongs to root',
  run: async (image) => {
    const sh = (script: string) =>
      must(['run', '--rm', '--network', 'none', '--entrypoint', 'sh', image, '-c', script]);
    // A native addon would be of one processor, and the image is built for two.
    const unwanted = "\\( -name '*.node' -o -name '*.map' -o -name '*.ts' -o -name node_modules \\)";
    same('what does not belong into /app', await sh(`find /app ${unwanted}`), '');
    same('what its user could change in /app', await sh('find /app -writable'), '');
    same('the licence', await sh('head -1 /app/LICENSE'), 'MIT License');
    const bytes = Number(await sh('tar -cz /app /usr/bin/tini 2>/dev/null | wc -c'));
    holds(bytes < mostBytes, `the application is ${bytes} bytes compressed, wanted less than ${mostBytes}`);
    return `${(bytes / 1e6).toFixed(1)} MB compressed`;
  },
};
