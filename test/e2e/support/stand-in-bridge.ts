// A control socket that serves rows that a test makes up: the operator's screen with no bridge and no Claude behind it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { JournalRow, SessionEvent } from '../../../src/protocol/events/events.ts';

interface Request {
  id: number;
  method: string;
  params: Record<string, unknown>;
}

export class StandInBridge implements AsyncDisposable {
  readonly path = mkdtempSync(join(tmpdir(), 'synthesis-screen-'));
  readonly state = join(this.path, 'state');
  /** Calls that were made besides the screen's own reading. */
  readonly calls: Request[] = [];
  /** What a call of this method is answered with, instead of nothing. */
  readonly answers = new Map<string, unknown>();
  /** Methods that nothing is answered to. */
  readonly silent = new Set<string>();
  readonly #rows: JournalRow[] = [];
  readonly #readers = new Map<Socket, number>();
  readonly #server: Server;

  private constructor() {
    mkdirSync(this.state, { mode: 0o700 });
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async open(): Promise<StandInBridge> {
    const bridge = new StandInBridge();
    const control = join(bridge.path, 'control.sock');
    await new Promise<void>((done) => bridge.#server.listen(control, done));
    writeFileSync(
      join(bridge.state, 'bridge.json'),
      JSON.stringify({ pid: process.pid, url: 'http://127.0.0.1:1', control }),
    );
    return bridge;
  }

  /** Stores events and tells every reader. */
  append(session: string, ...events: SessionEvent[]): void {
    for (const event of events) {
      const row = { seq: this.#rows.length + 1, at: Date.now(), session, event };
      this.#rows.push(row);
      for (const [socket, call] of this.#readers) send(socket, { method: 'event', params: { call, row } });
    }
  }

  /** Begins with an empty journal again. */
  forget(): void {
    this.#rows.length = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#readers.keys()) socket.destroy();
    await new Promise<void>((done) => this.#server.close(() => done()));
    rmSync(this.path, { recursive: true, force: true });
  }

  #serve(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#readers.delete(socket));
    const lines = createInterface(socket);
    lines.on('error', () => socket.destroy());
    lines.on('line', (line) => this.#answer(socket, JSON.parse(line) as Request));
  }

  #answer(socket: Socket, request: Request): void {
    const { id, method, params } = request;
    if (this.silent.has(method)) return void this.calls.push(request);
    if (this.answers.has(method)) return send(socket, { id, result: this.answers.get(method) });
    switch (method) {
      case 'session.snapshot':
        return send(socket, { id, result: { seq: 0, sessions: [] } });
      case 'events.subscribe':
        for (const row of this.#rows.slice(Number(params.from)))
          send(socket, { method: 'event', params: { call: id, row } });
        if (params.follow === false) return send(socket, { id, result: {} });
        this.#readers.set(socket, id);
        return;
      case 'bridge.status':
        return send(socket, { id, result: { url: 'http://127.0.0.1:18801', version: '0.0.0' } });
      default:
        this.calls.push(request);
        return send(socket, { id, result: {} });
    }
  }
}

const send = (socket: Socket, message: object): void =>
  void socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
