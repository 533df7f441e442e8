// The least that serves a tool over HTTP: the SDK's own server, whose tool answers with a text as long as it is asked for.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const http = createServer(async (request, response) => {
  const server = new Server({ name: 'reference', version: '0.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
    content: [{ type: 'text', text: 'x'.repeat(Number(params.arguments?.length)) }],
  }));
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  await server.connect(transport as Parameters<Server['connect']>[0]);
  await transport.handleRequest(request, response);
});
http.listen(0, '127.0.0.1');
await once(http, 'listening');
console.log(JSON.stringify({ url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` }));
