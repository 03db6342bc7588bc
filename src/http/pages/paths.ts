/** The paths of the pages, which are loaded with their first visitor. */

/** The build writes it into the page's own links. */
export const pagePath = '/_sandbox/ui';
export const docsPath = '/_sandbox/docs';
export const explorationPath = '/_sandbox/explore';
