// A request that reached the wrong node is made again on the right one, and its response handed on as it comes.
import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { NOT_HERE_HEADER, TOKEN_SESSION_HEADER } from '../../protocol/cluster/cluster.ts';

/** `not_here`: the other node says that the conversation does not live there. */
export type Relayed = 'answered' | 'not_here';

/** Of one connection alone, or of the client's proof of who it is. */
const hopHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  // What a client says of it counts for nothing.
  TOKEN_SESSION_HEADER,
]);

const endToEnd = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hopHeaders.has(name)));

/**
 * Never rejects. A client that hangs up hangs up there, too. What breaks off there breaks off here, also before the
 * response has begun: the message may have been taken, and the client does what it does when a bridge goes away.
 *
 * @param body that the client sent
 * @param far a connection to the other node's HTTP server; it is ended with the response
 * @param limit the conversations that the client's token is for; undefined: all
 */
export async function relay(
  { method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  body: string,
  response: ServerResponse,
  far: Duplex,
  limit?: string,
): Promise<Relayed> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const onward = httpRequest({
    method,
    path: url,
    headers: {
      ...endToEnd(headers),
      ...(limit !== undefined && { [TOKEN_SESSION_HEADER]: encodeURIComponent(limit.toWellFormed()) }),
      host: 'localhost',
      'content-length': Buffer.byteLength(body),
    },
    createConnection: () => far,
  });
  const hungUp = () => onward.destroy();
  response.once('close', hungUp);
  onward.once('response', resolve).once('error', reject).end(body);
  try {
    const answer = await promise;
    if (answer.headers[NOT_HERE_HEADER] !== undefined) return 'not_here';
    response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
    // The client is told at once that it is being answered.
    response.flushHeaders();
    await pipeline(answer, response);
    return 'answered';
  } catch {
    response.destroy();
    return 'answered';
  } finally {
    response.off('close', hungUp);
    onward.destroy();
    far.destroy();
  }
}
