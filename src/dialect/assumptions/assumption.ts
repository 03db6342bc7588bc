/** One decision of the sandbox on a point that the interface document leaves open. */
export interface Assumption {
  /** Section of the interface document that leaves it open. */
  readonly section: string;
  /** What is open. */
  readonly point: string;
  /** What the sandbox does. */
  readonly choice: string;
  /** Why that, and not something else. */
  readonly reason: string;
  /** Dialect key that turns it, where there is one. */
  readonly setting?: string;
}
