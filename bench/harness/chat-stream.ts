import { type Agent, type IncomingMessage, request } from 'node:http';

export interface Door {
  /** `http://127.0.0.1:PORT` */
  url: string;
  token: string;
  agent?: Agent;
  /** What a request has to say beside that. */
  headers?: Record<string, string>;
}

export interface ChatRequest extends Door {
  session: string;
  text: string;
}

export interface ChatStream {
  /** Milliseconds from the request to the first byte of the answer's body. */
  firstByteMs: number;
  /** Resolves when the stream is over. */
  ended: Promise<void>;
  close(): void;
}

/** A request for a stream, as small as it can be. */
export const chatBody = (text: string): string =>
  JSON.stringify({ model: 'claude', stream: true, messages: [{ role: 'user', content: text }] });

/** A streaming POST to /v1/chat/completions. Resolves at the first byte of the body. */
export function chatStream(
  { session, text, ...door }: ChatRequest,
  onText: (text: string) => void,
): Promise<ChatStream> {
  return bodyStream(door, { body: chatBody(text), headers: { 'x-synthesis-session': session } }, onText);
}

/** The same with a body that asks for a stream, and headers of its own. */
export async function bodyStream(
  { url, token, agent, headers: more }: Door,
  asked: { body: string; headers: Record<string, string> },
  onText: (text: string) => void,
): Promise<ChatStream> {
  const { promise: opened, resolve, reject } = Promise.withResolvers<number>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(asked.body),
    ...more,
    ...asked.headers,
  };
  const from = performance.now();
  const read = (response: IncomingMessage) => {
    if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
    response.setEncoding('utf8').on('data', (chunk: string) => {
      resolve(performance.now() - from);
      onText(chunk);
    });
    response.on('close', end);
    // Also after close(): whoever measures has ended it.
    response.on('error', () => {});
  };
  const posted = request(
    `${url}/v1/chat/completions`,
    { method: 'POST', headers, agent: agent ?? false },
    read,
  );
  posted.on('error', reject);
  posted.end(asked.body);
  return { firstByteMs: await opened, ended, close: () => posted.destroy() };
}
