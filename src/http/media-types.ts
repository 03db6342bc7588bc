/**
 * What our answers are of. Put into the header as it stands: Express would complete a shorter name from a database of all
 * media types, and load that for it.
 */
export const jsonType = 'application/json; charset=utf-8';
export const textType = 'text/plain; charset=utf-8';
