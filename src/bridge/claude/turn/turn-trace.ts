// Hook events → reports. Pure but for its own memory: no clock, no I/O; new ids come in as an argument.
import type { AgentReport } from '../../../domain/commands.ts';
import type { Errand } from '../../../protocol/events/events.ts';
import { holdsText, sameText } from '../delivery/typist.ts';
import type { HookEvent, MessageDisplayHook, StopFailureHook, StopHook } from '../hooks/hook-schema.ts';
import type { KnownRun } from '../known-run.ts';
import { errandTold } from './errand.ts';
import { toolActivity, toolSucceeded } from './tool-activity.ts';
import { failureCode, failureDetail } from './turn-failure.ts';
import type { Message, Road, TurnState } from './turn-state.ts';

/** What to do with a UserPromptSubmit hook besides reporting. */
export type PromptFate = 'ours' | 'foreign' | 'garbled';

export interface Translated {
  reports: AgentReport[];
  /** Set for UserPromptSubmit only. `garbled`: block it, the text goes back into the box. */
  fate?: PromptFate;
}

/** Prompt ids whose turn is over, so that a late batch does not look like a new turn. */
const keptEnded = 32;

export class TurnTrace {
  readonly #newTurn: () => string;
  #state: TurnState = { name: 'idle' };
  #message: Message | undefined;
  /** Prompts typed by hand while a turn ran; Claude Code runs them later without telling (measured). */
  #queued: string[] = [];
  readonly #ended: string[];
  #signedOut = false;
  /** The latest turn that Claude certainly has. */
  #begun: string | undefined;
  #over = 0;

  /** @param known of a process that was there before */
  constructor(newTurn: () => string, known?: Pick<KnownRun, 'turn' | 'ended'>) {
    this.#newTurn = newTurn;
    this.#ended = [...(known?.ended ?? [])];
    if (known?.turn?.phase !== 'running') return;
    const { id, prompt } = known.turn;
    this.#begin({ name: 'running', turn: id, ...(prompt !== undefined && { prompt }) });
  }

  /** A turn runs, or is just ending. */
  get busy(): boolean {
    return this.#state.name === 'running' || this.#state.name === 'closing';
  }

  /** Claude Code said itself that the turn began; of one by the channel it is only known that it reached its input. */
  get proven(): boolean {
    return this.#state.name === 'running' ? this.#state.prompt !== undefined : this.busy;
  }

  /** This prompt runs. One of a channel's event may not be known yet. */
  runs(prompt: string | undefined): boolean {
    const state = this.#state;
    return state.name === 'running' && (state.prompt === undefined || state.prompt === prompt);
  }

  /** Claude certainly has the prompt of `turn`, the latest that was handed over. */
  has(turn: string): boolean {
    return this.#begun === turn;
  }

  /** How many turns are over. */
  get over(): number {
    return this.#over;
  }

  get closing(): boolean {
    return this.#state.name === 'closing';
  }

  /** Only words: a token in the environment works while `claude auth status` says no. */
  set signedOut(value: boolean) {
    this.#signedOut = value;
  }

  /** `text` is about to be sent. */
  expect(turn: string, text: string, road: Road = 'keys'): void {
    this.#state = { name: 'expecting', turn, text, road };
  }

