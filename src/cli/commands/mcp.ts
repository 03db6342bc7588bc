import { execFile } from 'node:child_process';
import type { Command } from 'commander';
import { connectionSettings, withServerFlags, type ClientFlags } from '../client.js';

const HELP = `
With --url or MESSAGING_BASE_URL, the agent uses that sandbox. Otherwise, the agent starts a sandbox, or uses one that you name.

Example of a configuration:
  { "mcpServers": { "messaging-sandbox": { "command": "npx", "args": ["messaging-sandbox", "mcp"] } } }`;

export function mcp(command: Command): void {
  withServerFlags(command)
    .addHelpText('after', HELP)
    .action(async (flags: ClientFlags) => {
      const [{ StdioServerTransport }, { createMcpServer }, { Session }] = await Promise.all([
        import('@modelcontextprotocol/sdk/server/stdio.js'),
        import('../../mcp/server.js'),
        import('../../mcp/session.js'),
      ]);
      const session = new Session();
      if (flags.url !== undefined || process.env['MESSAGING_BASE_URL']) {
        const { controlToken, ...settings } = connectionSettings(flags);
        await session.attach({ ...settings, ...(controlToken !== null && { controlToken }) });
      }
      const server = createMcpServer(session, runOurselves);
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

/** A separate process, because stdin and stdout of this one belong to the protocol. */
function runOurselves(args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [process.argv[1] ?? '', ...args],
      { maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => resolve({ stdout, stderr: stderr || (error?.message ?? '') }),
    );
  });
}
