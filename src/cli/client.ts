import { Option } from 'commander';
import type { Command } from 'commander';
import { CliFailure } from './failure.js';
import { serverUrl } from './server-url.js';

/** The flags that every client command takes (contract §8). */
export interface ClientFlags {
  readonly url?: string;
  readonly key?: string;
  readonly controlToken?: string;
  readonly json?: boolean;
}

export interface ControlClient {
  readonly url: string;
  readonly key: string;
  /** What says who calls: the key, and the control token where one is given. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Makes one call of the control plane and returns its JSON; undefined for an answer without a body.
   * @param body an object goes out as JSON, a text as YAML
   * @throws RefusedCall when the answer is an error, CliFailure (1) when nobody answers.
   */
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object | string): Promise<unknown>;
}

/** A call that was answered with an error. */
export class RefusedCall extends CliFailure {
  constructor(
    message: string,
    /** The code of the error envelope; undefined when the answer is not a sandbox's. */
    readonly code: string | undefined,
    readonly details: readonly unknown[],
    /** What the sandbox found unusual besides. */
    readonly warnings: readonly unknown[] = [],
  ) {
    super(1, message);
  }
}

/** Carries the value of the server's `--control-token`. */
const TOKEN_HEADER = 'X-Sandbox-Token';

/** Adds `--url`, `--key`, `--control-token` and `--json` to a command. */
export function withClientFlags(command: Command): Command {
  return command
    .addOption(new Option('--url <URL>', 'the sandbox to talk to (SANDBOX_URL; default http://127.0.0.1:4242)'))
    .addOption(new Option('--key <KEY>', 'the API key whose account is meant (SANDBOX_KEY; default test_default)'))
    .addOption(new Option('--control-token <TOKEN>', "the sandbox's control token (SANDBOX_CONTROL_TOKEN)"))
    .addOption(new Option('--json', 'print the answer as JSON'));
}

/** Lets these flags stand before the name of a subcommand, too; behind it they win. */
export function withClientFlagsBefore(command: Command): Command {
  return withClientFlags(command)
    .enablePositionalOptions()
    .hook('preAction', (_command, called) => {
      for (const [name, value] of Object.entries(command.opts())) {
        if (called.getOptionValueSource(name) === undefined) called.setOptionValue(name, value);
      }
    });
}

export function connect(flags: ClientFlags, env: NodeJS.ProcessEnv = process.env): ControlClient {
  const url = serverUrl(flags.url, env);
  const key = flags.key ?? (env['SANDBOX_KEY'] || 'test_default');
  const token = flags.controlToken ?? env['SANDBOX_CONTROL_TOKEN'];
  const headers: Record<string, string> = { Authorization: `Bearer ${headerValue('--key', key)}` };
  if (token !== undefined && token !== '') headers[TOKEN_HEADER] = headerValue('--control-token', token);
  return {
    url,
    key,
    headers,
    async call(method, path, body) {
      const isText = typeof body === 'string';
      const sent = body === undefined ? {} : { body: isText ? body : JSON.stringify(body) };
      const contentType =
        body === undefined ? {} : { 'Content-Type': isText ? 'application/yaml' : 'application/json' };
      let status: number;
      let text: string;
      try {
        const answer = await fetch(url + path, { method, headers: { ...headers, ...contentType }, ...sent });
        status = answer.status;
        text = await answer.text();
      } catch (error) {
        throw new CliFailure(1, unreachable(url, error), { cause: error });
      }
      const json = parseJson(text);
      if (status >= 200 && status < 300 && (text === '' || json !== undefined)) return json;
      throw refusal(url, `${method} ${path}`, status, json);
    },
  };
}

function headerValue(flag: string, text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new CliFailure(2, `${flag}: "${text}" cannot travel in a header. Allowed: visible ASCII without spaces.`);
}

/** Why nobody answered, with the way out that fits the cause. */
export function unreachable(url: string, error: unknown): string {
  const code = systemCode(error);
  if (code === 'ECONNREFUSED') {
    return `Nothing listens at ${url}. Start it with "messaging-sandbox start", or name another with --url or SANDBOX_URL.`;
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : (code ?? String(cause));
  return `${url} cannot be reached: ${reason}. Check --url or SANDBOX_URL.`;
}

/** A refusal by several addresses of one name comes as an AggregateError, so the code is looked for below it too. */
function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  const inner = error instanceof AggregateError ? (error.errors as unknown[])[0] : error.cause;
  return systemCode(inner);
}

/** Undefined for a text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The server's own words where it is a sandbox; otherwise who answered, because a stranger on the port is likely. */
export function refusal(url: string, call: string, status: number, body: unknown): RefusedCall {
  const error = isObject(body) && isObject(body['error']) ? body['error'] : undefined;
  if (error === undefined || typeof error['message'] !== 'string') {
    const stranger = `${url} answered ${status} to ${call}, and not as a sandbox does. Is another program on that port?`;
    return new RefusedCall(stranger, undefined, []);
  }
  const [details, warnings] = [listOf(error['details']), listOf(error['warnings'])];
  // A single detail is what the message says already.
  const lines = (details.length > 1 ? details : [])
    .filter(isObject)
    .map((detail) => `\n  ${words(detail['field'] ?? detail['path'])}: ${words(detail['message'])}`);
  const code = words(error['code']);
  return new RefusedCall(`${code} (${status}): ${error['message']}${lines.join('')}`, code, details, warnings);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function words(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
