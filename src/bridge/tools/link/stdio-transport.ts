// An MCP server that the bridge starts, over its standard input and output. The SDK's own transport starts no process
// group and tells no exit code: what a wrapper like npx leaves running could not be ended, and an end not explained.
import { type ChildProcess, spawn } from 'node:child_process';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { LineSplitter } from '../../../base/text/lines.ts';
import type { Cancel, Clock } from '../../../base/time/clock.ts';
import type { ProcessGroups } from './process-groups.ts';
import type { ProviderTransport, TransportEvents } from './transport.ts';

export interface StdioOptions extends TransportEvents {
  clock: Clock;
  groups: ProcessGroups;
  command: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string | undefined;
}

/** Characters of one message. */
const longestLine = 16 * 1024 * 1024;
/** Milliseconds between the end of its input and SIGTERM, and between that and SIGKILL. */
const graceMs = 1_000;

export class StdioTransport implements ProviderTransport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #options: StdioOptions;
  readonly #lines = new LineSplitter(longestLine);
  readonly #gone = Promise.withResolvers<void>();
  #child: ChildProcess | undefined;
  #cancel: Cancel = () => {};

  constructor(options: StdioOptions) {
    this.#options = options;
  }

  /** @throws when the program cannot be started */
  start(): Promise<void> {
    const { command, env, cwd, said, groups } = this.#options;
    const [file = '', ...args] = command;
    const child = spawn(file, args, { env, cwd, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child = child;
    child.stdin.on('error', (error) => this.onerror?.(error));
    child.stdout.on('error', (error) => this.onerror?.(error));
    child.stderr.on('error', (error) => this.onerror?.(error));
    child.stdout.on('data', (chunk: Uint8Array) => this.#read(chunk));
    child.stderr.setEncoding('utf8').on('data', said);
    child.once('exit', () => this.#exited(child));
    child.once('close', (code, signal) => this.#closed(endWords(code, signal)));
    if (child.pid !== undefined) groups.add(child.pid);
    return new Promise((resolve, reject) => {
      child.once('spawn', () => resolve());
      child.once('error', (error: Error & { code?: unknown }) => {
        const why = error.code === 'ENOENT' ? `${file} was not found` : `${file} could not be started`;
        this.#closed(why);
        reject(new Error(why, { cause: error }));
      });
    });
  }

  /** Resolves when the message is taken by the pipe: a program that does not read holds its own calls up, nobody else. */
  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) return Promise.reject(new Error('it has ended'));
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Ends it in order, then by force, with all that it started. Resolves when it is gone. */
  close(): Promise<void> {
    const { clock } = this.#options;
    const child = this.#child;
    if (!child) return Promise.resolve();
    // It has ended, and only its pipes are still held: they are let go of soon.
    if (child.exitCode !== null || child.signalCode !== null) return this.#gone.promise;
    child.stdin?.end();
    this.#cancel();
    this.#cancel = clock.after(graceMs, () => {
      this.#signal('SIGTERM');
      this.#cancel = clock.after(graceMs, () => this.#signal('SIGKILL'));
    });
    return this.#gone.promise;
  }

  /** Ends it now: it hangs. */
  kill(): void {
    this.#signal('SIGKILL');
  }

  #read(chunk: Uint8Array): void {
    try {
      for (const line of this.#lines.push(chunk)) this.#message(line);
    } catch {
      this.#options.garbled();
      this.kill();
    }
  }

  #message(line: string): void {
    const parsed = JSONRPCMessageSchema.safeParse(jsonOf(line));
    if (parsed.success) this.onmessage?.(parsed.data);
    else this.#options.garbled();
  }

  /** The whole group: a wrapper's children, too. */
  #signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // It is gone.
    }
  }

  /** What it started and left behind belongs to it, and may hold its pipes open. */
  #exited(child: ChildProcess): void {
    this.#signal('SIGKILL');
    this.#cancel();
    this.#cancel = this.#options.clock.after(graceMs, () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    });
  }

  #closed(why: string): void {
    const { pid } = this.#child ?? {};
    if (!this.#child) return;
    if (pid !== undefined) this.#options.groups.remove(pid);
    this.#child = undefined;
    this.#cancel();
    this.#options.ended(why);
    this.onclose?.();
    this.#gone.resolve();
  }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const endWords = (code: number | null, signal: string | null): string =>
  signal === null ? `it ended with exit code ${code ?? 0}` : `it was ended by ${signal}`;
