/** The control token, if the sandbox requires one. It is stored for this tab only. */
import { draft } from './preference.js';

export const controlToken = draft<string | null>('control-token', null);
