// One session's Claude Code over time: stopped, starting, ready, stopped again. One task at a time.

import type { Log } from '../../base/log.ts';
import type { AgentReport } from '../../domain/commands.ts';
import type { Delivery } from '../../protocol/events.ts';
import type { FailureCode } from '../../protocol/failures.ts';
import type { ToolSpec } from '../../protocol/tool-spec.ts';
import type { AgentSession, PermissionAnswer, Prompt } from '../app/ports.ts';
import { repairChannel, untilChannelDies } from './channel-repair.ts';
import type { ClaudeRun } from './claude-run.ts';
import { deliverByChannel } from './deliver-channel.ts';
import { type Delivered, deliverTyped, emptyBox, gone, pressEscape, type Ticket } from './deliver-typed.ts';
import type { Dialog } from './dialogs.ts';
import { endRun } from './end-run.ts';
import { exitWords } from './exit-reading.ts';
import type { AgentLimits, AgentOptions } from './options.ts';
import type { PreflightCheck } from './preflight.ts';
import { awaitReady } from './readiness.ts';
import { screenTail } from './screen-reader.ts';
import { type Lock, lockSession } from './session-lock.ts';
import { ready, type Started, startRun } from './start-run.ts';
import { watchQuestions, watchTurns } from './turn-watch.ts';
import { typePlan } from './typist.ts';

type State =
  | { name: 'stopped' }
  | { name: 'starting' }
  | { name: 'dialog'; dialog: Dialog }
  | { name: 'ready'; delivery: Delivery }
  | { name: 'stopping' };

export interface SessionHost {
  options: AgentOptions;
  limits: AgentLimits;
  preflight: PreflightCheck;
  log: Log;
  report(report: AgentReport): void;
  /** Waits for a free place among the live processes. @returns false when none came free in time */
  admit(): Promise<boolean>;
  /** Somebody looks at Claude's terminal now. */
  viewed(): boolean;
  /** Something changed that others may wait for. */
  changed(): void;
}

type StartResult =
  | { kind: 'ready'; run: ClaudeRun; delivery: Delivery }
  | { kind: 'failed'; failure: FailureCode; detail: string };

/** How long after Esc the box may take to show the prompt again, ms. */
const putBackMs = 500;

export class ClaudeSession {
  readonly #host: SessionHost;
  #state: State = { name: 'stopped' };
  #run: ClaudeRun | undefined;
  #lock: Extract<Lock, { ok: true }> | undefined;
  #ticket: Ticket | undefined;
  #tail: Promise<void> = Promise.resolve();
  #waiting = 0;
  #interrupting = false;
  #closed = false;
  #endedAt: number;

  constructor(host: SessionHost) {
    this.#host = { ...host, report: (report) => this.#report(host, report) };
    this.#endedAt = host.options.clock.now();
  }

  get run(): ClaudeRun | undefined {
    return this.#run;
  }

  get state(): State['name'] | 'busy' {
    return this.#state.name === 'ready' && this.#run?.trace.busy ? 'busy' : this.#state.name;
  }

  /** Holds a process, or is about to. */
  get live(): boolean {
    return this.#state.name !== 'stopped';
  }

  /** Nothing is going on that an orderly end would cut off. */
  get evictable(): boolean {
    return this.#state.name === 'ready' && this.#waiting === 0 && this.#run?.idle === true;
  }

  /** Monotonic ms of the last sign of work. */
  get activeAt(): number {
    return Math.max(this.#run?.activeAt ?? 0, this.#endedAt);
  }

  deliver(session: AgentSession, prompt: Prompt): void {
    // One turn is in flight: a newer hand-over means that nobody waits for the older one.
    if (this.#ticket && !this.#ticket.sent) this.#ticket.cancelled = true;
    const ticket: Ticket = { turn: prompt.turn, cancelled: false, sent: false };
    this.#ticket = ticket;
    this.#run?.watch.poke();
    this.#enqueue(async () => {
      await this.#handOver(session, prompt, ticket);
      if (this.#ticket === ticket) this.#ticket = undefined;
    });
  }

  /** Starts Claude Code without a prompt; what becomes of it is reported. */
  start(session: AgentSession): void {
    this.#enqueue(async () => {
      if (this.#closed) return;
      const started = await this.#ensureReady(session);
      if (started.kind === 'failed' && this.#state.name === 'stopped') {
        this.#host.report({ type: 'agent.exited', detail: started.detail, failure: started.failure });
      }
    });
  }

