// The process of one session: stopped, starting, at a dialog, ready, stopped again. It starts and ends it, and says so;
// what is done with it is the session's business.
import { newId } from '../../../base/ids.ts';
import { pause } from '../../../base/time/clock.ts';
import { ClaudeId } from '../../../protocol/claude-id.ts';
import type { Health } from '../../../protocol/events/events.ts';
import type { AgentSession } from '../../app/ports.ts';
import type { ClaudeRun } from '../claude-run.ts';
import { gone } from '../delivery/deliver-typed.ts';
import { askAtStart, dialogAtStart } from '../dialog/start-questions.ts';
import type { Host, LivingHost } from '../host-port.ts';
import type { KnownRun } from '../known-run.ts';
import { exitWords, leftWords } from '../screen/exit-reading.ts';
import { screenTail } from '../screen/screen-reader.ts';
import { endRun } from './end-run.ts';
import { sweepRun } from './lost-host.ts';
import { adoptRun, type RunContext } from './new-run.ts';
import type { KeeperEvents, ProcessState, Ready, SessionHost, StartResult } from './process-state.ts';
import { awaitReady } from './readiness.ts';
import { type Lock, lockSession } from './session-lock.ts';
import { ready, type Started, startRun } from './start-run.ts';

/** For the last words of a host that is gone to be read, ms. */
const lostMs = 500;
/** For the rest of a dialog to be drawn, ms: usually one frame. */
const drawnMs = 1_000;

export class ProcessKeeper {
  readonly #host: SessionHost;
  readonly #events: KeeperEvents;
  #state: ProcessState = { name: 'stopped' };
  #run: ClaudeRun | undefined;
  /** Has the process, or is about to. */
  #holder: Host | undefined;
  /** Of the Claude session it was started with, and of those it went over to. */
  readonly #locks: Extract<Lock, { ok: true }>[] = [];
  #endedAt: number;
  /** Of the running process. */
  #health: readonly Health[] = [];
  /** What was found wrong before it was ready. */
  #early: Health[] = [];
  /** The running process is not what would be started now. Of one that was adopted, that is known a little later. */
  #isOutdated: boolean | Promise<boolean> = false;

  constructor(host: SessionHost, events: KeeperEvents) {
    this.#host = host;
    this.#events = events;
    this.#endedAt = host.options.clock.now();
  }

  get run(): ClaudeRun | undefined {
    return this.#run;
  }

  get state(): ProcessState {
    return this.#state;
  }

  /** Monotonic ms of the last end. */
  get endedAt(): number {
    return this.#endedAt;
  }

  /** The running process, or a new one. @param isWanted asked once there is a place for a new one */
  async ensureReady(session: AgentSession, isWanted = () => true): Promise<StartResult> {
    const isOutdated = await this.#isOutdated;
    const run = this.#run;
    if (run && !gone(run)) {
      const isReplaced = isOutdated && run.idle;
      const ready = isReplaced ? undefined : this.#readyWith(run);
      if (ready) return ready;
      // At a dialog: what it asked for may have been settled elsewhere meanwhile, and only a new start would see that.
      // Unless somebody is just answering it.
      if (this.#state.name === 'dialog' && this.#host.viewed()) {
        const { failure, words } = this.#state.dialog;
        return { kind: 'failed', failure, detail: words };
      }
    }
    if (run) await this.end(isOutdated ? 'it would be started with other settings now' : 'restart');
    return this.#start(session, isWanted);
  }

