/** Values that a command validates before it begins (exit code 2). The sandbox validates those of its calls itself. */
import { invalidValue, ValueError } from '../config/values.js';
import { DurationError, parseDuration } from '../time/duration.js';
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

/** @param name name of the flag or command. @throws CliFailure (2) if `text` is not a duration */
export function checkedDuration(name: string, text: string): string {
  try {
    parseDuration(text);
    return text;
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    throw new UsageError(`${name}: ${error.message}`);
  }
}
