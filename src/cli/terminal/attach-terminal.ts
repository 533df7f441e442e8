// Claude's own screen in this terminal: to look at, or, with the lease, to type into. Nothing is typed that its user
// did not type.

import type { ControlNotifications } from '../../domain/views/control.ts';
import { CliError } from '../cli-error.ts';
import { connectBridge } from '../client/control-client.ts';
import type { RpcConnection } from '../client/rpc-connection.ts';
import { safeLine } from '../output/safe.ts';
import { DetachKeys, defaultDetachKeys, keyBytes, keyNames } from './detach-keys.ts';
import { keysOnly } from './input-filter.ts';
import { Mirror, type Size } from './mirror.ts';
import { RawTerminal } from './raw-terminal.ts';
import { ttyname } from './tty-name.ts';

export interface AttachTerminalOptions {
  state: string;
  session: string;
  drive: boolean;
  /** As in `--detach-keys`. */
  detachKeys?: string;
}

/** Why it ended. */
export type AttachEnd = 'detached' | 'exited' | 'hung_up' | 'signal';

/**
 * Takes over the terminal until its user detaches, Claude Code ends, or the bridge does.
 * @throws CliError `not_running`, `no_such_session`, `driven`, …; the terminal is untouched or restored then
 */
export async function attachTerminal(options: AttachTerminalOptions): Promise<AttachEnd> {
  const names = options.detachKeys ?? defaultDetachKeys;
  const keys = new DetachKeys(keyBytes(names));
  const connection = await connectBridge(options.state);
  try {
    // Refused before the terminal is touched: then the words stand where the user can read them.
    const { key } = await connection.call(
      'session.inspect',
      { session: options.session },
      { timeoutMs: 10_000 },
    );
    return await new Seat({ ...options, session: key, names }, keys, connection).sit();
  } finally {
    connection.close();
  }
}

class Seat {
  readonly #options: AttachTerminalOptions & { names: string };
  readonly #keys: DetachKeys;
  readonly #connection: RpcConnection;
  readonly #ended = Promise.withResolvers<AttachEnd>();
  #mirror: Mirror | undefined;
  #terminal: RawTerminal | undefined;
  #call = 0;
  #driving = false;
  #driver: string | null = null;
  #source: Size = { cols: 0, rows: 0 };

  constructor(
    options: AttachTerminalOptions & { names: string },
    keys: DetachKeys,
    connection: RpcConnection,
  ) {
    this.#options = options;
    this.#keys = keys;
    this.#connection = connection;
  }

  async sit(): Promise<AttachEnd> {
    const stop = () => this.#ended.resolve('signal');
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, stop);
    const { session, drive } = this.#options;
    const size = { cols: process.stdout.columns || 80, rows: process.stdout.rows || 24 };
    const { id, result } = this.#connection.start(
      'terminal.attach',
      { session, ...inner(size), drive, who: `pid ${process.pid}${ttyname()}` },
      { onNotification: (method, params) => this.#told(method, params) },
    );
    this.#call = id;
    this.#driving = drive;
    result.then(
      () => this.#ended.resolve('exited'),
      (error: unknown) => {
        if (error instanceof CliError && error.code === 'hung_up') this.#ended.resolve('hung_up');
        else this.#ended.reject(error);
      },
    );
    try {
      return await this.#ended.promise;
    } finally {
      this.#terminal?.giveBack();
      this.#mirror?.close();
      for (const signal of signals) process.off(signal, stop);
    }
  }

  #told(method: string, params: Record<string, unknown>): void {
    switch (method) {
      case 'terminal.snapshot':
        return this.#picture(params as unknown as ControlNotifications['terminal.snapshot']);
      case 'terminal.data':
        return this.#mirror?.write(String(params.data));
      case 'terminal.resized': {
        const { cols, rows } = params as unknown as ControlNotifications['terminal.resized'];
        this.#source = { cols, rows };
        this.#mirror?.resizeSource(this.#source);
        return this.#showStatus();
      }
      case 'terminal.lease': {
        const { driver, mine } = params as unknown as ControlNotifications['terminal.lease'];
        this.#driver = driver;
        this.#driving = mine;
        return this.#showStatus();
      }
      default:
        return;
    }
  }

  /** The first picture is the moment to take the terminal over. */
  #picture({ cols, rows, data, driver }: ControlNotifications['terminal.snapshot']): void {
    this.#driver = driver;
    this.#source = { cols, rows };
    this.#terminal ??= new RawTerminal({
      typed: (text) => this.#typed(text),
      resized: () => this.#resized(),
    });
    const terminal = this.#terminal;
    this.#mirror ??= new Mirror({
      write: (text) => terminal.write(text),
      size: terminal.size,
      status: '',
    });
    this.#mirror.restart(this.#source, data);
    this.#showStatus();
  }

  #typed(text: string): void {
    const { pass, detach } = this.#keys.take(text);
    if (this.#driving) this.#send(keysOnly(pass));
    // Who only looks has no other use for Ctrl-C.
    else if (pass.includes('\u0003')) this.#ended.resolve('detached');
    if (detach) this.#ended.resolve('detached');
  }

  #send(data: string): void {
    if (data === '') return;
    this.#connection.call('terminal.input', { call: this.#call, data }).catch(() => undefined);
  }

  #resized(): void {
    const terminal = this.#terminal;
    if (!terminal) return;
    this.#mirror?.resize(terminal.size);
    this.#connection
      .call('terminal.resize', { call: this.#call, ...inner(terminal.size) })
      .catch(() => undefined);
    this.#showStatus();
  }

  #showStatus(): void {
    if (!this.#mirror || !this.#terminal) return;
    const { session, names } = this.#options;
    const { cols, rows } = this.#terminal.size;
    const how = this.#driving ? 'you type' : this.#driver ? `${this.#driver} types` : 'read-only';
    const cut =
      this.#source.cols > cols || this.#source.rows > rows - 1
        ? ` | cut: Claude's screen is ${this.#source.cols}x${this.#source.rows}`
        : '';
    this.#mirror.status = ` ${safeLine(how)} | ${keyNames(names)} detaches | ${safeLine(session)}${cut}`;
    this.#mirror.driving = this.#driving;
  }
}

/** The last row is the status line's. */
const inner = ({ cols, rows }: Size): Size => ({ cols, rows: Math.max(1, rows - 1) });
