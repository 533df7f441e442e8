// Where the questions of one Claude Code wait. Each may come in by two roads, the held hook and the channel relay; they
// are one question, and its answer goes out by every road it came in.

import { asks, needsOf, ruleWords } from '../../../domain/policy/ruling.ts';
import { ranInTerminal } from '../../../domain/question/outcome.ts';
import type { PermissionRequest } from '../../../protocol/wire/wire.ts';
import type { PermissionAnswer } from '../../app/ports.ts';
import type { PermissionRequestHook } from '../hooks/hook-schema.ts';
import type { DeskOptions } from './desk-options.ts';
import {
  askedBy,
  type DeskAsk,
  type HookClient,
  isKnownAs,
  isOpen,
  isSame,
  isUnnamed,
  isWordy,
  knownToDesk,
  showsInput,
} from './permission-ask.ts';
import { permissionResponse } from './permission-response.ts';
import { judgeRepeat } from './repeated-ask.ts';

/** How long the second road is waited for, ms: its question has Claude Code's own code, or the whole input. */
const graceMs = 250;
/** From the end of a held request to that of the process, if it was killed, ms: 19 measured. */
const exitMs = 1000;
/** Both roads report one question within this time, ms. */
const joinMs = 1000;
const keptAnswered = 16;
const keptOver = 100;

/** What a dialog that was answered in Claude's terminal leaves behind. */
const declined = "declined in Claude's terminal";

