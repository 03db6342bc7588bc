/** Whether the disk takes what is given to it; if not, what it said last. */
export type Health = { readonly ok: true } | { readonly ok: false; readonly error: string };
