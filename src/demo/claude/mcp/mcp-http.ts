import http, { type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { HttpEntry } from '../settings/settings.ts';
import type { McpConnection, McpListener } from './mcp-connection.ts';

/**
 * Talks to an MCP server at an address, as Claude Code does: a POST for each message, and a stream for what it says.
 * Plain `node:http`: nearly every session has one, and `fetch` costs its start 37 ms.
 */
export function openMcpHttp(entry: HttpEntry, { onMessage }: McpListener): McpConnection {
  const over = new AbortController();
  const { signal } = over;
  const common = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const headers = { ...common, ...entry.headers };
  const ask = (method: string, body?: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const request = http.request(entry.url, { method, headers, signal });
      request.on('response', resolve).on('error', reject).end(body);
    });
  const post = async (message: Sent) => {
    try {
      await read(await ask('POST', JSON.stringify(message)), onMessage);
      // Its notices can be heard from then on.
      if (message.method === 'notifications/initialized') await read(await ask('GET'), onMessage);
    } catch (error) {
      if (signal.aborted || message.id === undefined) return;
      onMessage({ id: message.id, error: { code: -32000, message: String(error) } });
    }
  };
  return {
    send: (message) => void post(message),
    stop: async () => over.abort(),
  };
}

interface Sent {
  id?: string | number;
  method?: string;
}

async function read(response: IncomingMessage, onMessage: (message: unknown) => void): Promise<void> {
  const { statusCode = 0 } = response;
  const type = response.headers['content-type'] ?? '';
  if (statusCode < 200 || statusCode > 299) {
    response.resume();
    throw new Error(`Streamable HTTP error: ${statusCode}`);
  }
  if (type.startsWith('application/json')) return onMessage(JSON.parse(await text(response)));
  if (!type.startsWith('text/event-stream')) return void response.resume();
  let rest = '';
  for await (const chunk of response.setEncoding('utf8')) {
    const events = (rest + chunk).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) onMessage(JSON.parse(data));
    }
  }
}
