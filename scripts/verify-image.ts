/**
 * Builds the image and runs it as strictly as a cluster would: `npx tsx scripts/verify-image.ts`. A line per check,
 * PASS or FAIL; exit code 1 when one fails. Without an engine nothing is checked, and that is said aloud.
 *
 *   --image NAME   check this image, which is built already
 *   --require      fail where no engine answers, instead of skipping
 */
import { configuration } from './image/configuration.js';
import type { Check } from './image/check.js';
import { removeAll } from './image/container.js';
import { contents } from './image/contents.js';
import { docker, must, whyNoEngine } from './image/docker.js';
import { health, reaps, startsFast, stops, unprivileged } from './image/running.js';
import { effects, refusals } from './image/variables.js';
import { data, scenarios } from './image/volumes.js';
import { machineTime } from '../src/time/system-clock.js';

const checks: readonly Check[] = [
  configuration,
  contents,
  startsFast,
  unprivileged,
  health,
  stops,
  reaps,
  data,
  scenarios,
  refusals,
  effects,
];

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const why = await whyNoEngine();
  if (why !== null) {
    console.error(`NOT RUN: the checks of the image, because no container engine answers: ${why}`);
    return args.includes('--require') ? 1 : 0;
  }
  const given = args.includes('--image') ? args[args.indexOf('--image') + 1] : undefined;
  const image = given ?? (await build());
  let failed = 0;
  try {
    for (const check of checks) failed += (await passes(check, image)) ? 0 : 1;
  } finally {
    await removeAll();
    if (given === undefined) await docker(['image', 'rm', '-f', image]);
  }
  console.log(`image: ${checks.length - failed} of ${checks.length} checks passed`);
  return failed === 0 ? 0 : 1;
}

async function build(): Promise<string> {
  const image = `messaging-sandbox:check-${process.pid}`;
  const from = machineTime.monotonic();
  await must(['build', '-t', image, '.'], 600_000);
  console.log(`built ${image} in ${Math.round((machineTime.monotonic() - from) / 1_000)} s`);
  return image;
}

async function passes({ that, run }: Check, image: string): Promise<boolean> {
  try {
    console.log(`PASS ${that}: ${await run(image)}`);
    return true;
  } catch (error) {
    console.log(`FAIL ${that}: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}
