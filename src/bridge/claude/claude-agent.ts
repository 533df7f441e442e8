// The agent port: one Claude Code per session, at most `maxLive` at once.
import { hashId } from '../../base/digest.ts';
import type { Cancel } from '../../base/time/clock.ts';
import { Watch } from '../../base/waiting/watch.ts';
import type { ToolSpec } from '../../protocol/tool-spec.ts';
import type { AgentPort, AgentSession, PermissionAnswer, Prompt } from '../app/ports.ts';
import { ChannelServer } from './channel/channel-server.ts';
import { ClaudeSession } from './claude-session.ts';
import { resumeAfter } from './delivery/suspended.ts';
import type { LivingHost } from './host-port.ts';
import type { KnownRun } from './known-run.ts';
import { OneShots } from './one-shots.ts';
import { type AgentLimits, type AgentOptions, defaultLimits } from './options.ts';
import { KnownLayouts } from './process/known-layouts.ts';
import { PreflightCheck } from './process/preflight.ts';
import type { Ready, SessionHost } from './process/process-state.ts';

export interface LiveSession {
  key: string;
  pid: number | undefined;
  state: ClaudeSession['state'];
}

/** Claude's own terminal, for a viewer. */
export interface Viewer {
  /** The size that Claude Code draws for now. */
  readonly size: { cols: number; rows: number };
  /** Escape sequences that draw the screen; output from the call on comes on top of it. */
  snapshot(): Promise<{ cols: number; rows: number; data: string }>;
  write(keys: string): void;
  resize(cols: number, rows: number): void;
  /** Stops the output. The session goes on. */
  detach(): void;
}

export class ClaudeAgent implements AgentPort {
  /** Hand every upgraded `/bridge` WebSocket to `channels.accept`. */
  readonly channels: ChannelServer;
  readonly #options: AgentOptions;
  readonly #limits: AgentLimits;
  readonly #preflight: PreflightCheck;
  readonly #layouts = new KnownLayouts();
  /** What is asked outside of every conversation. */
  readonly oneShots: OneShots;
  readonly #sessions = new Map<string, ClaudeSession>();
  readonly #watch: Watch;
  readonly #viewers = new Map<string, number>();
  #idleTimer: Cancel | undefined;
  #admitting: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;
  readonly #unsubscribe: (() => void) | undefined;
  /** What becomes of them is told to the next bridge. */
  #hasLeft = false;

  constructor(given: AgentOptions) {
    const report: AgentOptions['report'] = (...told) => {
      if (!this.#hasLeft) given.report(...told);
    };
    const options = { ...given, report };
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#preflight = new PreflightCheck({ claudeCommand: options.claudeCommand, env: options.env });
    this.oneShots = new OneShots({ ...options, preflight: this.#preflight });
    this.#watch = new Watch(options.clock);
    this.channels = new ChannelServer({
      clock: options.clock,
      log: options.log,
      find: (key) => {
        const run = this.#sessions.get(key)?.run;
        return run?.isServed ? undefined : run;
      },
    });
    this.#unsubscribe = options.localTools?.subscribe(() => {
      for (const session of this.#sessions.values()) session.localToolsChanged();
    });
    this.#lookForIdle();
  }

  deliver(session: AgentSession, prompt: Prompt): void {
    if (this.#closing) {
      const { turn } = prompt;
      const detail = 'The bridge is stopping.';
      this.#options.report(session.key, {
        type: 'prompt.failed',
        turn,
        code: 'shutting_down',
        detail,
        retry: false,
      });
      return;
    }
    this.#session(session.key).deliver(session, prompt);
  }

