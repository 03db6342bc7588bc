/** Exports the history of an account in a form that can be repeated. */
import type { Account } from '../account/account.js';
import { formatDuration } from '../time/duration.js';
import type { Steps } from '../time/turns.js';
import { harOf } from './har.js';
import { httpFile } from './http-file.js';
import { recordingOf } from './recording.js';
import { recordedScenario, scenarioText } from './scenario.js';
import { recordedTest, type TestLanguage } from './tests.js';

export type RecordFormat = 'scenario' | TestLanguage | 'har' | 'http';

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
export function* record(account: Account, { format, from, to, url, version }: RecordOptions): Steps<Recorded> {
  const recording = recordingOf(account, from, to);
  if (format === 'har') {
    const text = `${JSON.stringify(harOf(recording, url, version), null, 2)}\n`;
    return { text, contentType: 'application/json; charset=utf-8' };
  }
  if (format === 'http') return { text: httpFile(recording, url), contentType: 'text/plain; charset=utf-8' };
  const scenario = yield* recordedScenario(recording);
  const text = scenarioText(scenario, recording);
  if (format === 'scenario') return { text, contentType: 'application/yaml; charset=utf-8' };
  // The last step may have been moved after a call at the same instant.
  const lengthMs = Math.max(recording.endMs - recording.startMs, 0) + 1000 * ((scenario.timeline?.length ?? 0) + 1);
  const parts = { scenario: text, length: formatDuration(lengthMs), lengthMs };
  return { text: recordedTest(format, parts), contentType: 'text/plain; charset=utf-8' };
}
