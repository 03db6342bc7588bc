import { checks } from '../../src/certify/checks.js';
import { certify } from '../../src/certify/run.js';
import type { Certificate, RunOptions } from '../../src/certify/run.js';
import { targetOf } from '../../src/certify/receiver.js';
import { machineTime } from '../../src/time/system-clock.js';
import type { SystemClock } from '../../src/time/system-clock.js';
import { createSender } from '../../src/webhooks/send.js';
import { SECRET } from './receiver.js';

export interface Setting extends Partial<RunOptions> {
  /** Time of the sender; the run's own is `host`. */
  readonly senderHost?: SystemClock;
}

/** Machine time in which a pause is over as soon as it has begun. */
export const hasty: SystemClock = {
  ...machineTime,
  setTimer(_delayMs, fn) {
    machineTime.defer(fn);
    return () => undefined;
  },
};

/** Plays all checks, or those of the setting, at a URL, as the command does, but without patience. */
export async function certified(url: string, setting: Setting = {}): Promise<Certificate> {
  const target = targetOf(new URL(url));
  const { senderHost = machineTime, timeoutMs = 10_000, ...rest } = setting;
  const sender = createSender({
    host: senderHost,
    routes: target.routes,
    allowPublic: false,
    insideContainer: false,
    timeoutMs,
  });
  const fixed = { secret: SECRET, checks, host: hasty, seed: 7, patienceMs: 0 };
  try {
    return await certify({ ...fixed, url: target.url, sender, timeoutMs, ...rest });
  } finally {
    await sender.close();
  }
}

export function idsWith(certificate: Certificate, result: 'passed' | 'failed' | 'skipped'): string[] {
  return certificate.checks.filter((checked) => checked.result === result).map(({ check }) => check.id);
}

export function foundBy(certificate: Certificate, id: string): string {
  return certificate.checks.find(({ check }) => check.id === id)?.found ?? 'no such check';
}
