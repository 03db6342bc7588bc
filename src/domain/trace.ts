/** The trace of a call, in the `traceparent` form of https://www.w3.org/TR/trace-context/. */
export interface Traced {
  readonly traceparent?: string;
}

export const traceparentForm = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Returns the header of the call in the form for records; nothing if it is invalid, as W3C requires. */
export function traced(header: string | undefined): Traced {
  return header !== undefined && traceparentForm.test(header) ? { traceparent: header } : {};
}
