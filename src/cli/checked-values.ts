/** Values that a command validates before it begins (exit code 2). The sandbox validates those of its calls itself. */
import { clockInput } from '../client/clock.js';
import type { ClockStart } from '../client/create-sandbox.js';
import type { ClockInput } from '../client/types.js';
import { invalidValue, parseClockSetting, ValueError } from '../config/values.js';
import { DurationError, parseDuration } from '../time/duration.js';
import { meantDurations } from '../time/meant-duration.js';
import { UsageError } from './failure.js';

/** Reads the value of a flag as the settings are read. @throws CliFailure (2) */
export function checkedValue<Value>(command: string, flag: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    throw new UsageError(`${command}: ${invalidValue(flag, error)}`, { cause: error });
  }
}

/** Reads a clock as `--clock` is read. @throws CliFailure (2) */
export function checkedClock(command: string, flag: string, text: string): ClockInput {
  checkedValue(command, flag, () => parseClockSetting(text));
  return clockInput(text as ClockStart);
}

/** @param name name of the flag or command. @throws CliFailure (2) if `text` is not a duration */
export function checkedDuration(name: string, text: string): string {
  try {
    parseDuration(text);
    return text;
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    const meant = meantDurations(text).find((duration) => /^\d/.test(duration));
    throw new UsageError(`${name}: ${error.message}${meant === undefined ? '' : ` Did you mean ${meant}?`}`);
  }
}
