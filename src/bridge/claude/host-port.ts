// The process that has a Claude Code's terminal and the door of its hooks, as this room needs it. `bridge/terminal` fits by
// shape; only wiring/ names both.
import type { Terminal, TerminalSpec } from './terminal-port.ts';

export type HookRequest = 'none' | 'open' | 'written' | 'gone';

/** One hook of Claude Code. Its response is given with `answer`, where one is waited for. */
export interface HostedHook {
  /** Counts the hooks of one host, from 1. */
  n: number;
  event: string;
  /** JSON, unread. A view: copy what is to be kept. */
  body: Buffer;
  /**
   * `none`: nobody waits for more than its arrival. `open`: it waits for an answer. `written`: it got one of a bridge
   * before. `gone`: it waits no more, and got none.
   */
  request: HookRequest;
}

/** What comes from a host's hooks, in order. */
export interface HostedHooks {
  came(hook: HostedHook): void;
  /** The answer of hook `n` was handed to the system. */
  written(n: number): void;
  /** Whoever sent hook `n` hung up before its answer: "No" or Esc in the terminal does (measured on 2.1.329). */
  gone(n: number): void;
}

export interface Host {
  /** Where hooks are posted: `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly hooksUrl: string;
  /** What `remember` was given last. */
  readonly memo: Uint8Array;
  /**
   * Starts the program, once.
   * @param token what its hooks have to show @throws Error in words when it cannot be started
   */
  start(spec: TerminalSpec, token: string): Promise<Terminal>;
  /**
   * From now on the terminal draws, and hooks come: first those that are kept.
   * @param unproven so many connections to the host did not prove until now that they come from a bridge of this state
   * folder; called once a minute at most
   */
  attach(hooks: HostedHooks, unproven: (count: number) => void): void;
  /** Keeps bytes for whoever has the host after this bridge, at most 64 KiB. */
  remember(memo: Uint8Array): void;
  /**
   * Tells Claude Code's MCP client something that it has not asked.
   * @param message of JSON-RPC @param keep until it listens; the newest is kept
   */
  notify(message: string, keep: boolean): void;
  /** @param ms how long it stays, with its program, when the bridge goes; 0 until this was said */
  keep(ms: number): void;
  /**
   * Host and program end unless this is called again within `ms`, also when the bridge is gone, stands still or is in a
   * machine that was suspended. At once when it is 0 or less.
   * @param ms finite; undefined: they may stay again
   */
  lease(ms: number | undefined): void;
  /** @param body JSON, or nothing where nothing is to be said */
  answer(n: number, body: string): void;
  /** What hooks up to `n` said is on disk. */
  acknowledge(n: number): void;
  /** What became of the request of hook `n`, too. */
  done(n: number): void;
  /** Goes, and leaves host and program to the next bridge. Nothing is heard of them any more. */
  leave(): void;
  /**
   * Ends the host, and its program if that still runs. Resolves when it is gone, or does not go. Idempotent.
   * @param now at once, with everything below it, also where an orderly end is under way
   */
  quit(now?: boolean): Promise<void>;
}

/** A host that outlived the bridge before, with the program it has. */
export interface LivingHost {
  host: Host;
  terminal: Terminal;
  /** Names the host. */
  run: string;
  /** `id` of the newest key that had one and was typed: see `Terminal.write`. */
  typed: string | undefined;
  /** SHA-256, in hex, of the token that its hooks show. */
  token: string;
}

/**
 * Starts a host.
 * @param dir the session's folder @param run names the host @throws Error in words
 */
export type StartHost = (dir: string, run: string) => Promise<Host>;
