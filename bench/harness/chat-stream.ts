import { type Agent, type IncomingMessage, request } from 'node:http';

export interface ChatRequest {
  /** `http://127.0.0.1:PORT` */
  url: string;
  token: string;
  session: string;
  text: string;
  agent?: Agent;
}

export interface ChatStream {
  /** Milliseconds from the request to the first byte of the answer's body. */
  firstByteMs: number;
  /** Resolves when the stream is over. */
  ended: Promise<void>;
  close(): void;
}

/** A streaming POST to /v1/chat/completions. Resolves at the first byte of the body. */
export async function chatStream(
  { url, token, session, text, agent }: ChatRequest,
  onText: (text: string) => void,
): Promise<ChatStream> {
  const { promise: opened, resolve, reject } = Promise.withResolvers<number>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const body = JSON.stringify({ model: 'claude', stream: true, messages: [{ role: 'user', content: text }] });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-synthesis-session': session,
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
  posted.end(body);
  return { firstByteMs: await opened, ended, close: () => posted.destroy() };
}
