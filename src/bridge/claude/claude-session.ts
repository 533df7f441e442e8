// One session's Claude Code as the bridge uses it: hands prompts over one after another, interrupts, stops.
import type { AgentReport } from '../../domain/commands.ts';
import { type FailureCode, isWaitedFor } from '../../protocol/events/failures.ts';
import type { Delivery } from '../../protocol/settings/delivery.ts';
import type { ToolSpec } from '../../protocol/tool-spec.ts';
import type { AgentSession, PermissionAnswer, Prompt } from '../app/ports.ts';
import type { ClaudeRun } from './claude-run.ts';
import { brokenOff } from './delivery/broken-off.ts';
import { channelIsLost, keepChannel, repairChannel } from './delivery/channel-repair.ts';
import { deliverByChannel, sendByChannel } from './delivery/deliver-channel.ts';
import {
  type Delivered,
  deliverTyped,
  type Held,
  hooksAreOff,
  pasteMs,
  resumeTyped,
  type Ticket,
} from './delivery/deliver-typed.ts';
import { HeldMessage } from './delivery/held-message.ts';
import { Interrupt } from './delivery/interrupt.ts';
import { watchStalls } from './delivery/stall-watch.ts';
import { watchTurns } from './delivery/turn-watch.ts';
import { typePlan } from './delivery/typist.ts';
import { watchHooks } from './delivery/unheard-watch.ts';
import { UnreportedEnd } from './delivery/unreported-end.ts';
import { watchDialog } from './dialog/dialog-watch.ts';
import type { LivingHost } from './host-port.ts';
import type { KnownRun } from './known-run.ts';
import { ProcessKeeper } from './process/process-keeper.ts';
import type { ProcessState, Ready, SessionHost, StartResult } from './process/process-state.ts';
import { awaitNewTools } from './process/readiness.ts';
import { startObstacle } from './process/start-obstacle.ts';

export class ClaudeSession {
  readonly #host: SessionHost;
  readonly #process: ProcessKeeper;
  readonly #interrupt = new Interrupt();
  readonly #held: HeldMessage;
  #ticket: Ticket | undefined;
  /** What the hub lends now. */
  #tools: readonly ToolSpec[] = [];
  #tail: Promise<void> = Promise.resolve();
  #waiting = 0;
  #closed = false;

