import { errorTable, type ErrorCode } from '../domain/errors.js';

export const timestampForms = [
  'YYYY-MM-DDTHH:mm:ss.sssZ',
  'YYYY-MM-DDTHH:mm:ssZ',
  'YYYY-MM-DDTHH:mm:ss.ssssssZ',
  'YYYY-MM-DDTHH:mm:ss.sss+00:00',
  'YYYY-MM-DDTHH:mm:ss+00:00',
  'YYYY-MM-DDTHH:mm:ss.ssssss+00:00',
] as const;

export const apiCodes = (Object.keys(errorTable) as ErrorCode[]).filter((code) => errorTable[code].plane !== 'control');

/** Errors of the sandbox, which the service does not have. */
const own: readonly ErrorCode[] = ['forbidden', 'limit_reached', 'store_unavailable'];

/** Error codes whose status is a decision of the service. */
export const codesWithStatus = apiCodes.filter((code) => !own.includes(code));
