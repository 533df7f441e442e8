import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { never } from '../../base/invariant.ts';
import type { Step, ToolUse } from './brain.ts';
import type { HookAnswer, PermissionUpdate } from './hook-answer.ts';
import type { HookEvent, HookRun } from './hooks.ts';
import type { Knobs } from './knobs.ts';
import { Message } from './message.ts';
import type { PermissionCall, Verdict } from './permission-desk.ts';
import type { Gate } from './permission-rules.ts';
import type { ToolOutcome } from './tool-box.ts';
import type { Transcript } from './transcript.ts';

/** How a turn ended. `withdrawn`: interrupted before the first word, the prompt goes back into the box. */
export type TurnEnd =
  | { kind: 'stopped' }
  | { kind: 'failed' }
  | { kind: 'silent' }
  | { kind: 'interrupted' }
  | { kind: 'withdrawn' };

/** What a turn needs from the session it belongs to. */
export interface TurnPorts {
  knobs: Knobs;
  hook(run: HookRun): Promise<HookAnswer[]>;
  /** Common hook fields: with mode and effort when `full`. */
  fields(promptId: string, full: boolean): Record<string, unknown>;
  transcript(): Transcript;
  log(line: string): void;
  plan(prompt: string): Step[];
  missingTool(name: string): string | undefined;
  mcpServerOf(name: string): string | undefined;
  gate(call: ToolUse): Gate;
  ask(request: PermissionCall): Promise<Verdict>;
  apply(call: ToolUse, updates: PermissionUpdate[]): void;
  runTool(call: ToolUse, toolUseId: string, signal: AbortSignal): Promise<ToolOutcome>;
  /** Prompts that were submitted meanwhile; taking them puts them into this turn. */
  takeQueued(): string[];
  background(text: string): void;
  backgroundTasks(): unknown[];
  exit(code: number): void;
}

/** Times a Stop hook may send the turn on in a row (documented). */
const maxStopBlocks = 8;
/** Milliseconds between PreToolUse and the final batch of the same message (23 ms measured on 2.1.329). */
const finalBatchDelayMs = 20;

interface CallReport {
  lines: string[];
}

/** One turn, from the accepted prompt to its end. */
export class Turn {
  readonly promptId: string;
  readonly #turnId = randomUUID();
  readonly #ports: TurnPorts;
  readonly #abort = new AbortController();
  #message: Message | undefined;
  #lastText = '';
  #finals: Promise<unknown>[] = [];
  #spoke = false;
  #interruptNote = '[Request interrupted by user]';
  #running = 0;

