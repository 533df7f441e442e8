import { randomUUID } from 'node:crypto';
import { contextOf, type HookAnswer } from '../hooks/hook-answer.ts';
import type { HookEvent } from '../hooks/hooks.ts';
import type { ToolUse } from '../turn/brain.ts';
import type { TurnPorts } from '../turn/turn-ports.ts';
import type { ToolOutcome } from './tool-box.ts';

/** Whose calls they are: a turn of the main thread, or an agent. */
interface Owner {
  readonly promptId: string;
  readonly isAgent: boolean;
  /** Aborts when the turn is interrupted. */
  readonly signal: AbortSignal;
  /** Fires a hook of this owner. */
  fire(event: HookEvent, more: Record<string, unknown>, options?: { subject: string }): Promise<HookAnswer[]>;
  fields(full: boolean): Record<string, unknown>;
  interrupt(note?: string): void;
}

/** A call under the name that every hook gives it. */
export interface NamedCall {
  call: ToolUse;
  id: string;
}

export const withIds = (calls: ToolUse[]): NamedCall[] => calls.map((call) => ({ call, id: newToolUse() }));

export const newToolUse = (): string => `toolu_${randomUUID().replaceAll('-', '').slice(0, 24)}`;

/** A hook that says no, or a command hook that exits with 2, as the model reads it. */
function refusalOf({ name }: ToolUse, answers: readonly HookAnswer[]): string | undefined {
  for (const { decision, reason, hookSpecificOutput: output } of answers) {
    if (output?.permissionDecision === 'deny')
      return `PreToolUse:${name} hook error: ${output.permissionDecisionReason ?? ''}`;
    if (decision === 'block') return `PreToolUse:${name} hook error: ${reason ?? ''}`;
  }
  return undefined;
}

/** The tool calls of one owner: hooks before, permission, the run itself, hooks after. */
export class ToolRun {
  readonly #turn: Owner;
  readonly #ports: TurnPorts;
  #running = 0;
  readonly #added: string[] = [];

  constructor(turn: Owner, ports: TurnPorts) {
    this.#turn = turn;
    this.#ports = ports;
  }

  /** Calls that have been started and have no result. */
  get running(): number {
    return this.#running;
  }

  /** What hooks have added to the results since the last time: it is in the next request, in the same turn (measured on 2.1.329). */
  takeAdded(): string[] {
    return this.#added.splice(0);
  }

  /**
   * The calls of one message, side by side, and one hook that lists them all: also what was refused.
   * @returns what the next message says about them. Rejects when the owner was stopped meanwhile.
   */
  async batch(uses: NamedCall[]): Promise<string[]> {
    const done = await Promise.all(
      uses.map(async (use) => {
        const outcome = await this.#run(use);
        return { ...use, read: readOf(use.call, outcome), lines: this.#report(use, outcome) };
      }),
    );
    this.#turn.signal.throwIfAborted();
    await this.#turn.fire('PostToolBatch', {
      tool_calls: done.map(({ call, id, read }) => ({
        tool_name: call.name,
        tool_input: call.input,
        tool_use_id: id,
        tool_response: read,
      })),
    });
    return done.flatMap(({ lines }) => lines);
  }

  async #run({ call, id }: NamedCall): Promise<ToolOutcome> {
    const missing = this.#ports.missingTool(call.name);
    if (missing) return { ok: false, error: missing };
    this.#ports.log(`● ${call.name}(${JSON.stringify(call.input).slice(0, 200)})`);
    const server = this.#ports.mcpServerOf(call.name);
    const use = {
      tool_name: call.name,
      tool_input: call.input,
      tool_use_id: id,
      ...(server ? { mcp_server: { name: server, source: 'dynamic' } } : {}),
    };
    const before = await this.#turn.fire('PreToolUse', use, { subject: call.name });
    this.#turn.signal.throwIfAborted();
    const input = await this.#permit(call, before);
    if (typeof input === 'string') return { ok: false, error: input };
    const started = performance.now();
    this.#running += 1;
    const outcome = await this.#ports.runTool({ name: call.name, input }, id, this.#turn.signal);
    this.#turn.signal.throwIfAborted();
    this.#running -= 1;
    const done = { ...use, tool_input: input, duration_ms: Math.round(performance.now() - started) };
    const [event, result] = outcome.ok
      ? (['PostToolUse', { tool_response: outcome.response }] as const)
      : (['PostToolUseFailure', { error: outcome.error, is_interrupt: false }] as const);
    const after = await this.#turn.fire(event, { ...done, ...result }, { subject: call.name });
    if (outcome.ok) outcome.after?.();
    this.#turn.signal.throwIfAborted();
    this.#added.push(...contextOf(after));
    return outcome;
  }

  /** @returns the input to run with, or the text of the refusal. An aborted request aborts the turn. */
  async #permit(call: ToolUse, before: HookAnswer[]): Promise<Record<string, unknown> | string> {
    const refusal = refusalOf(call, before);
    if (refusal !== undefined) return refusal;
    const decisions = before.map(({ hookSpecificOutput }) => hookSpecificOutput?.permissionDecision);
    const gate = this.#ports.gate(call);
    if (gate.kind === 'refuse') return gate.message;
    // A hook's `ask` holds in every mode (measured on 2.1.329).
    if (!decisions.includes('ask') && (gate.kind === 'run' || decisions.includes('allow'))) return call.input;
    const verdict = await this.#ports.ask({
      call,
      signal: this.#turn.signal,
      isAgent: this.#turn.isAgent,
      fields: () => this.#turn.fields(true),
      interruptTurn: () => this.#turn.interrupt(),
    });
    if (verdict.kind === 'deny') return verdict.message;
    if (verdict.kind === 'abort') {
      this.#ports.log('  Did not run 1 call');
      this.#turn.interrupt('[Request interrupted by user for tool use]');
      this.#turn.signal.throwIfAborted();
      return '';
    }
    this.#ports.apply(call, verdict.updates);
    return verdict.input;
  }

  /** The tool result: into the transcript and as what the next message says. */
  #report({ call, id }: NamedCall, outcome: ToolOutcome): string[] {
    const text = outcome.ok ? outcome.text : outcome.error;
    const block = { type: 'tool_result', tool_use_id: id, content: text, is_error: !outcome.ok };
    this.#ports.transcript().note([block], this.#turn.promptId);
    if (outcome.ok && outcome.quiet) return [];
    const name = call.name.replace(/^mcp__.+?__/, '');
    const [first = '', ...more] = text.slice(0, 4000).split('\n');
    const lines = [`${name} ${outcome.ok ? 'answered' : 'failed'}: ${first}`, ...more];
    for (const line of lines) this.#ports.log(`  ⎿  ${line}`);
    return lines;
  }
}

/** A result as PostToolBatch carries it: what the model reads. */
function readOf({ name }: ToolUse, outcome: ToolOutcome): unknown {
  if (!outcome.ok) return outcome.error;
  return outcome.read ?? (outcome.text || `(${name} completed with no output)`);
}
