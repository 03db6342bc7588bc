/** Values that a client command validates before it calls the sandbox (exit code 2). */
import { parseInstant } from '../domain/instant.js';
import { isPhone } from '../domain/phone.js';
import { DurationError, parseDuration } from '../time/duration.js';
import { meantDurations } from '../time/meant-duration.js';
import { invalidValue, ValueError } from '../config/values.js';
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
    const meant = meantDurations(text).find((duration) => /^\d/.test(duration));
    throw new UsageError(`${name}: ${error.message}${meant === undefined ? '' : ` Did you mean ${meant}?`}`);
  }
}

/** @param name name of the flag or command. @throws CliFailure (2) if `text` is not an instant */
export function checkedInstant(name: string, text: string): string {
  if (parseInstant(text) !== null) return text;
  throw new UsageError(`Invalid value "${text}" for ${name}. Expected an ISO 8601 time, such as 2026-03-01T09:00:00Z.`);
}

/** @param name name of the command. @throws CliFailure (2) if `text` is not a phone number */
export function checkedPhone(name: string, text: string): string {
  if (isPhone(text)) return text;
  const digits = `+${text.replace(/^00/, '').replace(/\D/g, '')}`;
  const meant = isPhone(digits) ? ` Did you mean ${digits}?` : '';
  throw new UsageError(`${name}: invalid phone number "${text}".${meant} Expected E.164, such as +12025550150.`);
}
