/** Exports the history of an account as a scenario or as an HTTP Archive. */
import type { Account } from '../account/account.js';
import { harEntries, harOf } from './har.js';
import { recordingOf } from './recording.js';
import { recordedScenario, scenarioText } from './scenario.js';

export type RecordFormat = 'scenario' | 'har';

export interface RecordOptions {
  readonly format: RecordFormat;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Base URL of the sandbox. */
  readonly url: string;
  readonly version: string;
}

export interface Recorded {
  readonly text: string;
  readonly contentType: string;
}

/** @throws ServiceError `validation_error` for an invalid range */
export function record(account: Account, { format, from, to, url, version }: RecordOptions): Recorded {
  const recording = recordingOf(account, from, to);
  if (format === 'har') {
    const archive = harOf(harEntries(account.store, url, recording.within), version);
    return { text: `${JSON.stringify(archive, null, 2)}\n`, contentType: 'application/json; charset=utf-8' };
  }
  const text = scenarioText(recordedScenario(recording), recording);
  return { text, contentType: 'application/yaml; charset=utf-8' };
}
