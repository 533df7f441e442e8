import type { McpConnection, McpListener } from './mcp-connection.ts';
import type { HttpEntry } from './settings.ts';

/** Talks to an MCP server at an address, as Claude Code does: a POST for each message, and a stream for what it says. */
export function openMcpHttp(entry: HttpEntry, { onMessage }: McpListener): McpConnection {
  const over = new AbortController();
  const { signal } = over;
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const ask = (init: RequestInit) =>
    fetch(entry.url, { ...init, signal, headers: { ...headers, ...entry.headers } });
  const post = async (message: Sent) => {
    try {
      await read(await ask({ method: 'POST', body: JSON.stringify(message) }), onMessage);
      // Its notices can be heard from then on.
      if (message.method === 'notifications/initialized') await read(await ask({ method: 'GET' }), onMessage);
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

async function read(response: Response, onMessage: (message: unknown) => void): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok) throw new Error(`Streamable HTTP error: ${response.status}`);
  if (type.startsWith('application/json')) return onMessage(await response.json());
  if (!type.startsWith('text/event-stream') || !response.body) return response.body?.cancel();
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (text + chunk).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) onMessage(JSON.parse(data));
    }
  }
}
