/** Closed lists of values: a condition that matches none of them never holds. */
import { eventTypes } from '../../domain/event.js';
import { messageStatuses, messageTypes } from '../../domain/message.js';
import { templateCategories, templateStatuses } from '../../domain/template.js';

export interface Words {
  readonly values: readonly (string | number)[];
  /** A short description, if a list of all values would be long. */
  readonly allowed?: string;
  /** The values to suggest. Default: all, unless `allowed` describes them. */
  readonly near?: readonly string[];
}

export const words = (...values: readonly string[]): Words => ({ values });

/** The whole numbers from one to another. */
function numbers(from: number, to: number, allowed: string): Words {
  return { values: Array.from({ length: to - from + 1 }, (_, index) => from + index), allowed };
}

export const types = words(...messageTypes);
export const statuses = words(...messageStatuses);
export const reportedStatuses = words(...messageStatuses, ...templateStatuses);
export const categories = words(...templateCategories);
export const statusesOfTemplates = words(...templateStatuses);
export const events = words(...eventTypes);
export const methods = words('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS');
export const httpStatuses = numbers(200, 599, 'an HTTP status from 200 to 599, or a class of them such as 4xx');
export const codeLengths = numbers(4, 8, 'a whole number from 4 to 8');
// Redeliveries can continue without end; a few hundred numbers suffice to find a condition that never holds.
export const attemptNumbers = numbers(1, 300, 'a whole number from 1 on');
