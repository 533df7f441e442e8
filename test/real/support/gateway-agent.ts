// What `openclaw agent` asks of its gateway, without the seconds that the command needs to start.
import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import { connectParams } from '../../../src/bridge/openclaw/gateway/gateway-frame.ts';

/** As far as it matters here: an answer to `connect`, then one that says that a run has begun, then one with its result. */
interface Frame {
  type: string;
  event?: string;
  ok?: boolean;
  error?: { message: string };
  payload?: { status?: string; result?: AgentResult };
}

export interface AgentResult {
  payloads?: { text?: string }[];
}

/** @param ms deadline @returns what the run came to @throws what the gateway says, or that it said nothing in time */
export async function runAgent(
  gateway: { url: string; token: string },
  sessionKey: string,
  message: string,
  ms = 150_000,
): Promise<AgentResult> {
  const socket = new WebSocket(gateway.url.replace('http', 'ws'));
  const done = Promise.withResolvers<AgentResult>();
  const send = (method: string, params: object) =>
    socket.send(JSON.stringify({ type: 'req', id: method, method, params }));
  const timer = setTimeout(() => done.reject(new Error(`the gateway did not answer within ${ms} ms`)), ms);
  socket.on('error', done.reject);
  socket.on('close', () => done.reject(new Error('the gateway closed the connection')));
  socket.on('message', (data) => {
    const { type, event, ok, error, payload } = JSON.parse(data.toString()) as Frame & { id?: string };
    if (event === 'connect.challenge') send('connect', connectParams(gateway.token, '0.0.0'));
    if (type !== 'res') return;
    if (!ok) return done.reject(new Error(error?.message ?? 'the gateway refused'));
    if (payload?.result) return done.resolve(payload.result);
    if (payload?.status === undefined)
      send('agent', { message, sessionKey, deliver: false, idempotencyKey: randomUUID() });
  });
  try {
    return await done.promise;
  } finally {
    clearTimeout(timer);
    socket.terminate();
  }
}