  /**
   * Goes on with a process that outlived the bridge before. It draws, and its hooks are heard, once `listen` was called.
   * @param was how it was ready
   */
  adopt(session: AgentSession, living: LivingHost, known: KnownRun, was: Ready): ClaudeRun {
    this.#lock(session.claude);
    this.#hold(session.key, living.host);
    const { run, isOutdated } = adoptRun(this.#context, session, living, known);
    this.#run = run;
    this.#isOutdated = isOutdated;
    run.outlive();
    this.#goesOn(run, was);
    return run;
  }

  async end(reason: string, byKeys = true): Promise<void> {
    const run = this.#run;
    if (!run) return;
    this.#state = { name: 'stopping' };
    await endRun(run, reason, byKeys);
    this.bury(run);
    await run.close();
  }

  /** Ends the process at once, with all that it has started; also one that is only just being started. */
  async endNow(reason: string): Promise<void> {
    const run = this.#run;
    if (run) {
      run.stopping ??= reason;
      run.watch.poke();
    }
    await this.#holder?.quit(true);
    if (!run) return;
    await Promise.race([run.ended, pause(this.#host.options.clock, lostMs)]);
    this.bury(run);
  }

  lease(ms: number | undefined): void {
    this.#holder?.lease(ms);
  }

  /** Leaves the process to the next bridge. */
  leave(): void {
    this.#run?.leave();
    this.#unlock();
  }

  /** The process is gone. Idempotent per run. */
  bury(run: ClaudeRun): void {
    if (this.#run !== run) return;
    this.#run = undefined;
    void run.close();
    this.#release();
    const { exit, stopping } = run;
    // The operator typed /exit: nothing was cut off.
    const orderly = stopping !== undefined || (exit?.code === 0 && !run.endedBusy);
    const said = exit ? exitWords(exit) : 'it did not end';
    const ended = stopping ?? `Claude Code ended (${said}).\n${screenTail(run.terminal.rows(), 4)}`.trim();
    const left = exit?.lost ? sweepRun(run.mark) : exit?.left;
    const detail = [ended, leftWords(left)].filter(Boolean).join('\n');
    this.#host.report({ type: 'agent.exited', detail, ...(!orderly && { failure: 'exited' as const }) });
  }

  /** Nothing comes through its channel any more. @param why in words */
  typeFromNowOn(run: ClaudeRun, why: string): void {
    if (this.#state.name !== 'ready' || this.#state.delivery !== 'channel') return;
    this.#state = { name: 'ready', delivery: 'terminal' };
    const words = `${why} From now on messages are typed into the terminal.`;
    this.#worsened(run, { code: 'channel_unavailable', words });
  }

  /** Something works otherwise than it could, or as it should again. @param words absent: the latter */
  told(run: ClaudeRun, code: string, words: string | undefined): void {
    if (this.#run !== run) return;
    this.#health = this.#health.filter((each) => each.code !== code);
    if (words === undefined) this.#tell(run);
    else this.#worsened(run, { code, words });
  }

  #questionRefused(): void {
    const run = this.#run;
    if (!run || this.#health.some(({ code }) => code === 'questions_denied')) return;
    const words = `More than ${this.#host.limits.openQuestions} permission requests waited at once, so further ones are denied unasked (limits.openQuestions). \`synthesis attach\` shows what asks so much, \`synthesis interrupt\` ends it.`;
    this.#worsened(run, { code: 'questions_denied', words });
  }

  #unwell({ code, words }: Health): void {
    if (this.#run && this.#state.name === 'ready') this.told(this.#run, code, words);
    else this.#early = [{ code, words }];
  }

  /** Something works otherwise than it could from now on. */
  #worsened(run: ClaudeRun, more: Health): void {
    this.#health = [...this.#health, more];
    this.#tell(run);
  }

  #tell(run: ClaudeRun): void {
    if (this.#state.name !== 'ready') return;
    const { delivery } = this.#state;
    this.#host.report({ type: 'agent.ready', pid: run.terminal.pid, delivery, health: [...this.#health] });
  }

  async #start(session: AgentSession, isWanted: () => boolean): Promise<StartResult> {
    if (!(await this.#host.admit())) {
      const detail = `All ${this.#host.limits.maxLive} Claude Code processes are busy. Try again later, or raise limits.liveSessions.`;
      return { kind: 'failed', failure: 'overflow', detail };
    }
    // A place may take its time; whoever took the message back meanwhile wants no process of this conversation.
    if (!isWanted()) return { kind: 'stopped' };
    const stopped = this.#host.options.stopped?.();
    if (stopped !== undefined) return { kind: 'failed', failure: 'start_exited', detail: stopped };
    this.#state = { name: 'starting' };
    this.#early = [];
    const name = newId('r');
    this.#host.report({ type: 'agent.starting', run: name });
    const started = await this.#startLocked(session, name);
    switch (started.kind) {
      case 'ready':
        return this.#isReady(started);
      case 'dialog':
        return this.#atDialog(session, started);
      case 'stopped':
        await this.end('stopped while starting');
        return started;
      case 'failed': {
        this.#release();
        const stopped = this.#host.options.stopped?.();
        const { detail, failure } = started;
        this.#host.report({ type: 'agent.exited', detail: stopped ?? detail, ...(!stopped && { failure }) });
        return started;
      }
      default:
        return started satisfies never;
    }
  }

  async #startLocked(session: AgentSession, name: string): Promise<Started> {
    const { options, log } = this.#host;
    this.#unlock();
    try {
      const fault = identityFault(session, options.ownerOf(session.claude)) ?? this.#lock(session.claude);
      if (fault !== undefined) return { kind: 'failed', failure: 'start_exited', detail: fault };
      const hold = (host: Host) => this.#hold(session.key, host);
      const born = (run: ClaudeRun) => {
        this.#run = run;
        this.#events.born(run);
        this.#host.changed();
      };
      const buried = (run: ClaudeRun) => {
        void run.close();
        this.#run = undefined;
      };
      this.#isOutdated = false;
      return await startRun({ ...this.#host, ...this.#context, name, hold, born, buried }, session);
    } catch (error) {
      log.error('start failed', { error });
      const detail = error instanceof Error ? error.message : String(error);
      return { kind: 'failed', failure: 'start_exited', detail };
    }
  }

  /** From here on it has the lease that it is to have. @returns why nothing may be started in it, in words */
  #hold(key: string, host: Host): string | undefined {
    const { leaseOf, stopped } = this.#host.options;
    const ms = leaseOf?.(key);
    this.#holder = host;
    if (!leaseOf || ms !== undefined) host.lease(ms);
    return stopped?.() ?? (ms === undefined || ms > 0 ? undefined : leaseOver);
  }

  get #context(): RunContext {
    const lock = (claude: string) => this.#lock(claude) === undefined;
    const unwell = (health: Health) => this.#unwell(health);
    return { ...this.#host, lock, questionRefused: () => this.#questionRefused(), unwell };
  }

  /** @returns why it cannot be had */
  #lock(claude: string): string | undefined {
    const lock = lockSession(this.#host.options.stateDir, claude);
    if (!lock.ok) {
      const holder = lock.holder === process.pid ? 'conversation' : `bridge (pid ${lock.holder})`;
      return `Another ${holder} runs this Claude session. Stop it first; two would fork the history.`;
    }
    this.#locks.push(lock);
    return undefined;
  }

  #unlock(): void {
    for (const lock of this.#locks.splice(0)) lock.release();
  }

  #isReady({ run, delivery, health: own }: Extract<Started, { kind: 'ready' }>): StartResult {
    const health = [...own, ...this.#early];
    run.outlive();
    this.#host.report({ type: 'agent.ready', pid: run.terminal.pid, delivery, health });
    this.#goesOn(run, { delivery, health });
    return { kind: 'ready', run, delivery };
  }

  #goesOn(run: ClaudeRun, { delivery, health }: Ready): void {
    this.#state = { name: 'ready', delivery };
    this.#health = health;
    this.#events.ready(run);
    void run.ended.then(() => this.bury(run));
    this.#host.changed();
  }

  /** The process waits for somebody's answer. So does the message, as long as its chat can be asked. */
  async #atDialog(
    session: AgentSession,
    { run, dialog, channelAsked }: Extract<Started, { kind: 'dialog' }>,
  ): Promise<StartResult> {
    this.#state = { name: 'dialog', dialog };
    // A prompt that nobody knows may look like a dialog, too.
    const isOne = dialog.failure === 'start_dialog';
    // It is seen by its first rows, on a busy machine before the others are drawn.
    if (isOne) await run.watch.until(() => gone(run) || dialogAtStart(run) !== undefined, drawnMs);
    const screen = screenTail(run.terminal.rows(), 30);
    let asked = isOne && dialogAtStart(run) !== undefined;
    const { id, failure: code } = dialog;
    this.#host.report({ type: 'agent.dialog', dialog: id, screen, failure: code, ...(asked && { asked }) });
    void this.#awaitOperator(session, run, channelAsked);
    const isReady = () => this.#state.name === 'ready';
    const stuck = () => {
      asked = false;
      run.watch.poke();
    };
    if (isOne) void askAtStart(run, isReady, stuck);
    const waits = () => asked && !gone(run) && !isReady() && this.#events.isAwaited();
    await run.watch.until(() => !waits(), this.#host.limits.dialogMs);
    const { failure, words } = run.dialog ?? dialog;
    return this.#readyWith(run) ?? { kind: 'failed', failure, detail: words };
  }

  #readyWith(run: ClaudeRun): StartResult | undefined {
    const state = this.#state;
    return state.name === 'ready' ? { kind: 'ready', run, delivery: state.delivery } : undefined;
  }

  async #awaitOperator(session: AgentSession, run: ClaudeRun, channelAsked: boolean): Promise<void> {
    const { limits } = this.#host;
    const answered = () => run.view.box !== undefined && run.sessionStarted;
    await run.watch.until(() => gone(run) || answered(), limits.dialogMs);
    if (run.stopping !== undefined) return;
    const readiness = run.exit || !answered() ? undefined : await awaitReady(run, false, limits.startMs);
    if (readiness?.kind === 'ready' && this.#state.name === 'dialog') {
      const started = await ready(run, session, channelAsked, readiness.health);
      if (started.kind === 'ready') this.#isReady(started);
      return;
    }
    await this.#events.unanswered();
  }

  #release(): void {
    this.#state = { name: 'stopped' };
    this.#holder = undefined;
    this.#endedAt = this.#host.options.clock.now();
    this.#unlock();
    this.#host.changed();
  }
}

const leaseOver =
  'this machine may not go on with this conversation now, and another one may have taken it over. Nothing of the message was given to Claude Code; send it again.';

/** What the journal says is checked like everything else that ends up on a command line. */
function identityFault({ key, claude }: AgentSession, owner: string | undefined): string | undefined {
  const why = !ClaudeId.safeParse(claude).success
    ? 'is none of Claude Code'
    : owner !== undefined && owner !== key
      ? 'belongs to another conversation'
      : undefined;
  return (
    why &&
    `The Claude session noted for this conversation ${why}, so it is not resumed. \`synthesis rm\` forgets it, and the next message begins a new one.`
  );
}
