/** For a run without a secret: shows a new one, and waits until it is configured. */
import { createInterface } from 'node:readline';
import { CliFailure } from './failure.js';

export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** The message goes to this stream, so that stdout contains only the report. */
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/**
 * @returns the secret, once Enter was pressed
 * @throws CliFailure (2) without a terminal
 */
export async function offerSecret(secret: string, { input, output }: Terminal): Promise<string> {
  if (input.isTTY !== true || output.isTTY !== true) {
    throw new CliFailure(
      2,
      'certify: no --secret was given, and there is no terminal to ask for one. Add --secret with the secret that the receiver checks signatures with, such as --secret "$WEBHOOK_SECRET".',
    );
  }
  output.write(
    `No --secret was given, so a new one was generated:\n\n    ${secret}\n\n` +
      'Configure your receiver with it (the whole text, including whsec_) and restart it. Then press Enter. ',
  );
  const lines = createInterface({ input });
  try {
    for await (const _line of lines) return secret;
  } finally {
    lines.close();
  }
  throw new CliFailure(2, 'certify: the input ended before Enter was pressed, so nothing was sent.');
}
