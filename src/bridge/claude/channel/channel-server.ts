// The door of `/bridge`: a socket proves within 3 s whose channel it is, or is closed with a code that says why.
import type { WebSocket } from 'ws';
import { hashId } from '../../../base/digest.ts';
import type { Log } from '../../../base/log.ts';
import { sameSecret } from '../../../base/secret.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { encode, parseChannelFrame } from '../../../protocol/wire/codec.ts';
import { CloseCode, type Hello } from '../../../protocol/wire/wire.ts';
import type { ChannelLink } from './channel-link.ts';

interface ChannelOwner {
  /** SHA-256, in hex, of its token. */
  digest: string;
  link: ChannelLink;
}

export interface ChannelServerOptions {
  clock: Clock;
  log: Log;
  /** The running session with this key. */
  find(key: string): ChannelOwner | undefined;
  /** Default 3000 ms. */
  helloMs?: number;
}

export class ChannelServer {
  readonly #options: ChannelServerOptions;

  constructor(options: ChannelServerOptions) {
    this.#options = options;
  }

  /**
   * Takes over an upgraded WebSocket. Its `maxPayload` must be set by whoever upgraded it.
   * @param proved called when its hello showed the right token
   */
  accept(socket: WebSocket, proved: () => void): void {
    // Without a listener an error (oversized frame, reset) would end the process.
    socket.on('error', (error) => this.#options.log.debug('channel socket error', { error }));
    const cancel = this.#options.clock.after(this.#options.helloMs ?? 3000, () =>
      refuse(socket, CloseCode.helloTimeout, 'hello_timeout', 'no hello within the time'),
    );
    socket.once('close', cancel);
    socket.once('message', (data, isBinary) => {
      cancel();
      if (this.#first(socket, isBinary ? '' : String(data))) proved();
    });
  }

  /** @returns whether it may stay */
  #first(socket: WebSocket, text: string): boolean {
    const parsed = parseChannelFrame(text);
    if (!parsed.ok || parsed.frame.type !== 'hello') {
      return refuse(socket, CloseCode.badFrame, 'bad_frame', 'the first frame must be a hello');
    }
    return this.#hello(socket, parsed.frame);
  }

  #hello(socket: WebSocket, hello: Hello): boolean {
    const owner = this.#options.find(hello.openclaw_session);
    // Compared even without an owner, so that both refusals cost the same.
    const proven = sameSecret(owner?.digest ?? '', hashId(hello.token, 64));
    if (!owner)
      return refuse(socket, CloseCode.unknownSession, 'unknown_session', 'no such session runs here');
    if (!proven) return refuse(socket, CloseCode.badToken, 'bad_token', 'the token is not this session’s');
    owner.link.attach(socket, hello);
    return true;
  }
}

function refuse(socket: WebSocket, close: number, code: string, message: string): false {
  socket.send(encode({ type: 'error', code, message }));
  socket.close(close, message);
  return false;
}