  /** The expectation is dropped: it was not taken. */
  unexpect(): void {
    if (this.#state.name === 'expecting') this.#state = { name: 'idle' };
  }

  /** The prompt of `turn` is certainly Claude's, without a UserPromptSubmit (channel, or a lost hook). */
  taken(turn: string): AgentReport[] {
    // Its hook was faster than the channel's own word, and it may even be over.
    if (this.has(turn)) return [];
    this.#begin({ name: 'running', turn });
    return [{ type: 'prompt.taken', turn }];
  }

  /** The turn is over without a hook (Esc, exit, lost). */
  reset(): void {
    this.#over += 1;
    if (this.#state.name === 'running' && this.#state.prompt) this.#end(this.#state.prompt);
    this.#state = { name: 'idle' };
    this.#message = undefined;
  }

  /** The last batches did not come in time: report the end anyway; the core repairs the text. */
  flush(): AgentReport[] {
    return this.#state.name === 'closing' ? this.#stopped(this.#state) : [];
  }

  handle(hook: HookEvent): Translated {
    switch (hook.hook_event_name) {
      case 'UserPromptSubmit':
        return this.#submitted(hook.prompt, hook.prompt_id);
      case 'MessageDisplay':
        return { reports: hook.agent_id ? [] : this.#delta(hook) };
      case 'PreToolUse':
        return { reports: [...this.#adopt(hook.prompt_id), ...toolActivity(hook, 'started')] };
      case 'PostToolUse':
        return { reports: toolSucceeded(hook) };
      case 'PostToolUseFailure':
        return { reports: toolActivity(hook, 'failed', hook.error) };
      case 'Stop':
        return { reports: hook.agent_id ? [] : this.#stop(hook) };
      case 'StopFailure':
        // With agent_id it is the compaction helper; its own StopFailure follows without one.
        return { reports: hook.agent_id ? [] : this.#failed(hook) };
      case 'PermissionRequest':
        return { reports: this.#adopt(hook.prompt_id) };
      case 'SessionStart':
      case 'Notification':
      case 'PreCompact':
      case 'PostCompact':
      case 'SessionEnd':
        return { reports: [] };
      default:
        return hook satisfies never;
    }
  }

  #submitted(text: string, id: string | undefined): Translated {
    const state = this.#state;
    // What is entered while a turn ends is told under its id, and then runs under one that nobody tells (measured).
    const isBehind = id !== undefined && this.#ended.includes(id);
    const prompt = isBehind ? undefined : id;
    if (state.name === 'expecting') {
      if (isSame(state, text)) {
        this.#begin({ name: 'running', turn: state.turn, ...(prompt !== undefined && { prompt }) });
        return { reports: [taken(state.turn, prompt)], fate: 'ours' };
      }
      if (state.road === 'keys' && holdsText(state.text, text)) return { reports: [], fate: 'garbled' };
    }
    if (state.name === 'running') {
      // A channel event's own submit: the turn learns its prompt id.
      if (state.turn && !state.prompt && isBehind) return { reports: [], fate: 'ours' };
      if (state.turn && !state.prompt && prompt) {
        this.#begin({ name: 'running', turn: state.turn, prompt });
        return { reports: [taken(state.turn, prompt)], fate: 'ours' };
      }
      if (state.prompt === prompt) {
        this.#queued.push(text);
        return { reports: [], fate: 'foreign' };
      }
    }
    return { reports: this.#foreign(prompt, text, errandTold(text)), fate: 'foreign' };
  }

  /** @param errand only for what Claude Code itself has told: what it goes on with untold was typed by hand */
  #foreign(prompt: string | undefined, text: string, errand?: Errand): AgentReport[] {
    const before = this.flush();
    // An expectation ends here: somebody else was faster, and our keys are still in the box.
    this.#begin({ name: 'running', ...(prompt !== undefined && { prompt }) });
    const turn = this.#newTurn();
    return [
      ...before,
      { type: 'prompt.foreign', turn, prompt: prompt ?? '', text, ...(errand && { errand }) },
    ];
  }

  /** A prompt id that nobody announced: Claude Code runs what was queued by hand, or goes on by itself. */
  #adopt(prompt: string | undefined): AgentReport[] {
    if (prompt === undefined || this.#ended.includes(prompt)) return [];
    const state = this.#state;
    if (state.name === 'running' && state.prompt === undefined) {
      this.#state = { ...state, prompt };
      return state.turn ? [taken(state.turn, prompt)] : [];
    }
    if ((state.name === 'running' || state.name === 'closing') && state.prompt === prompt) return [];
    if (state.name === 'expecting' && state.road === 'keys') {
      // The submit hook was lost, its turn is not.
      this.#begin({ name: 'running', turn: state.turn, prompt });
      return [taken(state.turn, prompt)];
    }
    const text = this.#queued.join('\n');
    this.#queued = [];
    return this.#foreign(prompt, text);
  }

  #delta(hook: MessageDisplayHook): AgentReport[] {
    const reports = this.#adopt(hook.prompt_id);
    if (this.#message?.id !== hook.message_id) {
      this.#message = { id: hook.message_id, lengths: new Map() };
    }
    this.#message.lengths.set(hook.index, hook.delta.length);
    if (hook.index === 0) this.#message.first = hook.delta;
    if (hook.final) this.#message.final = hook.delta;
    reports.push({
      type: 'message.delta',
      ...(hook.prompt_id !== undefined && { prompt: hook.prompt_id }),
      message: hook.message_id,
      index: hook.index,
      text: hook.delta,
      final: hook.final,
    });
    if (this.#state.name === 'closing' && this.#complete(this.#state.last)) reports.push(...this.flush());
    return reports;
  }

  #stop(hook: StopHook): AgentReport[] {
    const reports = this.#adopt(hook.prompt_id);
    if (this.#state.name !== 'running') return reports;
    const { prompt = hook.prompt_id } = this.#state;
    const last = hook.last_assistant_message;
    const closing = { name: 'closing' as const, ...(prompt !== undefined && { prompt }), last: last ?? '' };
    this.#state = closing;
    if (last === undefined || this.#complete(last))
      reports.push(...this.#stopped(closing, last !== undefined));
    return reports;
  }

  #stopped({ prompt, last }: { prompt?: string; last: string }, told = true): AgentReport[] {
    this.#finish(prompt);
    return [{ type: 'turn.stopped', ...(prompt !== undefined && { prompt }), ...(told && { text: last }) }];
  }

  #failed(hook: StopFailureHook): AgentReport[] {
    const before = this.flush();
    const prompt = hook.prompt_id ?? (this.#state.name === 'running' ? this.#state.prompt : undefined);
    this.#finish(prompt);
    return [
      ...before,
      {
        type: 'turn.failed',
        ...(prompt !== undefined && { prompt }),
        code: failureCode(hook),
        detail: failureDetail(hook, this.#signedOut),
      },
    ];
  }

  /**
   * Every batch of the last message is here, as far as their lengths and both ends tell. Should it be another message, the
   * core appends what is missing, as after {@link flush}.
   */
  #complete(last: string): boolean {
    if (last === '') return true;
    const { lengths, first, final } = this.#message ?? {};
    if (!lengths || first === undefined || final === undefined) return false;
    const whole = last.trimEnd();
    let length = 0;
    for (const [index, each] of lengths) {
      if (index >= lengths.size) return false;
      length += each;
    }
    return length >= whole.length && whole.startsWith(first.trimEnd()) && whole.endsWith(final.trimEnd());
  }

  #begin(state: TurnState & { name: 'running' }): void {
    this.#message = undefined;
    this.#queued = [];
    this.#state = state;
    if (state.turn !== undefined) this.#begun = state.turn;
  }

  #finish(prompt: string | undefined): void {
    this.#over += 1;
    if (prompt !== undefined) this.#end(prompt);
    this.#state = { name: 'idle' };
    this.#message = undefined;
  }

  #end(prompt: string): void {
    this.#ended.push(prompt);
    if (this.#ended.length > keptEnded) this.#ended.shift();
  }
}

/** An event of a channel is wrapped, and what looks like a wrapper in it is escaped. */
const isSame = ({ text, road }: TurnState & { name: 'expecting' }, submitted: string): boolean =>
  road === 'keys' ? sameText(text, submitted) : submitted.startsWith('<channel ');

const taken = (turn: string, prompt: string | undefined): AgentReport => ({
  type: 'prompt.taken',
  turn,
  ...(prompt !== undefined && { prompt }),
});
