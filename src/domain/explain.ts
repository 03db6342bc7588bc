/**
 * Why a thing happened: the answer to the first question of every tester.
 * Contract §4 (message and request shapes), §5 (precedence).
 */
export interface Explain {
  /** Who decided: a request header, a rule, a magic number, or nobody (the default). */
  readonly by: 'header' | 'rule' | 'magic' | 'default';
  /** Id of the rule or magic number. */
  readonly id?: string;
  /** Scenario file and line of the rule. */
  readonly file?: string;
  readonly line?: number;
  /** One sentence for a human. */
  readonly text: string;
}

/** The explanation of something that no rule touched. */
export function byDefault(text: string): Explain {
  return { by: 'default', text };
}
