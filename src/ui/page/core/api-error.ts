/** An error response of the sandbox, with its message. `status` 0: the sandbox could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: readonly { readonly field?: string; readonly message: string }[] = [],
  ) {
    super(message);
  }

  /** The details that the message does not have. */
  get more(): string[] {
    const others = this.details.filter(({ message }) => !this.message.includes(message));
    return others.map(({ field, message }) => `${field ?? 'body'}: ${message}`);
  }
}
