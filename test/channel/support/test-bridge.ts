// A bridge just big enough to talk to a channel server: a real WebSocket server that records every frame.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ToolSpec } from '../../../src/protocol/tool-spec.ts';
import { encode, parseChannelFrame } from '../../../src/protocol/wire/codec.ts';
import type { BridgeFrame, ChannelFrame, Hello } from '../../../src/protocol/wire/wire.ts';
import { until } from '../../support/until.ts';

type FrameOf<T extends ChannelFrame['type']> = Extract<ChannelFrame, { type: T }>;

export class TestConnection {
  readonly frames: ChannelFrame[] = [];
  readonly texts: string[] = [];
  closed: { code: number; reason: string } | undefined;
  readonly socket: WebSocket;

  constructor(socket: WebSocket, onHello: (connection: TestConnection, hello: Hello) => void) {
    this.socket = socket;
    socket.on('message', (data) => {
      const text = data.toString();
      this.texts.push(text);
      const parsed = parseChannelFrame(text);
      if (!parsed.ok) throw new Error(`the channel sent ${parsed.message}`);
      this.frames.push(parsed.frame);
      if (parsed.frame.type === 'hello') onHello(this, parsed.frame);
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
    });
  }

  send(frame: BridgeFrame): void {
    this.socket.send(encode(frame));
  }

  /** All frames of one type so far. */
  all<T extends ChannelFrame['type']>(type: T): FrameOf<T>[] {
    return this.frames.filter((frame): frame is FrameOf<T> => frame.type === type);
  }

  /** The `n`-th frame of a type (1 = first), as soon as it is there. */
  async the<T extends ChannelFrame['type']>(type: T, n = 1): Promise<FrameOf<T>> {
    return until(`${type} no. ${n}`, () => this.all(type)[n - 1]);
  }
}

export interface TestBridgeOptions {
  tools?: ToolSpec[];
  /** Answers a hello; the default accepts everybody. */
  onHello?: (connection: TestConnection, hello: Hello) => void;
  port?: number;
}

export class TestBridge {
  readonly connections: TestConnection[] = [];
  readonly #server: WebSocketServer;

  static async start(options: TestBridgeOptions = {}): Promise<TestBridge> {
    const server = new WebSocketServer({
      host: '127.0.0.1',
      port: options.port ?? 0,
      path: '/bridge',
      perMessageDeflate: false,
    });
    const bridge = new TestBridge(server, options);
    await once(server, 'listening');
    return bridge;
  }

  private constructor(server: WebSocketServer, options: TestBridgeOptions) {
    this.#server = server;
    const accept = (connection: TestConnection) => {
      connection.send({ type: 'hello_ack', tools: options.tools ?? [], session_meta: {} });
    };
    server.on('connection', (socket) => {
      this.connections.push(new TestConnection(socket, options.onHello ?? accept));
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}/bridge`;
  }

  /** The `n`-th connection (1 = first), as soon as its hello was read. */
  async connection(n = 1): Promise<TestConnection> {
    const connection = await until(`connection no. ${n}`, () => this.connections[n - 1]);
    await connection.the('hello');
    return connection;
  }

  /** Frees the port and cuts every connection without a close frame, like a killed process. */
  async kill(): Promise<void> {
    for (const { socket } of this.connections) socket.terminate();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
