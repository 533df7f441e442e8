// A provider of tools: a to-do list in one file. It is an ordinary MCP server, so it works in every MCP client; what is
// special to synthesis is its word on its own health, and that its failures have a code and a suggestion.
import { readFile, writeFile } from 'node:fs/promises';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { PingRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

const file = process.env.TODO_FILE ?? 'todo.json';

async function readTodos() {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

/** The envelope that synthesis understands. A result in any other shape is wrapped into one. */
const envelope = (status, data, error = null) => ({
  status,
  data,
  error,
  meta: { query_time_ms: 0, chunks_scanned: null, index_version: null, vault_mtime: null },
});

const answer = (content) => ({
  structuredContent: content,
  content: [{ type: 'text', text: JSON.stringify(content) }],
  isError: content.data === null,
});

/** Tells what went wrong in words that Claude can act on, and never a raw exception. */
const failed = (code, message, suggestion) =>
  answer(envelope('unavailable', null, { code, message, recoverable: true, suggestion }));

async function withTodos(work) {
  const todos = await readTodos().catch(() => undefined);
  if (!Array.isArray(todos)) {
    return failed('LIST_DAMAGED', 'The list cannot be read.', 'Ask the user to mend or remove its file.');
  }
  return answer(envelope('healthy', await work(todos)));
}

const server = new McpServer({ name: 'todo', version: '1.0.0' });

server.registerTool(
  'list',
  {
    description: 'Lists what is still to be done.',
    inputSchema: {},
    // It changes nothing: after a crash the same call may be made again.
    annotations: { readOnlyHint: true, idempotentHint: true },
  },
  () => withTodos((todos) => todos),
);

server.registerTool(
  'add',
  {
    description: 'Adds something to the list.',
    inputSchema: { text: z.string().min(1).max(200).describe('What is to be done, in one sentence.') },
  },
  ({ text }) =>
    withTodos(async (todos) => {
      const all = [...todos, text];
      await writeFile(file, JSON.stringify(all));
      return all;
    }),
);

// The bridge pings each provider every two seconds. Whoever says nothing of itself is healthy while it answers.
server.server.setRequestHandler(PingRequestSchema, async () => {
  const isRead = await readTodos().then(Array.isArray, () => false);
  const health = isRead
    ? { status: 'healthy', reason: '' }
    : { status: 'degraded', reason: 'its list cannot be read' };
  return { _meta: { 'synthesis/health': health } };
});

await server.connect(new StdioServerTransport());
