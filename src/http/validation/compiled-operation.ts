/** The schemas of an operation as functions, compiled when the package is built (scripts/compile-validators.ts). */
interface Check {
  (value: unknown): boolean;
  /** What was wrong with the last value. */
  readonly errors?: readonly { readonly instancePath: string; readonly keyword: string }[] | null;
}

export interface CompiledOperation {
  /** The query parameters that the document names. */
  readonly names: readonly string[];
  /** Turns the text of numbers into numbers and fills in defaults, in place. */
  readonly query: Check;
  readonly params: Check;
  /** By media type. */
  readonly bodies: Readonly<Record<string, Check>>;
  /** Of JSON responses, by status. */
  readonly answers: Readonly<Record<string, Check>>;
}

export type CompiledOperations = Readonly<Record<string, CompiledOperation>>;