  start(session: AgentSession): void {
    if (!this.#closing) this.#session(session.key).start(session);
  }

  /** Goes on with a Claude Code that outlived the bridge before. @param prompt of the turn that is being handed over */
  adopt(session: AgentSession, living: LivingHost, known: KnownRun, was: Ready, prompt?: Prompt): void {
    this.#session(session.key).adopt(session, living, known, was, prompt);
  }

  interrupt(key: string): void {
    const session = this.#sessions.get(key);
    if (session) session.interrupt();
    else this.#options.report(key, { type: 'turn.idle', interrupted: true });
  }

  stop(key: string, reason: string): void {
    const session = this.#sessions.get(key);
    if (session?.live) void session.stop(reason);
    else this.#options.report(key, { type: 'agent.exited', detail: reason });
  }

  /**
   * Ends every Claude Code at once, with all that it has started, whatever it is at; conversations can be resumed. What is
   * asked outside of conversations ends, too. Resolves when they are gone, or do not go.
   */
  async endAll(reason: string): Promise<void> {
    this.oneShots.endAll();
    await Promise.all([...this.#sessions.values()].map((session) => session.endNow(reason)));
  }

  answerPermission(key: string, answer: PermissionAnswer): void {
    this.#sessions.get(key)?.answerPermission(answer);
  }

  answerTool(key: string, call: string, ok: boolean, content: string, envelope?: boolean): void {
    this.#sessions.get(key)?.answerTool(call, ok, content, envelope);
  }

  setTools(key: string, tools: ToolSpec[]): void {
    this.#sessions.get(key)?.setTools(tools);
  }

  /**
   * The session's Claude Code ends, whatever becomes of this bridge, unless this is called again within `ms`; at once when
   * that is 0 or less. Nothing happens when none is there: what is started later is asked for (`leaseOf`).
   * @param ms finite; undefined: it may stay for as long as it likes
   */
  lease(key: string, ms: number | undefined): void {
    this.#sessions.get(key)?.lease(ms);
  }

  /** Ends every Claude Code. */
  close(): Promise<void> {
    this.#closing ??= this.#close((session) => session.close());
    return this.#closing;
  }

  /** Leaves every Claude Code that was ready to the next bridge, and ends the others. */
  leave(): Promise<void> {
    this.#hasLeft ||= this.#closing === undefined;
    this.#closing ??= this.#close((session) => session.leave());
    return this.#closing;
  }

  /** The rows that the session's terminal shows now; undefined when it does not run. */
  screenOf(key: string): string[] | undefined {
    return this.#sessions.get(key)?.run?.terminal.rows();
  }

  sessions(): LiveSession[] {
    return [...this.#sessions].map(([key, session]) => ({
      key,
      pid: session.run?.terminal.pid,
      state: session.state,
    }));
  }

  /** Joins Claude's own terminal. A session with a viewer is not evicted. @param output raw bytes from now on */
  view(key: string, output: (data: string) => void, ended: () => void): Viewer | undefined {
    const run = this.#sessions.get(key)?.run;
    if (!run) return undefined;
    const { terminal } = run;
    const count = (by: number) => this.#viewers.set(key, (this.#viewers.get(key) ?? 0) + by);
    const unsubscribes = [terminal.onData(output), terminal.onExit(ended)];
    let attached = true;
    count(1);
    return {
      get size() {
        return terminal.size;
      },
      snapshot: () => terminal.snapshot(),
      write: (keys) => {
        run.identity.typing();
        terminal.write(keys);
        void resumeAfter(run, keys);
      },
      resize: (cols, rows) => terminal.resize(cols, rows),
      detach: () => {
        if (attached) count(-1);
        attached = false;
        for (const unsubscribe of unsubscribes) unsubscribe();
      },
    };
  }

  #session(key: string): ClaudeSession {
    const known = this.#sessions.get(key);
    if (known) return known;
    const { options, limits, preflight } = {
      options: this.#options,
      limits: this.#limits,
      preflight: this.#preflight,
    };
    const host: SessionHost = {
      options,
      limits,
      preflight,
      layouts: this.#layouts,
      log: options.log.child({ session: hashId(key) }),
      report: (report, heard) => options.report(key, report, heard),
      admit: () => this.#admit(key),
      viewed: () => (this.#viewers.get(key) ?? 0) > 0,
      changed: () => this.#watch.poke(),
    };
    const session = new ClaudeSession(host);
    this.#sessions.set(key, session);
    return session;
  }

  /** One at a time, so that two starts do not take the same place. */
  #admit(key: string): Promise<boolean> {
    const turn = this.#admitting.then(() => this.#findPlace(key));
    this.#admitting = turn.catch(() => undefined);
    return turn;
  }

  async #findPlace(key: string): Promise<boolean> {
    const deadline = this.#options.clock.now() + this.#limits.slotMs;
    const taken = () =>
      [...this.#sessions].filter(([other, session]) => other !== key && session.live).length;
    while (taken() >= this.#limits.maxLive) {
      const left = deadline - this.#options.clock.now();
      if (left <= 0) return false;
      const idlest = this.#idlest(key);
      // Sessions become idle on their screens, which nobody announces: so it is looked at again now and then.
      if (idlest) await idlest.stop('idle');
      else await this.#watch.until(() => taken() < this.#limits.maxLive, Math.min(left, 250));
    }
    return true;
  }

  /** The session that has been idle longest and loses nothing by being ended. */
  #idlest(except: string): ClaudeSession | undefined {
    return [...this.#sessions]
      .filter(([key, session]) => key !== except && session.evictable && !this.#viewers.get(key))
      .map(([, session]) => session)
      .sort((left, right) => left.activeAt - right.activeAt)[0];
  }

  #lookForIdle(): void {
    const { clock } = this.#options;
    const { idleMs } = this.#limits;
    for (const [key, session] of this.#sessions) {
      if (session.evictable && !this.#viewers.get(key) && clock.now() - session.activeAt >= idleMs) {
        void session.stop('idle');
      }
    }
    this.#idleTimer = clock.after(Math.min(idleMs, 60_000) / 2, () => this.#lookForIdle());
  }

  async #close(end: (session: ClaudeSession) => Promise<void>): Promise<void> {
    this.#idleTimer?.();
    this.#unsubscribe?.();
    await Promise.all([...[...this.#sessions.values()].map(end), this.oneShots.close()]);
    this.#watch.close();
  }
}
