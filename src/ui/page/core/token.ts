/** The control token, where the sandbox asks for one: kept for this tab alone. */
import { draft } from './preference.js';

export const controlToken = draft<string | null>('control-token', null);
