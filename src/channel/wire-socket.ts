/** What the link needs of a WebSocket. Neither method throws on a socket that is already closed. */
export interface WireSocket {
  send(text: string): void;
  /** Closes, and cuts the connection if the peer does not answer. */
  close(code: number, reason: string): void;
}

export interface SocketEvents {
  open(): void;
  text(text: string): void;
  binary(): void;
  /** A WebSocket ping or pong: alive, nothing to read. */
  alive(): void;
  /** Once, whatever ended the socket; `reason` is the peer's or the error's. */
  closed(code: number, reason: string): void;
}

/** Starts to connect. Events come later, never from inside this call. */
export type Dial = (url: string, events: SocketEvents) => WireSocket;
