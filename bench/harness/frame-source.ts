// Both the bridge's core and the reference hop are fed by this, so that only what follows differs.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

export interface Frame {
  /** Contiguous from 0 within one session. */
  index: number;
  text: string;
  /** Its sender waits until it is safe. */
  acked?: true;
}

/**
 * Takes frames over one WebSocket per session. @returns the URL; a session is its last path segment
 * @param onFrame what it returns resolves when the frame is safe
 */
export async function frameSource(onFrame: (session: string, frame: Frame) => unknown): Promise<string> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  server.on('connection', (socket, request) => {
    const session = (request.url ?? '').slice(1);
    socket.on('message', async (data) => {
      const frame = JSON.parse(data.toString()) as Frame;
      const safe = onFrame(session, frame);
      if (!frame.acked) return;
      await safe;
      socket.send(String(frame.index));
    });
  });
  await once(server, 'listening');
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