  constructor(host: SessionHost) {
    this.#host = { ...host, report: (report, heard) => this.#report(host, report, heard) };
    const { clock } = host.options;
    this.#held = new HeldMessage(clock, () => this.#host.report({ type: 'agent.open' }));
    this.#process = new ProcessKeeper(this.#host, {
      // They may be others by now than when its start was asked for.
      born: (run) => run.tools.setTools(this.#tools),
      ready: (run) => this.#look(run),
      isAwaited: () => this.#ticket !== undefined && !this.#ticket.cancelled,
      unanswered: () => this.stop('its dialog was not answered'),
    });
  }

  get run(): ClaudeRun | undefined {
    return this.#process.run;
  }

  get state(): ProcessState['name'] | 'busy' {
    const { name } = this.#process.state;
    return name === 'ready' && this.run?.turns.busy ? 'busy' : name;
  }

  /** Holds a process, or is about to. */
  get live(): boolean {
    return this.#process.state.name !== 'stopped';
  }

  /** Nothing is going on that an orderly end would cut off: no turn, no agent, no command in the background. */
  get evictable(): boolean {
    const { run } = this;
    if (this.#process.state.name !== 'ready' || this.#waiting > 0 || !run) return false;
    return run.idle && !run.hasTasks;
  }

  /** Monotonic ms of the last sign of work. */
  get activeAt(): number {
    return Math.max(this.run?.activeAt ?? 0, this.#process.endedAt);
  }

  deliver(session: AgentSession, prompt: Prompt): void {
    this.#held.end();
    this.#tools = session.tools;
    // One turn is in flight: a newer hand-over means that nobody waits for the older one.
    if (this.#ticket && !this.#ticket.sent) this.#ticket.cancelled = true;
    const ticket: Ticket = { turn: prompt.turn, cancelled: false, sent: false };
    this.run?.watch.poke();
    this.#hand(ticket, () => this.#handOver(session, prompt, ticket));
  }

  /** Starts Claude Code without a prompt; what becomes of it is reported. */
  start(session: AgentSession): void {
    this.#tools = session.tools;
    this.#enqueue(async () => {
      if (this.#closed) return;
      const started = await this.#process.ensureReady(session);
      if (started.kind === 'failed' && !this.live) {
        this.#host.report({ type: 'agent.exited', detail: started.detail, failure: started.failure });
      }
    });
  }

  /**
   * Goes on with a Claude Code that outlived the bridge before.
   * @param prompt of the turn that is being handed over
   */
  adopt(
    session: AgentSession,
    living: LivingHost,
    known: KnownRun,
    was: Ready,
    prompt: Prompt | undefined,
  ): void {
    const run = this.#process.adopt(session, living, known, was);
    // What stands in the box may be a part of it.
    if (prompt) run.lastTyped = typePlan(prompt.text, prompt.writer).expected;
    if (prompt && known.handed === prompt.turn) this.#resume(run, was.delivery, session.key, prompt);
    // Its text may be on its way into the box, where nothing shows it yet.
    else if (prompt) this.#enqueue(() => run.watch.pause(pasteMs));
    run.listen();
  }

  /** The prompt was handed over, and nobody knows what became of it. */
  #resume(run: ClaudeRun, delivery: Delivery, key: string, prompt: Prompt): void {
    const ticket: Ticket = { turn: prompt.turn, cancelled: false, sent: true };
    const plan = typePlan(prompt.text, prompt.writer);
    // Its hook may be among those that the host has kept.
    const text = delivery === 'channel' ? prompt.text : plan.expected;
    run.expected = { turn: prompt.turn, text, road: delivery === 'channel' ? 'channel' : 'keys' };
    this.#hand(ticket, async () => {
      const result =
        delivery === 'channel' ? await sendByChannel(run, prompt, key) : await resumeTyped(run, ticket, plan);
      return this.#handed(result, ticket, run);
    });
  }

  interrupt(): void {
    const ticket = this.#ticket;
    if (ticket && !ticket.sent) {
      ticket.cancelled = true;
      this.run?.watch.poke();
      this.#failed(ticket.turn, 'interrupted', 'cancelled before Claude Code saw it', false);
      return;
    }
    if (ticket) ticket.cancelled = true;
    if (this.run?.turns.busy) this.#interrupt.begin(this.run);
    else if (!ticket) this.#host.report({ type: 'turn.idle', interrupted: true });
  }

  stop(reason: string): Promise<void> {
    const { run } = this;
    if (run) {
      run.stopping ??= reason;
      run.watch.poke();
    }
    return this.#enqueue(async () => {
      // Meanwhile a message that waited may have got a process of its own.
      if (!run || this.run === run) await this.#process.end(reason);
    });
  }

  /** Ends the process at once, with all that it has started, whatever is under way. Resolves when it is gone, or does not go. */
  endNow(reason: string): Promise<void> {
    // What is being handed over is not begun anew.
    if (this.#ticket && !this.#ticket.sent) this.#ticket.cancelled = true;
    return this.#process.endNow(reason);
  }

  answerPermission(answer: PermissionAnswer): void {
    const { run } = this;
    if (run && !run.dialogs.answer(answer)) run.desk.answer(answer);
    this.run?.watch.poke();
  }

  answerTool(call: string, ok: boolean, content: string, envelope?: boolean): void {
    this.run?.tools.answerTool(call, ok, content, envelope);
  }

  setTools(tools: ToolSpec[]): void {
    this.#tools = tools;
    this.run?.tools.setTools(tools);
  }

  /** As `ClaudeAgent.lease`. */
  lease(ms: number | undefined): void {
    this.#process.lease(ms);
  }

  /** What the bridge itself lends is something else now. */
  localToolsChanged(): void {
    this.run?.tools.toolsChanged();
  }

  /** Ends the process and takes no more work. */
  close(): Promise<void> {
    this.#takeNoMore();
    return this.stop('the bridge stops');
  }

  /** Takes no more work, and leaves the process to the next bridge if that can go on with it; else ends it. */
  async leave(): Promise<void> {
    if (this.#process.state.name !== 'ready') return this.close();
    this.#takeNoMore();
    this.#process.leave();
  }

  #takeNoMore(): void {
    this.#closed = true;
    this.#held.end();
    if (this.#ticket && !this.#ticket.sent) this.#ticket.cancelled = true;
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

  /** @param work tells what became of the message, and returns why Claude Code has to be another one for the next */
  #hand(ticket: Ticket, work: () => Promise<string | undefined>): void {
    this.#ticket = ticket;
    this.#enqueue(async () => {
      const end = await work().catch((error: unknown) => this.#brokeOff(ticket, error));
      if (end !== undefined) await this.#process.end(end, false);
      if (this.#ticket === ticket) this.#ticket = undefined;
    });
  }

  /** Somebody waits for what became of it, and nobody knows what the box holds. */
  #brokeOff({ turn, cancelled, sent }: Ticket, error: unknown): string {
    this.#host.log.error('a message could not be handed over', { error });
    if (!cancelled || sent) this.#failed(turn, 'delivery_failed', brokenOff(error, sent), false);
    return 'a message could not be handed over';
  }

  async #handOver(session: AgentSession, prompt: Prompt, ticket: Ticket): Promise<string | undefined> {
    // A process that somebody ended in an orderly way is started again for the prompt.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      if (ticket.cancelled || this.#closed) return undefined;
      const started = await this.#process.ensureReady(session, () => !ticket.cancelled);
      if (started.kind === 'failed') return this.#unstarted(session, started, ticket);
      if (started.kind === 'stopped') continue;
      // What an interrupt leaves in the box is emptied first: it would take this text along, or stop its turn.
      await this.#interrupt.over;
      if (ticket.cancelled) return undefined;
      const result = await this.#send(started.run, started.delivery, session.key, prompt, ticket);
      if (result.kind !== 'gone' || ticket.sent) return this.#handed(result, ticket, started.run);
      await this.#process.end('restart');
    }
    return this.#failed(ticket.turn, 'delivery_failed', 'Claude Code was ended each time.', false);
  }

  async #send(
    run: ClaudeRun,
    delivery: Delivery,
    key: string,
    prompt: Prompt,
    ticket: Ticket,
  ): Promise<Delivered> {
    await repairChannel(run);
    await awaitNewTools(run);
    // What it says to this would reach nobody either.
    if (run.hooksOff !== undefined) return hooksAreOff(run, run.hooksOff);
    const lost = channelIsLost(run);
    if (lost) this.#process.typeFromNowOn(run, 'The channel server died again and again.');
    return delivery === 'channel' && !lost
      ? deliverByChannel(run, prompt, key, ticket)
      : deliverTyped(run, ticket, typePlan(prompt.text, prompt.writer));
  }

  #handed(result: Delivered, ticket: Ticket, run: ClaudeRun): string | undefined {
    switch (result.kind) {
      case 'taken':
        this.#held.taken();
        if (ticket.cancelled) this.#interrupt.begin(run);
        return undefined;
      case 'cancelled':
        break;
      case 'held':
        return this.#hold(result, ticket);
      case 'gone':
        return this.#failed(ticket.turn, 'delivery_failed', 'Claude Code ended meanwhile.', false);
      case 'failed':
        this.#failed(
          ticket.turn,
          result.code ?? (result.ended ? 'exited' : 'delivery_failed'),
          result.detail,
          !result.seen && result.stuck !== 'long' && result.code === undefined,
        );
        break;
      default:
        return result satisfies never;
    }
    // What the box did to this message it would do to the next: that one finds a new Claude Code.
    return result.stuck ? 'its prompt box took no text' : undefined;
  }

  /** No Claude Code is ready for it. Where that can be cleared from outside, it waits. */
  #unstarted(
    session: AgentSession,
    { failure, detail }: Extract<StartResult, { kind: 'failed' }>,
    ticket: Ticket,
  ): undefined {
    if (!isWaitedFor(failure)) return this.#failed(ticket.turn, failure, detail, false);
    const { options } = this.#host;
    const obstacle = startObstacle(this.run, () => this.#process.state.name === 'ready', options, session);
    return this.#hold({ kind: 'held', code: failure, detail, obstacle }, ticket);
  }

  #hold({ code, detail, obstacle }: Held, { turn, cancelled }: Ticket): undefined {
    // Of one that was called off that is said already.
    if (cancelled || this.#closed) return;
    this.#host.report({ type: 'prompt.held', turn, code, detail });
    this.#held.wait(obstacle);
  }

  /** Sees what no hook tells, as long as the process lives. */
  #look(run: ClaudeRun): void {
    // A message may wait for just that.
    run.watch.poke();
    const untold = new UnreportedEnd();
    void untold.watch(run);
    void watchTurns(run, {
      endsItself: () => this.#interrupt.isOn || untold.isOn,
      nothingHappened: () =>
        this.#process.typeFromNowOn(run, 'Claude Code did not react to a channel message.'),
    });
    const told = (code: string, words: string | undefined) => this.#process.told(run, code, words);
    void watchHooks(run, told);
    void watchStalls(run, told);
    void watchDialog(run, { tell: told, viewed: () => this.#host.viewed() });
    void keepChannel(run, (task) => this.#enqueue(task));
  }

  #report(host: SessionHost, report: AgentReport, heard: number | undefined): void {
    host.report(report, heard);
    if (report.type === 'turn.failed' && report.code === 'auth_failed') void this.#lookAtSignIn();
  }

  /** Only to say it in words next time: a token in the environment works without a sign-in. */
  async #lookAtSignIn(): Promise<void> {
    const { run } = this;
    if (run) run.signedOut = (await this.#host.preflight.signedIn()) === false;
  }

  #failed(turn: string, code: FailureCode, detail: string, retry: boolean): undefined {
    this.#host.report({ type: 'prompt.failed', turn, code, detail, retry });
  }
}
