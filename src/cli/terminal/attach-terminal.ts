// Claude's own screen in this terminal: to look at, or, with the lease, to type into. Nothing is typed that its user
// did not type, nor anything that was typed while nobody could see what it would answer.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cancel, systemClock } from '../../base/time/clock.ts';
import type { ControlNotifications } from '../../domain/views/control.ts';
import { CliError } from '../cli-error.ts';
import { bridgeBack } from '../client/bridge-back.ts';
import { connectBridge } from '../client/control-client.ts';
import type { RpcConnection } from '../client/rpc-connection.ts';
import { proveUnasked } from '../operator-proof/at-terminal.ts';
import { DetachKeys, defaultDetachKeys, keyBytes, keyNames } from './detach-keys.ts';
import { keysOnly } from './input-filter.ts';
import { Mirror, type Size } from './mirror.ts';
import { RawTerminal } from './raw-terminal.ts';
import { type SeatStatus, statusLine } from './status-line.ts';
import { ttyname } from './tty-name.ts';

export interface AttachTerminalOptions {
  state: string;
  session: string;
  drive: boolean;
  /** As in `--detach-keys`. */
  detachKeys?: string;
}

/**
 * Why it ended. `left`: detached while no bridge was there. `gone`: Claude Code did not go on over a restart of the
 * bridge.
 */
export type AttachEnd = 'detached' | 'left' | 'exited' | 'gone' | 'signal';

/** From the first picture after a restart until keys count, ms: they were pressed for the one before. */
const lookMs = 1_000;
/** How long news stand in the status line, ms. */
const newsMs = 5_000;

/**
 * Takes over the terminal until its user detaches or Claude Code ends. A bridge that goes away is waited for: Claude Code
 * goes on without it.
 * @throws CliError `not_running`, `no_such_session`, `driven`, …; the terminal is untouched or restored then
 */
export async function attachTerminal(options: AttachTerminalOptions): Promise<AttachEnd> {
  const names = options.detachKeys ?? defaultDetachKeys;
  const bytes = keyBytes(names);
  const connection = await connectBridge(options.state);
  try {
    // Refused before the terminal is touched: then the words stand where the user can read them.
    const { key, label } = await connection.call(
      'session.inspect',
      { session: options.session },
      { timeoutMs: 10_000 },
    );
    return await new Seat({ ...options, session: key, name: label ?? key, names, bytes }, connection).sit();
  } finally {
    connection.close();
  }
}

type SeatOptions = AttachTerminalOptions & { name: string; names: string; bytes: string };

class Seat {
  readonly #options: SeatOptions;
  readonly #ended = Promise.withResolvers<AttachEnd>();
  readonly #over = new AbortController();
  #connection: RpcConnection;
  #keys: DetachKeys;
  #mirror: Mirror | undefined;
  #terminal: RawTerminal | undefined;
  #call = 0;
  #bridge: SeatStatus['bridge'] = 'there';
  #driving = false;
  /** Drives, or is to again when the bridge is back. */
  #wants: boolean;
  #driver: string | null = null;
  #source: Size = { cols: 0, rows: 0 };
  #news: string | undefined;
  #cancelNews: Cancel = () => {};

  constructor(options: SeatOptions, connection: RpcConnection) {
    this.#options = options;
    this.#connection = connection;
    this.#keys = new DetachKeys(options.bytes);
    this.#wants = options.drive;
  }

