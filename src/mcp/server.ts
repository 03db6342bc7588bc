/** The sandbox as a server of the Model Context Protocol, for agents. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { SandboxError } from '../client/sandbox-error.js';
import { version } from '../version.js';
import type { Session } from './session.js';
import { addTools } from './tools.js';

const instructions = `A local sandbox of a WhatsApp-like messaging service. Call start (or attach), give base_url and api_key to the application under test, act as its customers with inbound, move time with advance, and check the results with search, explain and verdict. Nothing fails unless a rule or scenario causes it.`;

type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * Adds a tool.
 * @param does `reads`: it changes nothing. `reachesOut`: it starts a process or a server, or connects to one
 * @param run receives the input, validated by the server
 */
export type AddTool = <Input extends Shape>(
  name: string,
  does: 'reads' | 'acts' | 'reachesOut',
  description: string,
  inputSchema: Input,
  run: (input: z.infer<z.ZodObject<Input>>) => unknown,
) => void;

export function createMcpServer(session: Session): McpServer {
  const server = new McpServer({ name: 'messaging-sandbox', version }, { instructions });
  addTools(session, (name, does, description, inputSchema, run) => {
    const annotations = { readOnlyHint: does === 'reads', openWorldHint: does === 'reachesOut' };
    const config = { description, inputSchema: inputSchema as Record<string, z.ZodType>, annotations };
    server.registerTool(name, config, (given) => answer(() => run(given as Parameters<typeof run>[0])));
  });
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
