import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { never } from '../../../base/never.ts';
import type { HookAnswer } from '../hooks/hook-answer.ts';
import type { HookEvent } from '../hooks/hooks.ts';
import { newTaskId } from '../tasks/task.ts';
import { newToolUse, ToolRun, withIds } from '../tools/tool-run.ts';
import type { Step, ToolUse } from './brain.ts';
import { Message } from './message.ts';
import type { TurnPorts } from './turn-ports.ts';

/** How a turn ended. `withdrawn`: interrupted before the first word, the prompt goes back into the box. */
export type TurnEnd =
  | { kind: 'stopped' }
  | { kind: 'failed' }
  | { kind: 'silent' }
  | { kind: 'interrupted' }
  | { kind: 'withdrawn' };

/** Times a Stop hook may send the turn on in a row (documented). */
const maxStopBlocks = 8;
/** Milliseconds between PreToolUse and the final batch of the same message (23 ms measured on 2.1.329). */
const finalBatchDelayMs = 20;

/** One turn, from the accepted prompt to its end. */
export class Turn {
  readonly promptId: string;
  readonly isAgent = false;
  readonly #turnId = randomUUID();
  readonly #ports: TurnPorts;
  readonly #abort = new AbortController();
  #message: Message | undefined;
  #lastText: string;
  #lastFinal = Promise.resolve();
  #spoke = false;
  #interruptNote = '';
  readonly #tools: ToolRun;

  constructor(promptId: string, ports: TurnPorts) {
    this.promptId = promptId;
    this.#ports = ports;
    this.#lastText = ports.lastText();
    this.#tools = new ToolRun(this, ports);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** What it said last; nothing: what the turn before it said. */
  get lastText(): string {
    return this.#lastText;
  }

  /** Esc, Ctrl+C, or a denial that interrupts. No hook fires. */
  interrupt(note = '[Request interrupted by user]'): void {
    if (this.signal.aborted) return;
    this.#interruptNote = note;
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
    const { running } = this.#tools;
    if (running > 0) this.#ports.log(`  No result recorded for ${running} call${running === 1 ? '' : 's'}`);
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
        await this.#leave(step.text);
        return undefined;
      case 'tools': {
        const lines = await this.#runTools(step.calls);
        if (lines.length > 0) rest.unshift({ kind: 'say', text: lines.join('\n') });
        // A prompt that came meanwhile joins this turn, with its prompt_id and its Stop.
        const added = [...this.#tools.takeAdded(), ...(await this.#ports.takeQueued())];
        rest.push(...added.flatMap((text) => this.#ports.plan(text)));
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
        this.fire(
          'MessageDisplay',
          { turn_id: this.#turnId, message_id: messageId, index, final, delta },
          { bare: true },
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
    if (text !== '') this.#lastText = text;
    const content = [...(text === '' ? [] : [{ type: 'text', text }]), ...toolUses];
    this.#ports.transcript().assistant(content, this.promptId);
    if (!message) return;
    this.#lastFinal = sleep(afterMs).then(() => void message.finish());
    // Stop follows the final batch, but never waits for a slow handler to answer it.
    if (afterMs === 0) await this.#lastFinal.then(() => sleep(1));
  }

  async #runTools(toolCalls: ToolUse[]): Promise<string[]> {
    this.#spoke = true;
    const uses = withIds(toolCalls);
    await this.#closeMessage(
      uses.map(({ call, id }) => ({ type: 'tool_use', id, name: call.name, input: call.input })),
      finalBatchDelayMs,
    );
    const reports = await this.#tools.batch(uses);
    await this.#lastFinal;
    await this.#pause(this.#ports.knobs.latencyMs);
    return reports;
  }

  /** A command that goes on in the background. Nobody is asked about it, and it does nothing. */
  async #leave(description: string): Promise<void> {
    const toolUse = newToolUse();
    const id = newTaskId('shell');
    const use = {
      tool_name: 'Bash',
      tool_input: { command: 'true', description, run_in_background: true },
      tool_use_id: toolUse,
    };
    await this.fire('PreToolUse', use);
    await this.fire('PostToolUse', {
      ...use,
      tool_response: { stdout: '', stderr: '', interrupted: false, backgroundTaskId: id },
    });
    const read = `Command running in background with ID: ${id}.`;
    await this.fire('PostToolBatch', { tool_calls: [{ ...use, tool_response: read }] });
    const outputFile = this.#ports.tasks.outputFile(id);
    this.#ports.tasks.leave({ id, type: 'shell', description, command: 'true', toolUse, outputFile });
  }

  /** @returns the reason of a Stop hook that sends the turn on. */
  async #stop(active: boolean): Promise<string | undefined> {
    const answers = await this.fire('Stop', {
      stop_hook_active: active,
      last_assistant_message: this.#lastText.trimEnd(),
      background_tasks: this.#ports.tasks.list(),
      session_crons: [],
    });
    return answers.find(({ decision }) => decision === 'block')?.reason;
  }

  async #fail(error: string): Promise<TurnEnd> {
    await this.#closeMessage();
    const text = `API Error: simulated ${error}`;
    this.#ports.log(`● ${text}`);
    await this.fire('StopFailure', { error, last_assistant_message: text }, { subject: error });
    return { kind: 'failed' };
  }

  /** Fires a hook of this turn; `bare` leaves mode and effort out. */
  fire(
    event: HookEvent,
    more: Record<string, unknown>,
    { subject, bare = false }: { subject?: string; bare?: boolean } = {},
  ): Promise<HookAnswer[]> {
    const payload = { ...this.fields(!bare), ...more };
    const run = { event, payload, signal: this.signal };
    return this.#ports.hook(subject === undefined ? run : { ...run, subject });
  }

  fields(full: boolean): Record<string, unknown> {
    return this.#ports.fields(this.promptId, full);
  }

  /** Waits, or rejects when the turn is interrupted. */
  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.signal });
  }
}
