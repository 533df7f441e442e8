// The smallest MCP server with one tool: its result is as long as is asked for.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const inputSchema = {
  type: 'object',
  properties: { length: { type: 'integer', minimum: 0 } },
  required: ['length'],
  additionalProperties: false,
};

export default function makeServer() {
  const server = new Server({ name: 'echo', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: 'echo', inputSchema }] }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
    content: [{ type: 'text', text: 'some words '.repeat(params.arguments.length / 11) }],
  }));
  return server;
}