  constructor(promptId: string, ports: TurnPorts) {
    this.promptId = promptId;
    this.#ports = ports;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Esc, Ctrl+C, or a denial that interrupts. No hook fires. */
  interrupt(): void {
    this.#abort.abort();
  }

  /** Answers a prompt. `withdraw` takes it out of the conversation again. */
  async run(prompt: string, withdraw: () => void): Promise<TurnEnd> {
    try {
      await this.#pause(this.#ports.knobs.latencyMs);
      let end = await this.#perform(this.#ports.plan(prompt));
      for (let blocks = 0; end.kind === 'stopped'; blocks += 1) {
        const more = await this.#stop(blocks > 0);
        if (more === undefined || blocks === maxStopBlocks) return end;
        end = await this.#perform(this.#ports.plan(more));
      }
      return end;
    } catch (error) {
      if (!this.signal.aborted) throw error;
      return this.#interrupted(withdraw);
    }
  }

  #interrupted(withdraw: () => void): TurnEnd {
    this.#message?.drop();
    if (!this.#spoke) {
      withdraw();
      return { kind: 'withdrawn' };
    }
    if (this.#running > 0) this.#ports.log(`  No result recorded for ${calls(this.#running)}`);
    this.#ports.log('  ⎿  Interrupted · What should Claude do instead?');
    this.#ports.transcript().note([{ type: 'text', text: this.#interruptNote }], this.promptId, {
      interruptedMessageId: this.#message?.id,
    });
    return { kind: 'interrupted' };
  }

  async #perform(plan: Step[]): Promise<TurnEnd> {
    const steps = [...plan];
    for (let step = steps.shift(); step; step = steps.shift()) {
      const end = await this.#step(step, steps);
      if (end) return end;
    }
    await this.#closeMessage();
    return { kind: 'stopped' };
  }

  /** @returns the turn's end when this step is one. */
  async #step(step: Step, rest: Step[]): Promise<TurnEnd | undefined> {
    switch (step.kind) {
      case 'say':
        await this.#say(step.text.split('\n'));
        return undefined;
      case 'wait':
        await this.#pause(step.ms);
        return undefined;
      case 'background':
        this.#ports.background(step.text);
        return undefined;
      case 'tools': {
        const lines = await this.#useTools(step.calls);
        rest.unshift({ kind: 'say', text: lines.join('\n') });
        // A prompt that came meanwhile joins this turn, with its prompt_id and its Stop.
        rest.push(...this.#ports.takeQueued().flatMap((text) => this.#ports.plan(text)));
        return undefined;
      }
      case 'fail':
        return this.#fail(step.error);
      case 'hang':
        await this.#pause(2 ** 31 - 1);
        return undefined;
      case 'silent':
        await this.#closeMessage();
        return { kind: 'silent' };
      case 'exit':
        this.#ports.exit(step.code);
        return { kind: 'silent' };
      case 'empty':
        this.#spoke = true;
        this.#lastText = '';
        return undefined;
      default:
        return never(step);
    }
  }

  async #say(lines: string[]): Promise<void> {
    for (const line of lines) {
      if (this.#spoke) await this.#pause(this.#ports.knobs.lineMs);
      this.signal.throwIfAborted();
      this.#spoke = true;
      this.#message ??= new Message(this.#ports.log, (messageId, { index, final, delta }) =>
        this.#fire(
          'MessageDisplay',
          { turn_id: this.#turnId, message_id: messageId, index, final, delta },
          false,
        ),
      );
      this.#message.line(line);
    }
  }

  /** Ends the current message. @returns its text. */
  async #closeMessage(toolUses: object[] = [], afterMs = 0): Promise<void> {
    const message = this.#message;
    this.#message = undefined;
    if (!message && toolUses.length === 0) return;
    const text = message?.text ?? '';
    this.#lastText = text;
    const content = [...(text === '' ? [] : [{ type: 'text', text }]), ...toolUses];
    this.#ports.transcript().assistant(content, this.promptId);
    if (!message) return;
    const final = afterMs > 0 ? sleep(afterMs).then(() => message.finish()) : message.finish();
    this.#finals.push(final);
    // The final batch has set out; a slow handler never delays Stop.
    await sleep(1);
  }

  async #useTools(toolCalls: ToolUse[]): Promise<string[]> {
    this.#spoke = true;
    const uses = toolCalls.map((call) => ({
      call,
      id: `toolu_${randomUUID().replaceAll('-', '').slice(0, 24)}`,
    }));
    await this.#closeMessage(
      uses.map(({ call, id }) => ({ type: 'tool_use', id, name: call.name, input: call.input })),
      finalBatchDelayMs,
    );
    const reports = await Promise.all(uses.map(({ call, id }) => this.#useTool(call, id)));
    this.signal.throwIfAborted();
    await this.#fire('PostToolBatch', {
      tool_calls: uses.map(({ call, id }) => ({ tool_name: call.name, tool_use_id: id })),
    });
    await Promise.all(this.#finals);
    this.#finals = [];
    await this.#pause(this.#ports.knobs.latencyMs);
    return reports.flatMap(({ lines }) => lines);
  }

  async #useTool(call: ToolUse, id: string): Promise<CallReport> {
    const missing = this.#ports.missingTool(call.name);
    if (missing) return this.#report(call, id, { ok: false, error: missing });
    this.#ports.log(`● ${call.name}(${JSON.stringify(call.input).slice(0, 200)})`);
    const use = { tool_name: call.name, tool_input: call.input, tool_use_id: id };
    const before = await this.#fire('PreToolUse', use, true, call.name);
    this.signal.throwIfAborted();
    const input = await this.#permit(call, before);
    if (typeof input === 'string') return this.#report(call, id, { ok: false, error: input });
    const started = performance.now();
    this.#running += 1;
    const outcome = await this.#ports.runTool({ name: call.name, input }, id, this.signal);
    this.signal.throwIfAborted();
    this.#running -= 1;
    const server = this.#ports.mcpServerOf(call.name);
    const done = {
      ...use,
      tool_input: input,
      duration_ms: Math.round(performance.now() - started),
      ...(server ? { mcp_server: { name: server, source: 'dynamic' } } : {}),
    };
    if (outcome.ok)
      await this.#fire('PostToolUse', { ...done, tool_response: outcome.response }, true, call.name);
    else
      await this.#fire(
        'PostToolUseFailure',
        { ...done, error: outcome.error, is_interrupt: false },
        true,
        call.name,
      );
    return this.#report(call, id, outcome);
  }

  /** @returns the input to run with, or the text of the refusal. An aborted request aborts the turn. */
  async #permit(call: ToolUse, before: HookAnswer[]): Promise<Record<string, unknown> | string> {
    for (const { hookSpecificOutput } of before) {
      if (hookSpecificOutput?.permissionDecision === 'deny')
        return hookSpecificOutput.permissionDecisionReason ?? 'Denied by a PreToolUse hook';
      if (hookSpecificOutput?.permissionDecision === 'allow') return call.input;
    }
    const gate = this.#ports.gate(call);
    if (gate.kind === 'run') return call.input;
    if (gate.kind === 'refuse') return gate.message;
    const verdict = await this.#ports.ask({
      call,
      signal: this.signal,
      interruptTurn: () => this.interrupt(),
    });
    if (verdict.kind === 'deny') return verdict.message;
    if (verdict.kind === 'abort') {
      this.#interruptNote = '[Request interrupted by user for tool use]';
      this.#ports.log(`  Did not run ${calls(1)}`);
      this.interrupt();
      this.signal.throwIfAborted();
      return '';
    }
    this.#ports.apply(call, verdict.updates);
    return verdict.input;
  }

  /** The tool result: into the transcript and as what the next message says. */
  #report(call: ToolUse, id: string, outcome: ToolOutcome): CallReport {
    const text = outcome.ok ? outcome.text : outcome.error;
    const block = { type: 'tool_result', tool_use_id: id, content: text, is_error: !outcome.ok };
    this.#ports.transcript().note([block], this.promptId);
    const name = call.name.replace(/^mcp__.+?__/, '');
    const [first = '', ...more] = text.slice(0, 4000).split('\n');
    const lines = [`${name} ${outcome.ok ? 'answered' : 'failed'}: ${first}`, ...more];
    for (const line of lines) this.#ports.log(`  ⎿  ${line}`);
    return { lines };
  }

  /** @returns the reason of a Stop hook that sends the turn on. */
  async #stop(active: boolean): Promise<string | undefined> {
    const answers = await this.#fire('Stop', {
      stop_hook_active: active,
      last_assistant_message: this.#lastText.trimEnd(),
      background_tasks: this.#ports.backgroundTasks(),
      session_crons: [],
    });
    return answers.find(({ decision }) => decision === 'block')?.reason;
  }

  async #fail(error: string): Promise<TurnEnd> {
    await this.#closeMessage();
    const text = `API Error: simulated ${error}`;
    this.#ports.log(`● ${text}`);
    await this.#fire('StopFailure', { error, last_assistant_message: text }, true, error);
    return { kind: 'failed' };
  }

  #fire(
    event: HookEvent,
    more: Record<string, unknown>,
    full = true,
    subject?: string,
  ): Promise<HookAnswer[]> {
    const payload = { ...this.#ports.fields(this.promptId, full), ...more };
    return this.#ports.hook({
      event,
      payload,
      signal: this.signal,
      ...(subject === undefined ? {} : { subject }),
    });
  }

  /** Waits, or rejects when the turn is interrupted. */
  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.signal });
  }
}

const calls = (count: number): string => `${count} call${count === 1 ? '' : 's'}`;
