import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { SandboxError } from '../client/sandbox-error.js';
import { version } from '../version.js';
import type { Session } from './session.js';
import { type RunCommand, toolsOf } from './tools.js';

const instructions = `A local sandbox of a WhatsApp-like messaging service. Call start (or attach), give base_url and api_key to the application under test, act as its customers with inbound, move time with advance, and check the results with search, explain and verdict. Nothing fails unless a rule or scenario causes it.`;

export function createMcpServer(session: Session, runCommand: RunCommand): McpServer {
  const server = new McpServer({ name: 'messaging-sandbox', version }, { instructions });
  for (const { name, does, description, input, run } of toolsOf(session, runCommand)) {
    const annotations = { readOnlyHint: does === 'reads', openWorldHint: does === 'reachesOut' };
    // The server has validated the input.
    server.registerTool(name, { description, inputSchema: input, annotations }, (given) => answer(() => run(given)));
  }
  return server;
}

async function answer(run: () => unknown): Promise<CallToolResult> {
  try {
    const result = await run();
    return { content: [{ type: 'text', text: typeof result === 'string' ? result : JSON.stringify(result) }] };
  } catch (error) {
    // An agent can act on the errors of the sandbox; all others are reported by the protocol.
    if (!(error instanceof SandboxError)) throw error;
    return { isError: true, content: [{ type: 'text', text: `${error.code}: ${error.message}` }] };
  }
}
