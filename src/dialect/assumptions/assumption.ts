/** One decision of the sandbox on a point that the interface document leaves open. */
export interface Assumption {
  /** Section of the interface document. */
  readonly section: string;
  /** The open point. */
  readonly point: string;
  /** What the sandbox does. */
  readonly choice: string;
  /** The reason for this decision. */
  readonly reason: string;
  /** Dialect key that changes it, if there is one. */
  readonly setting?: string;
}
