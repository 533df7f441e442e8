// The smallest OpenAI-compatible provider: proves the OpenClaw harness without the bridge.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface ChatRequest {
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: ChatBody;
}

export interface EchoProvider extends AsyncDisposable {
  baseUrl: string;
  /** Every request so far, oldest first. */
  requests: ChatRequest[];
}

interface ChatBody {
  messages: { role: string; content?: unknown }[];
  tools?: { function: { name: string; parameters?: unknown } }[];
  prompt_cache_key?: string;
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'claude', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : (content as { text?: string }[]).map(({ text = '' }) => text).join('\n');

/**
 * Answers every chat request with the number of messages it carried, or with the first call that a `use <tool>` asks
 * for; `use <tool> {…}` says with what.
 */
export async function echoProvider(): Promise<EchoProvider> {
  const requests: ChatRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as ChatBody;
    requests.push({ path: request.url, headers: request.headers, body });
    // What OpenClaw says itself may stand behind the person's words.
    const asked = body.messages.filter(({ role }) => role === 'user').map(({ content }) => textOf(content));
    const [, wanted, args = '{}'] = /\buse (\w+)(?: (\{.*\}))?/.exec(asked.join('\n')) ?? [];
    const tool = body.messages.some(({ role }) => role === 'tool') ? undefined : wanted;
    const call = { index: 0, id: 'call1', type: 'function', function: { name: tool, arguments: args } };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ role: 'assistant', content: '' }));
    response.write(
      chunk(tool ? { tool_calls: [call] } : { content: `echo of ${body.messages.length} messages` }),
    );
    response.end(`${chunk({}, tool ? 'tool_calls' : 'stop')}data: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