export class PermissionDesk {
  readonly #options: DeskOptions;
  /** Oldest first. */
  #asks: DeskAsk[] = [];
  /** What was relayed and is over: the channel, which is not told of every end, asks again after a reconnect. */
  #over: PermissionRequest[] = [];
  #relays: boolean;
  /** Claude Code runs our hook: a question that is open comes by it, too. */
  #hooks = false;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#relays = options.relays;
    this.#asks = (options.known ?? []).map((ask) => knownToDesk(ask, options.clock.now()));
    // Only one whose hooks came outlives its bridge.
    this.#hooks = options.known !== undefined;
  }

  /** Questions of the main thread that still wait. Those of agents keep nobody from typing (measured on 2.1.332). */
  get open(): number {
    return this.#openOfMain.length;
  }

  /** Those of them that a hook is held for: Claude Code lets go of it when they end. Of the others it tells nobody. */
  get held(): number {
    return this.#openOfMain.filter(({ hook }) => hook).length;
  }

  get #openOfMain(): DeskAsk[] {
    return this.#asks.filter((ask) => isOpen(ask) && ask.agent === undefined);
  }

  /** Holds a hook until it is answered, withdrawn or closed. @param n its number */
  hold(
    n: number,
    request: PermissionRequestHook,
    toolUse: string | undefined,
    client: HookClient,
  ): Promise<object> {
    this.#hooks = true;
    return new Promise((resolve) => {
      const { tool_name: tool, tool_input: input } = request;
      const known = this.#asks.find((other) => other.isKnown && other.n === n);
      const ask =
        known ?? this.#join(tool, (other) => !other.hook && showsInput(other.relay?.args ?? '', input));
      ask.n = n;
      if (request.agent_id !== undefined) ask.agent = request.agent_id;
      const onAbort = () => this.#hungUp(ask);
      const finish = (answer: object) => {
        if (isOpen(ask)) client.signal.removeEventListener('abort', onAbort);
        resolve(answer);
      };
      ask.hook = { request, onWritten: client.onWritten, finish };
      if (toolUse !== undefined) ask.toolUse = toolUse;
      if (ask.state.name === 'answered') this.#respond(ask, ask.state.answer);
      else this.#arrived(ask, this.#relays && !isWordy(tool));
      if (client.signal.aborted) onAbort();
      else client.signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /**
   * The channel relays a question of Claude Code.
   *
   * @param again it may be a repeat after a reconnect, and was perhaps answered in the terminal long ago
   */
  relayed(frame: PermissionRequest, again = false): void {
    this.#relays = true;
    const known =
      this.#asks.find(({ relay }) => relay && isSame(relay, frame)) ??
      this.#asks.find((ask) => isKnownAs(ask, frame));
    if (known) known.relay = frame;
    // It may have missed the verdict, and passes one on only once.
    if (known?.state.name === 'answered') this.#passOn(known, known.state.answer);
    if (known || this.#over.some((relay) => isSame(relay, frame))) return;
    // The code of a question is the relay's own where that came in time; what a bridge before relayed is not known.
    if (again && this.#options.askedBefore?.includes(frame.request_id)) return;
    const ask = this.#join(
      frame.tool,
      ({ hook, relay }) => !relay && showsInput(frame.args, hook?.request.tool_input),
    );
    ask.relay = frame;
    if (again && this.#hooks && !ask.hook) this.#doubt(ask);
    else this.#arrived(ask, true);
  }

  /** @returns false when the question is not open any more. */
  answer(answer: PermissionAnswer): boolean {
    const ask = this.#asks.find(({ state }) => state.name === 'open' && state.code === answer.code);
    if (!ask) return false;
    ask.state = { name: 'answered', code: answer.code, answer, sent: false };
    this.#respond(ask, answer);
    this.#trim();
    return true;
  }

  /**
   * A tool runs. If its question is open, somebody said yes in the terminal.
   *
   * @param tool its name, where the id may be missing: then it was the oldest question about this tool
   */
  toolRan(toolUse: string | undefined, tool?: string): void {
    const exact = this.#asks.find((ask) => toolUse !== undefined && ask.toolUse === toolUse);
    const ask = exact ?? this.#asks.find((other) => isUnnamed(other) && other.tool === tool);
    if (!ask) return;
    const { state } = ask;
    if (state.name !== 'answered') return this.#withdraw(ask, ranInTerminal);
    this.#end(ask);
    this.#options.report({ type: 'permission.ran', code: state.code });
  }

  /**
   * Whatever became of its questions, they are over.
   * @param agent the one that has ended; without one, the turn of the main thread
   */
  turnEnded(detail: string, agent?: string): void {
    for (const ask of this.#asks.filter((each) => each.agent === agent)) this.#withdraw(ask, detail);
  }

  /** Tools that are over. Of one that ran this is known by now, so the others were refused. */
  batchOver(toolUses: readonly string[]): void {
    const refused = this.#asks.filter(({ toolUse }) => toolUse !== undefined && toolUses.includes(toolUse));
    for (const ask of refused) this.#withdraw(ask, declined);
  }

  /** The process is gone: lets go of the held requests without a report of its own. */
  close(): void {
    for (const { state, hook } of this.#asks) {
      if (state.name === 'joining') state.cancel();
      if (state.name !== 'answered') hook?.finish({});
    }
    this.#asks = [];
  }

  /** By every road that it came in. */
  #respond(ask: DeskAsk, answer: PermissionAnswer): void {
    const { hook } = ask;
    if (!hook) return this.#passOn(ask, answer);
    // The hook says more than the relay can (a reason, an answer, rules), so it goes first.
    hook.onWritten(() => {
      this.#sent(ask);
      if (!isWordy(ask.tool)) this.#passOn(ask, answer);
    });
    hook.finish(permissionResponse(hook.request, answer));
  }

  /**
   * The open question whose second road this is, or a new one. Never one that was answered: its verdict would go to
   * a question that nobody has seen.
   */
  #join(tool: string, fits: (ask: DeskAsk) => boolean): DeskAsk {
    const { clock } = this.#options;
    const after = clock.now() - joinMs;
    const known = this.#asks.find(
      (ask) => isOpen(ask) && !ask.isKnown && ask.tool === tool && ask.at >= after && fits(ask),
    );
    if (known) return known;
    const state: DeskAsk['state'] = { name: 'joining', cancel: () => {} };
    const ask: DeskAsk = { tool, at: clock.now(), state };
    this.#asks.push(ask);
    return ask;
  }

  /** One road more. With both, or when no other is expected, the question is told. */
  #arrived(ask: DeskAsk, more: boolean): void {
    if (ask.state.name !== 'joining') return;
    ask.state.cancel();
    if (!more || (ask.hook && ask.relay)) return this.#tell(ask);
    ask.state = {
      name: 'joining',
      cancel: this.#options.clock.after(graceMs, () => {
        // A channel that Claude Code does not listen to relays nothing: later questions are not held up.
        if (!ask.relay) this.#relays = false;
        this.#tell(ask);
      }),
    };
  }

  /** It may be a repeat, unless a hook goes with it. */
  #doubt(ask: DeskAsk, looks = 0): void {
    if (ask.state.name !== 'joining') return;
    ask.state = {
      name: 'joining',
      cancel: this.#options.clock.after(joinMs, () => {
        const judged = judgeRepeat(ask, this.#asks, looks, this.#options.dialogShown);
        if (judged === 'look again') this.#doubt(ask, looks + 1);
        else if (judged === 'waits') this.#tell(ask);
        else this.#end(ask);
      }),
    };
  }

  #tell(ask: DeskAsk): void {
    const { clock, permissionMs, report, claimCode, openQuestions } = this.#options;
    if (this.#asks.filter(({ state }) => state.name === 'open').length >= openQuestions)
      return this.#refuse(ask);
    const asked = askedBy(ask);
    const ruling = this.#options.judge(asked.tool, asked.input);
    // What only a preview tells may be denied when all of it is known: that is for whoever can see it.
    const needs = ruling.decision === 'deny' ? 'operator' : needsOf(ruling);
    const code = claimCode(ask.relay?.request_id);
    ask.state = { name: 'open', code };
    report({
      type: 'permission.ask',
      code,
      ...asked,
      expires_at: clock.wall() + permissionMs,
      ...(needs !== undefined && { needs }),
      ...((asks(ruling) || needs) && { rule: ruleWords(ruling) }),
    });
  }

  /** Neither codes nor people who answer are endless: this one gets none. */
  #refuse(ask: DeskAsk): void {
    const { openQuestions: most, refused } = this.#options;
    const reason = `${most} questions of this conversation wait for an answer already; go on without it, or ask again when they are answered`;
    const answer: PermissionAnswer = { code: '', verdict: 'deny', by: 'bridge', reason, scope: 'once' };
    ask.hook?.finish(permissionResponse(ask.hook.request, answer));
    this.#passOn(ask, answer);
    this.#end(ask);
    refused();
  }

  #passOn(ask: DeskAsk, { verdict }: PermissionAnswer): void {
    // Claude's own shell can post a hook that only begins like what Claude Code asks: its yes is not the relay's.
    const mayDiffer = ask.hook && typeof ask.relay?.args === 'string';
    if (!ask.relay || (mayDiffer && verdict === 'allow')) return;
    this.#options.relay(ask.relay.request_id, verdict, () => this.#sent(ask));
  }

  #sent(ask: DeskAsk): void {
    if (ask.state.name !== 'answered' || ask.state.sent) return;
    ask.state.sent = true;
    this.#options.report({ type: 'permission.sent', code: ask.state.code });
  }

  /** It was declined, or Claude Code ends: it lets go of its hooks a moment before that is known. */
  #hungUp(ask: DeskAsk): void {
    if (ask.state.name === 'joining') return this.#end(ask);
    this.#options.clock.after(exitMs, () => this.#declined(ask));
  }

  #declined(ask: DeskAsk): void {
    if (!this.#asks.includes(ask)) return;
    const { state } = ask;
    // Our answer was on its way when the terminal said no.
    const detail = ask.agent === undefined ? declined : 'its agent was stopped';
    if (state.name === 'answered' && !state.sent)
      this.#options.report({ type: 'permission.withdrawn', code: state.code, detail });
    else if (state.name !== 'answered') this.#withdraw(ask, detail);
    // Ctrl+C at an idle prompt stops agents, and no other hook tells (measured on 2.1.332).
    if (ask.agent !== undefined)
      this.#options.report({ type: 'task.end', task: ask.agent, status: 'stopped' });
  }

  #withdraw(ask: DeskAsk, detail: string): void {
    if (!this.#asks.includes(ask)) return;
    this.#end(ask);
    if (ask.state.name !== 'joining')
      this.#options.report({ type: 'permission.withdrawn', code: ask.state.code, detail });
  }

  #end(ask: DeskAsk): void {
    this.#asks = this.#asks.filter((other) => other !== ask);
    const { state, hook, relay } = ask;
    if (relay) {
      this.#over = [...this.#over, relay].slice(-keptOver);
      this.#options.forget(relay.request_id);
    }
    if (state.name === 'joining') state.cancel();
    // No decision: whatever the dialog in the terminal said stays said.
    if (state.name !== 'answered') hook?.finish({});
  }

  /** Answered ones are kept a little, for a channel that asks again after a reconnect. */
  #trim(): void {
    const answered = this.#asks.filter((ask) => !isOpen(ask));
    const old = new Set(answered.slice(0, Math.max(0, answered.length - keptAnswered)));
    this.#asks = this.#asks.filter((ask) => !old.has(ask));
  }
}
