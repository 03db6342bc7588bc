/** What one setting consists of. */

/** A flag can be repeated, so a space belongs to its value. A variable cannot, so a space separates its values. */
export interface Separator {
  readonly flag: RegExp;
  readonly variable: RegExp;
}

/** One setting: its flag and variables, its reader and its default. */
export interface ConfigOption<Value> {
  /** With its dashes: `--port`. */
  readonly flag: string;
  readonly short?: string;
  /** Name of the value in the help; absent for a switch. */
  readonly argument?: string;
  /** Variables in order of precedence; the first is the documented one. */
  readonly env: readonly string[];
  readonly standard: Value;
  /** The default in words. */
  readonly standardText: string;
  readonly description: string;
  /** Separates several values within one text; present if the flag may be repeated. */
  readonly separator?: Separator;
  /** Reads exactly one text, or several if there is a separator. Throws ValueError or the parser's own error. */
  readonly read: (texts: readonly string[]) => Value;
}
