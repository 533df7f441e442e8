// The smallest OpenAI-compatible provider: proves the OpenClaw harness without the bridge.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface EchoProvider extends AsyncDisposable {
  baseUrl: string;
  /** The `prompt_cache_key` of each request so far. */
  keys: (string | undefined)[];
}

interface ChatBody {
  messages: { role: string }[];
  prompt_cache_key?: string;
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'claude', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** Answers every chat request with the number of messages it carried. */
export async function echoProvider(): Promise<EchoProvider> {
  const keys: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as ChatBody;
    keys.push(body.prompt_cache_key);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ role: 'assistant', content: '' }));
    response.write(chunk({ content: `echo of ${body.messages.length} messages` }));
    response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    keys,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