  interrupt(): void {
    const ticket = this.#ticket;
    if (ticket && !ticket.sent) {
      ticket.cancelled = true;
      this.#run?.watch.poke();
      this.#failed(ticket.turn, 'interrupted', 'cancelled before Claude Code saw it', false);
      return;
    }
    if (ticket) ticket.cancelled = true;
    if (this.#run?.trace.busy) void this.#escape(this.#run);
    else if (!ticket) this.#host.report({ type: 'turn.idle', interrupted: true });
  }

  stop(reason: string): Promise<void> {
    const run = this.#run;
    if (run) {
      run.stopping ??= reason;
      run.watch.poke();
    }
    return this.#enqueue(() => this.#end(reason));
  }

  answerPermission(answer: PermissionAnswer): void {
    this.#run?.desk.answer(answer);
    this.#run?.watch.poke();
  }

  answerTool(call: string, ok: boolean, content: string): void {
    this.#run?.link.answerTool(call, ok, content);
  }

  setTools(tools: ToolSpec[]): void {
    this.#run?.link.setTools(tools);
  }

  /** Ends the process and takes no more work. */
  close(): Promise<void> {
    this.#closed = true;
    if (this.#ticket && !this.#ticket.sent) this.#ticket.cancelled = true;
    return this.stop('the bridge stops');
  }

  #enqueue(task: () => Promise<void>): Promise<void> {
    this.#waiting += 1;
    this.#tail = this.#tail
      .then(task)
      .catch((error: unknown) => this.#host.log.error('a task of the session failed', { error }))
      .then(() => {
        this.#waiting -= 1;
        this.#host.changed();
      });
    return this.#tail;
  }

  async #handOver(session: AgentSession, prompt: Prompt, ticket: Ticket): Promise<void> {
    // A process that somebody ended in an orderly way is started again for the prompt.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      if (ticket.cancelled || this.#closed) return;
      const started = await this.#ensureReady(session);
      if (started.kind === 'failed') return this.#failed(ticket.turn, started.failure, started.detail, false);
      if (ticket.cancelled) return;
      const result = await this.#send(started.run, started.delivery, session.key, prompt, ticket);
      if (result.kind === 'gone' && !ticket.sent) {
        await started.run.ended;
        await this.#buried(started.run);
        continue;
      }
      return this.#handed(result, ticket, started.run);
    }
    this.#failed(ticket.turn, 'delivery_failed', 'Claude Code was ended each time.', false);
  }

