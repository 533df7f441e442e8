import { contextOf, type HookAnswer } from '../hooks/hook-answer.ts';
import type { HookEvent } from '../hooks/hooks.ts';
import type { ToolUse } from '../turn/brain.ts';
import type { TurnPorts } from '../turn/turn-ports.ts';
import type { ToolOutcome } from './tool-box.ts';

/** The turn that the calls belong to. */
interface RunningTurn {
  readonly promptId: string;
  /** Aborts when the turn is interrupted. */
  readonly signal: AbortSignal;
  /** Fires a hook of this turn. */
  fire(event: HookEvent, more: Record<string, unknown>, options: { subject: string }): Promise<HookAnswer[]>;
  interrupt(note?: string): void;
}

/** A hook that says no, or a command hook that exits with 2, as the model reads it. */
function refusalOf({ name }: ToolUse, answers: readonly HookAnswer[]): string | undefined {
  for (const { decision, reason, hookSpecificOutput: output } of answers) {
    if (output?.permissionDecision === 'deny')
      return `PreToolUse:${name} hook error: ${output.permissionDecisionReason ?? ''}`;
    if (decision === 'block') return `PreToolUse:${name} hook error: ${reason ?? ''}`;
  }
  return undefined;
}

/** The tool calls of one turn: hooks before, permission, the run itself, hooks after. */
export class ToolRun {
  readonly #turn: RunningTurn;
  readonly #ports: TurnPorts;
  #running = 0;
  readonly #added: string[] = [];

  constructor(turn: RunningTurn, ports: TurnPorts) {
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

  /** @returns what the next message says about it. Rejects when the turn was aborted meanwhile. */
  async run(call: ToolUse, id: string): Promise<string[]> {
    const missing = this.#ports.missingTool(call.name);
    if (missing) return this.#report(call, id, { ok: false, error: missing });
    this.#ports.log(`● ${call.name}(${JSON.stringify(call.input).slice(0, 200)})`);
    const use = { tool_name: call.name, tool_input: call.input, tool_use_id: id };
    const before = await this.#turn.fire('PreToolUse', use, { subject: call.name });
    this.#turn.signal.throwIfAborted();
    const input = await this.#permit(call, before);
    if (typeof input === 'string') return this.#report(call, id, { ok: false, error: input });
    const started = performance.now();
    this.#running += 1;
    const outcome = await this.#ports.runTool({ name: call.name, input }, id, this.#turn.signal);
    this.#turn.signal.throwIfAborted();
    this.#running -= 1;
    const server = this.#ports.mcpServerOf(call.name);
    const done = {
      ...use,
      tool_input: input,
      duration_ms: Math.round(performance.now() - started),
      ...(server ? { mcp_server: { name: server, source: 'dynamic' } } : {}),
    };
    const [event, result] = outcome.ok
      ? (['PostToolUse', { tool_response: outcome.response }] as const)
      : (['PostToolUseFailure', { error: outcome.error, is_interrupt: false }] as const);
    const after = await this.#turn.fire(event, { ...done, ...result }, { subject: call.name });
    this.#turn.signal.throwIfAborted();
    this.#added.push(...contextOf(after));
    return this.#report(call, id, outcome);
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
  #report(call: ToolUse, id: string, outcome: ToolOutcome): string[] {
    const text = outcome.ok ? outcome.text : outcome.error;
    const block = { type: 'tool_result', tool_use_id: id, content: text, is_error: !outcome.ok };
    this.#ports.transcript().note([block], this.#turn.promptId);
    const name = call.name.replace(/^mcp__.+?__/, '');
    const [first = '', ...more] = text.slice(0, 4000).split('\n');
    const lines = [`${name} ${outcome.ok ? 'answered' : 'failed'}: ${first}`, ...more];
    for (const line of lines) this.#ports.log(`  ⎿  ${line}`);
    return lines;
  }
}
