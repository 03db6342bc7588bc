import { execFile } from 'node:child_process';
import { isSea } from 'node:sea';
import { Option, type Command } from 'commander';
import { serverUrl } from '../server-url.js';
import { newCommand } from '../new-command.js';

interface Flags {
  readonly url?: string;
  readonly key?: string;
  readonly controlToken?: string;
}

const HELP = `
With --url or SANDBOX_URL it is attached to that sandbox from the beginning; otherwise the agent calls "start" or "attach".

Example of a configuration:
  { "mcpServers": { "messaging-sandbox": { "command": "npx", "args": ["messaging-sandbox", "mcp"] } } }`;

/** `mcp`: serves the Model Context Protocol on stdin and stdout. */
export function define(): Command {
  return newCommand('mcp', 'Serve the Model Context Protocol on stdin and stdout, for agents.')
    .addOption(new Option('--url <URL>', 'URL of a running sandbox (SANDBOX_URL)'))
    .addOption(new Option('--key <KEY>', 'API key of the account (SANDBOX_KEY; default test_default)'))
    .addOption(new Option('--control-token <TOKEN>', "the sandbox's control token (SANDBOX_CONTROL_TOKEN)"))
    .addHelpText('after', HELP)
    .action(async (flags: Flags) => {
      const [{ StdioServerTransport }, { createMcpServer }, { Session }] = await Promise.all([
        import('@modelcontextprotocol/sdk/server/stdio.js'),
        import('../../mcp/server.js'),
        import('../../mcp/session.js'),
      ]);
      const session = new Session(runOurselves);
      const { env } = process;
      if (flags.url !== undefined || env['SANDBOX_URL']) {
        const key = (flags.key ?? env['SANDBOX_KEY']) || 'test_default';
        const controlToken = (flags.controlToken ?? env['SANDBOX_CONTROL_TOKEN']) || null;
        await session.attach({ url: serverUrl(flags.url, env), key, controlToken });
      }
      const server = createMcpServer(session);
      const ended = new Promise<void>((resolve) => {
        server.server.onclose = resolve;
        // The transport does not detect the end of its input.
        process.stdin.once('end', resolve);
        process.once('SIGTERM', resolve);
        process.once('SIGINT', resolve);
      });
      await server.connect(new StdioServerTransport());
      await ended;
      await session.close();
      await server.close();
    });
}

/**
 * Runs a command of this program in a separate process, because stdin and stdout of this one belong to the protocol.
 */
function runOurselves(args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const script = isSea() ? [] : [process.argv[1] ?? ''];
  return new Promise((resolve) => {
    execFile(process.execPath, [...script, ...args], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ stdout, stderr: stderr || (error?.message ?? '') }),
    );
  });
}
