/** The parts of the core that views use. */
export { filtered, go, here, replace, route } from './address.js';
export { hrefOf, type Route } from './route.js';
export { act, type Api, ApiError, apiOf, controlToken, undoable, yaml } from './api.js';
export type { Moved, Moving } from './advance.js';
export { download, later } from './browser.js';
export { type Call, callOf, curlOf, exampleOf } from './curl.js';
export { draft, preference } from './kept.js';
export { type AccountModel, hide, model, show, shown } from './model.js';
export type { PageOf, PageQuery } from './live-list.js';
export { type List, useList, useRead } from './read.js';
export type * from './records.js';
export { callService, type Response, sendCall } from './send.js';
export { matches, wide } from './screen.js';
export { dismiss, toast, toasts } from './toasts.js';
export { clockWords, counted, dayPill, dayWords, durationMs, exactWords, momentWords, parsed } from './words.js';
export { jobNoun, jobsWords, relativeWords, shortUrl, spanWords, upper } from './words.js';
