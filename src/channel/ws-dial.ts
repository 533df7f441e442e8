import { WebSocket } from 'ws';
import { MAX_FRAME_BYTES } from '../protocol/wire/wire.ts';
import type { SocketEvents, WireSocket } from './wire-socket.ts';

/** Milliseconds between a close frame and cutting the connection. */
const closeGraceMs = 500;

/** The real socket. Compression stays off: it costs far more than it saves on loopback. */
export function dialWebSocket(url: string, events: SocketEvents): WireSocket {
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
    followRedirects: false,
  });
  let failure = '';
  socket.on('open', () => {
    events.open();
  });
  socket.on('message', (data, isBinary) => {
    if (isBinary) events.binary();
    else events.text(data.toString());
  });
  socket.on('ping', () => events.alive());
  socket.on('pong', () => events.alive());
  socket.on('error', (error) => {
    failure = error.message;
  });
  socket.on('close', (code, reason) => events.closed(code, reason.toString() || failure));
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: (code, reason) => {
      if (socket.readyState === WebSocket.CONNECTING) return socket.terminate();
      socket.close(code, reason);
      const timer = setTimeout(() => socket.terminate(), closeGraceMs);
      timer.unref();
      socket.once('close', () => clearTimeout(timer));
    },
  };
}