  async #send(
    run: ClaudeRun,
    delivery: Delivery,
    key: string,
    prompt: Prompt,
    ticket: Ticket,
  ): Promise<Delivered> {
    await repairChannel(run);
    return delivery === 'channel'
      ? deliverByChannel(run, prompt, key, ticket)
      : deliverTyped(run, ticket, typePlan(prompt.text, prompt.sender?.name));
  }

  #handed(result: Delivered, ticket: Ticket, run: ClaudeRun): void {
    switch (result.kind) {
      case 'taken':
        if (ticket.cancelled) void this.#escape(run);
        return;
      case 'cancelled':
        return;
      case 'gone':
        return this.#failed(ticket.turn, 'delivery_failed', 'Claude Code ended meanwhile.', false);
      case 'failed':
        return this.#failed(ticket.turn, 'delivery_failed', result.detail, !result.seen);
      default:
        return result satisfies never;
    }
  }

  async #ensureReady(session: AgentSession): Promise<StartResult> {
    const run = this.#run;
    if (run && !gone(run)) {
      if (this.#state.name === 'ready') return { kind: 'ready', run, delivery: this.#state.delivery };
      // At a dialog: what it asked for may have been settled elsewhere meanwhile, and only a new start would see that.
      // Unless somebody is just answering it.
      if (this.#state.name === 'dialog' && this.#host.viewed()) {
        const { failure, words } = this.#state.dialog;
        return { kind: 'failed', failure, detail: words };
      }
    }
    if (run) await this.#end('restart');
    return this.#start(session);
  }

  async #start(session: AgentSession): Promise<StartResult> {
    if (!(await this.#host.admit())) {
      const detail = `All ${this.#host.limits.maxLive} Claude Code processes are busy. Try again later, or raise limits.liveSessions.`;
      return { kind: 'failed', failure: 'overflow', detail };
    }
    this.#state = { name: 'starting' };
    this.#host.report({ type: 'agent.starting' });
    const started = await this.#startLocked(session);
    switch (started.kind) {
      case 'ready':
        return this.#isReady(started);
      case 'dialog':
        return this.#atDialog(session, started);
      case 'stopped':
        await this.#end('stopped while starting');
        return { kind: 'failed', failure: 'exited', detail: 'Claude Code was stopped while it started.' };
      case 'failed':
        this.#release();
        this.#host.report({ type: 'agent.exited', detail: started.detail, failure: started.failure });
        return started;
      default:
        return started satisfies never;
    }
  }

  async #startLocked(session: AgentSession): Promise<Started> {
    const { options, log } = this.#host;
    try {
      const lock = lockSession(options.stateDir, session.claude);
      if (!lock.ok) {
        const detail = `Another bridge (pid ${lock.holder}) runs this Claude session. Stop it first; two would fork the history.`;
        return { kind: 'failed', failure: 'start_exited', detail };
      }
      this.#lock = lock;
      return await startRun(
        {
          ...this.#host,
          born: (run) => {
            this.#run = run;
            this.#host.changed();
          },
          buried: (run) => {
            run.close();
            this.#run = undefined;
          },
        },
        session,
      );
    } catch (error) {
      log.error('start failed', { error });
      return {
        kind: 'failed',
        failure: 'start_exited',
        detail: error instanceof Error ? error.message : String(error),
      };
    }
  }

  #isReady({ run, delivery, health }: Extract<Started, { kind: 'ready' }>): StartResult {
    this.#state = { name: 'ready', delivery };
    this.#host.report({ type: 'agent.ready', pid: run.terminal.pid, delivery, health });
    void watchTurns(run, {
      isInterrupting: () => this.#interrupting,
      nothingHappened: () => this.#channelIsDeaf(run),
    });
    void watchQuestions(run);
    void this.#keepChannel(run);
    void run.ended.then(() => this.#buried(run));
    this.#host.changed();
    return { kind: 'ready', run, delivery };
  }

  /** Claude Code took a message from the channel and did nothing: the next ones are typed. */
  #channelIsDeaf(run: ClaudeRun): void {
    if (this.#state.name !== 'ready' || this.#state.delivery !== 'channel') return;
    this.#state = { name: 'ready', delivery: 'terminal' };
    const words =
      'Claude Code did not react to a channel message. From now on messages are typed into the terminal.';
    const health = [{ code: 'channel_unavailable', words }];
    this.#host.report({ type: 'agent.ready', pid: run.terminal.pid, delivery: 'terminal', health });
  }

  async #keepChannel(run: ClaudeRun): Promise<void> {
    while (!gone(run)) {
      await untilChannelDies(run);
      if (!gone(run)) await this.#enqueue(() => repairChannel(run));
      // A server that cannot be brought back is looked at again only now and then.
      await run.watch.pause(run.limits.stopMs);
    }
  }

  /** The turn fails at once with the reason; the process waits for its operator. */
  #atDialog(
    session: AgentSession,
    { run, dialog, channelAsked }: Extract<Started, { kind: 'dialog' }>,
  ): StartResult {
    this.#state = { name: 'dialog', dialog };
    const screen = screenTail(run.terminal.rows(), 30);
    this.#host.report({ type: 'agent.dialog', dialog: dialog.id, screen, failure: dialog.failure });
    void this.#awaitOperator(session, run, channelAsked);
    return { kind: 'failed', failure: dialog.failure, detail: dialog.words };
  }

  async #awaitOperator(session: AgentSession, run: ClaudeRun, channelAsked: boolean): Promise<void> {
    const { limits } = this.#host;
    await run.watch.until(
      () => gone(run) || (run.view.box !== undefined && run.sessionStarted),
      limits.dialogMs,
    );
    if (run.stopping !== undefined) return;
    const readiness =
      run.exit || !run.sessionStarted ? undefined : await awaitReady(run, false, limits.startMs);
    if (readiness?.kind === 'ready' && this.#state.name === 'dialog') {
      const started = await ready(run, session, channelAsked, readiness.health);
      if (started.kind === 'ready') this.#isReady(started);
      return;
    }
    await this.stop('its dialog was not answered');
  }

  async #escape(run: ClaudeRun): Promise<void> {
    if (this.#interrupting) return;
    this.#interrupting = true;
    try {
      if (!(await pressEscape(run)) || gone(run)) return;
      if (run.trace.busy) run.turnIdle(true);
      // Before the first token Claude Code puts the prompt back; it must not stand in front of the next one.
      if (await run.watch.until(() => gone(run) || Boolean(run.view.box), putBackMs)) await emptyBox(run);
    } finally {
      this.#interrupting = false;
      run.watch.poke();
    }
  }

  async #end(reason: string): Promise<void> {
    const run = this.#run;
    if (!run) return;
    this.#state = { name: 'stopping' };
    await endRun(run, reason);
    await this.#buried(run);
  }

  /** The process is gone. Idempotent per run. */
  async #buried(run: ClaudeRun): Promise<void> {
    if (this.#run !== run) return;
    this.#run = undefined;
    run.close();
    this.#release();
    const { exit, stopping } = run;
    // The operator typed /exit: nothing was cut off.
    const orderly = stopping !== undefined || (exit?.code === 0 && !run.endedBusy);
    const said = exit ? exitWords(exit) : 'it did not end';
    const detail = stopping ?? `Claude Code ended (${said}).\n${screenTail(run.terminal.rows(), 4)}`.trim();
    this.#host.report({
      type: 'agent.exited',
      detail,
      ...(!orderly && { failure: 'exited' as const }),
    });
  }

  #release(): void {
    this.#state = { name: 'stopped' };
    this.#endedAt = this.#host.options.clock.now();
    this.#lock?.release();
    this.#lock = undefined;
    this.#host.changed();
  }

  #report(host: SessionHost, report: AgentReport): void {
    host.report(report);
    if (report.type === 'turn.failed' && report.code === 'auth_failed') void this.#lookAtSignIn();
  }

  /** Only to say it in words next time: a token in the environment works without a sign-in. */
  async #lookAtSignIn(): Promise<void> {
    const run = this.#run;
    const signedIn = await this.#host.preflight.signedIn();
    if (run) run.trace.signedOut = signedIn === false;
  }

  #failed(turn: string, code: FailureCode, detail: string, retry: boolean): void {
    this.#host.report({ type: 'prompt.failed', turn, code, detail, retry });
  }
}
