/** What views use of the core. */
export { accountList, defaultKey, guarded, readAccounts, enterToken } from './accounts.js';
export { filtered, go, here, replace, route } from './address.js';
export { hrefOf, type Route } from './route.js';
export { act, type Api, ApiError, apiOf, controlToken, done, undoable, yaml } from './api.js';
export type { Moving } from './advance.js';
export { later } from './browser.js';
export { type Call, callOf, curlOf, exampleOf } from './curl.js';
export { keepFocus, movesBetween } from './focus.js';
export { download, draft, preference } from './kept.js';
export { type AccountModel, model, show, shown } from './model.js';
export { durationMs, moveOf } from './move.js';
export type { PageOf, PageQuery } from './live-list.js';
export { type List, useList, useRead } from './read.js';
export type * from './records.js';
export { callService, parsed, type Response, sendCall } from './send.js';
export { dark, toggleTheme, wide } from './theme.js';
export { dismiss, type Toast, toast, toasts } from './toasts.js';
export { clockWords, counted, dayPill, dayWords, exactWords, momentWords, relativeWords, spanWords } from './words.js';