  async sit(): Promise<AttachEnd> {
    const stop = () => this.#ended.resolve('signal');
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, stop);
    try {
      return await Promise.race([this.#ended.promise, this.#stay()]);
    } finally {
      this.#over.abort();
      this.#cancelNews();
      this.#terminal?.giveBack();
      this.#mirror?.close();
      for (const signal of signals) process.off(signal, stop);
    }
  }

  /** Attached to Claude Code, over every restart of the bridge. */
  async #stay(): Promise<AttachEnd> {
    for (let drive = this.#options.drive; ; drive = false) {
      try {
        await this.#attach(drive);
        return 'exited';
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        if (this.#bridge === 'away' && error.code === 'not_running') return 'gone';
        // Who has seen nothing yet has nothing to wait for.
        if (error.code !== 'hung_up' || !this.#terminal) throw error;
      }
      const connection = await this.#nextBridge();
      if (!connection) return 'left';
      connection.prover = proveUnasked;
      this.#connection = connection;
    }
  }

  /** Resolves when Claude Code has ended. @throws CliError */
  async #attach(drive: boolean): Promise<void> {
    const { stdout } = process;
    const size = this.#terminal?.size ?? { cols: stdout.columns || 80, rows: stdout.rows || 24 };
    const { session } = this.#options;
    const { id, result } = this.#connection.start(
      'terminal.attach',
      { session, ...inner(size), drive, who: `pid ${process.pid}${ttyname()}` },
      { onNotification: (method, params) => this.#told(method, params) },
    );
    this.#call = id;
    this.#driving = drive;
    await result;
  }

  #nextBridge(): Promise<RpcConnection | undefined> {
    this.#bridge = 'away';
    this.#driving = false;
    this.#driver = null;
    this.#news = undefined;
    this.#showStatus();
    return bridgeBack(this.#options.state, this.#over.signal);
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
        // Taken away, not lost with the bridge.
        if (this.#driving && !mine) this.#wants = false;
        // The first of the detach keys may have been pressed when nothing was typed.
        if (!this.#driving && mine) this.#keys = new DetachKeys(this.#options.bytes);
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
    if (this.#bridge === 'away') void this.#goOn();
    this.#showStatus();
  }

  /** The bridge is back, and the picture with it. */
  async #goOn(): Promise<void> {
    if (!this.#wants) return this.#say('the bridge is back');
    const connection = this.#connection;
    this.#bridge = 'back';
    await sleep(lookMs, undefined, { signal: this.#over.signal }).catch(() => undefined);
    try {
      await connection.call('terminal.drive', { call: this.#call, drive: true });
      this.#say('you type again');
    } catch (error) {
      // Gone once more: the next bridge is asked.
      if (!(error instanceof CliError) || error.code === 'hung_up') return;
      this.#wants = false;
      this.#say(`read-only now: ${refusals[error.code] ?? error.message}`);
    }
  }

  /** Says it for a moment; the bridge is there. */
  #say(news: string): void {
    this.#bridge = 'there';
    this.#news = news;
    this.#cancelNews();
    this.#cancelNews = systemClock.after(newsMs, () => {
      this.#news = undefined;
      this.#showStatus();
    });
    this.#showStatus();
  }

  #typed(text: string): void {
    const { pass, detach } = this.#keys.take(text);
    const left = this.#bridge === 'away' ? 'left' : 'detached';
    if (this.#driving) this.#send(keysOnly(pass));
    // Who only looks has no other use for Ctrl-C.
    else if (pass.includes('\u0003')) this.#ended.resolve(left);
    if (detach) this.#ended.resolve(left);
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
    this.#mirror.status = statusLine({
      session: this.#options.name,
      leave: keyNames(this.#options.names),
      bridge: this.#bridge,
      driving: this.#driving,
      wants: this.#wants,
      driver: this.#driver,
      news: this.#news,
      size: this.#terminal.size,
      source: this.#source,
    });
    this.#mirror.driving = this.#driving;
  }
}

/** Why a seat that drove before does not drive again. */
const refusals: Partial<Record<string, string>> = {
  driven: 'somebody else types',
  panic: 'everything is stopped',
  proof_wanted: 'typing takes a code, attach again',
  no_key: 'typing takes your key, attach again',
  not_signed: 'typing takes your key, attach again',
};

/** The last row is the status line's. */
const inner = ({ cols, rows }: Size): Size => ({ cols, rows: Math.max(1, rows - 1) });
