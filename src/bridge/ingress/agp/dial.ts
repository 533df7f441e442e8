// The WebSocket to the gateway, behind the few words that the connection needs.
import { WebSocket } from 'ws';
import { MAX_AGP_FRAME_BYTES } from '../../../protocol/wire/agp-limits.ts';
import type { OutboxLink } from './outbox.ts';

/** Neither method throws on a socket that is already closed. */
export interface AgpSocket extends OutboxLink {
  /** Closes, and cuts the connection if the gateway does not answer. */
  close(): void;
}

/** Events come later, never from inside the dial. */
export interface AgpSocketEvents {
  open(): void;
  text(text: string): void;
  pong(payload: string): void;
  /** Once, whatever ended the socket. `status`: the gateway answered the upgrade with this HTTP status. */
  closed(end: { code: number; reason: string; status?: number }): void;
}

/** @param url with its token: never to be logged */
export type AgpDial = (url: string, events: AgpSocketEvents) => AgpSocket;

/** Milliseconds between a close frame and cutting the connection. */
const closeGraceMs = 500;

/** Compression stays off: small frames get larger by it. Redirects would take the token elsewhere. */
export const dialGateway: AgpDial = (url, events) => {
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    maxPayload: MAX_AGP_FRAME_BYTES,
    followRedirects: false,
  });
  let failure = '';
  let status: number | undefined;
  socket.on('open', () => events.open());
  // Binary messages are no part of the protocol; what they hold is no JSON that we would read.
  socket.on('message', (data, binary) => events.text(binary ? '' : data.toString()));
  socket.on('pong', (payload) => events.pong(payload.toString()));
  socket.on('unexpected-response', (request, response) => {
    status = response.statusCode;
    response.destroy();
    request.destroy();
    socket.terminate();
  });
  socket.on('error', (error) => {
    failure = error.message;
  });
  socket.on('close', (code, reason) =>
    events.closed({ code, reason: reason.toString() || failure, ...(status !== undefined && { status }) }),
  );
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    ping: (payload) => {
      if (socket.readyState === WebSocket.OPEN) socket.ping(payload);
    },
    close: () => {
      if (socket.readyState === WebSocket.CONNECTING) return socket.terminate();
      socket.close(1000);
      const timer = setTimeout(() => socket.terminate(), closeGraceMs);
      timer.unref();
      socket.once('close', () => clearTimeout(timer));
    },
  };
};
