/** The sandbox as a server of the Model Context Protocol, for agents. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { SandboxError } from '../client/sandbox-error.js';
import { version } from '../version.js';
import type { Session, Tool } from './session.js';
import { tools } from './tools.js';

const instructions = `A local sandbox of a WhatsApp-like messaging service. Call start (or attach), give base_url and api_key to the application under test, act as its customers with inbound, move time with advance, and check the results with search, explain and verdict. Nothing fails unless a rule or scenario causes it.`;

export function createMcpServer(session: Session): McpServer {
  const server = new McpServer({ name: 'messaging-sandbox', version }, { instructions });
  for (const [name, tool] of Object.entries(tools)) {
    const { title, description, input } = tool;
    const annotations = { readOnlyHint: tool.reads === true, openWorldHint: tool.reachesOut === true };
    server.registerTool(name, { title, description, inputSchema: { ...input }, annotations }, (given) =>
      answer(session, tool, given),
    );
  }
  return server;
}

async function answer(session: Session, tool: Tool, input: Readonly<Record<string, unknown>>): Promise<CallToolResult> {
  try {
    const result = await tool.run(session, input);
    return { content: [{ type: 'text', text: typeof result === 'string' ? result : JSON.stringify(result) }] };
  } catch (error) {
    // An agent can act on the errors of the sandbox; all others are reported by the protocol.
    if (!(error instanceof SandboxError)) throw error;
    return { isError: true, content: [{ type: 'text', text: `${error.code}: ${error.message}` }] };
  }
}
