import { setTimeout as sleep } from 'node:timers/promises';
import type { HookAnswer } from '../hooks/hook-answer.ts';
import type { HookEvent } from '../hooks/hooks.ts';
import { ToolRun, withIds } from '../tools/tool-run.ts';
import type { Step, ToolUse } from '../turn/brain.ts';
import type { Transcript } from '../turn/transcript.ts';
import type { TurnPorts } from '../turn/turn-ports.ts';
import type { Ending, Task } from './task.ts';

export type AgentTask = Extract<Task, { type: 'subagent' }>;

/** What an agent needs beside what a turn needs. */
export interface AgentPorts {
  turn: TurnPorts;
  /** The main thread's newest prompt: an agent's hooks carry it, whoever started the agent. */
  promptId(): string | undefined;
  transcript: Transcript;
}

/** One subagent in the background: its own steps, its own hooks. It shows nothing on the screen. */
export class Agent {
  readonly task: AgentTask;
  readonly isAgent = true;
  readonly #ports: AgentPorts;
  readonly #abort = new AbortController();
  readonly #tools: ToolRun;
  #reported: string[] = [];
  #said: string[] = [];

  constructor(task: AgentTask, ports: AgentPorts) {
    this.task = task;
    this.#ports = ports;
    this.#tools = new ToolRun(this, {
      ...ports.turn,
      log: () => {},
      transcript: () => ports.transcript,
      missingTool: (name) =>
        name === 'Agent' ? `No such tool available: ${name}` : ports.turn.missingTool(name),
    });
  }

  get promptId(): string {
    return this.#ports.promptId() ?? '';
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** A refusal never ends an agent, not even one that interrupts. */
  interrupt(): void {}

  /** It ends without a hook, and the requests that it still holds are closed. */
  stop(): void {
    this.#abort.abort();
  }

  start(): Promise<unknown> {
    return this.fire('SubagentStart', {}, { subject: this.task.agentType, bare: true });
  }

  /** @returns its end, undefined when it was stopped */
  async run(steps: Step[]): Promise<Ending | undefined> {
    try {
      await this.#pause(this.#ports.turn.knobs.latencyMs);
      for (const step of steps) {
        const failure = await this.#step(step);
        if (failure !== undefined) return { status: 'failed', result: failure };
      }
      const result = (this.#said.length > 0 ? this.#said : this.#reported).join('\n');
      this.#ports.transcript.assistant([{ type: 'text', text: result }], this.promptId);
      await this.fire(
        'SubagentStop',
        {
          stop_hook_active: false,
          agent_transcript_path: this.#ports.transcript.path,
          last_assistant_message: result,
          background_tasks: this.#ports.turn.tasks.list(),
          session_crons: [],
        },
        { subject: this.task.agentType },
      );
      return this.signal.aborted ? undefined : { status: 'completed', result };
    } catch (error) {
      if (!this.signal.aborted) throw error;
      return undefined;
    }
  }

  /** @returns why it failed */
  async #step(step: Step): Promise<string | undefined> {
    switch (step.kind) {
      case 'say':
        this.#said.push(step.text);
        return undefined;
      case 'wait':
        await this.#pause(step.ms);
        return undefined;
      case 'tools':
        await this.#runTools(step.calls);
        return undefined;
      case 'fail': {
        const text = `API Error: simulated ${step.error}`;
        const more = { error: step.error, last_assistant_message: text };
        await this.fire('StopFailure', more, { subject: step.error, bare: true });
        return `Agent terminated early due to an API error: ${text}`;
      }
      case 'exit':
        this.#ports.turn.exit(step.code);
        return undefined;
      case 'hang':
        await this.#pause(2 ** 31 - 1);
        return undefined;
      default:
        return undefined; // what only a main turn can do
    }
  }

  /** Its result is what it says after its last tool, else what the tool said. */
  async #runTools(calls: ToolUse[]): Promise<void> {
    this.#said = [];
    this.#reported = await this.#tools.batch(withIds(calls));
    await this.#pause(this.#ports.turn.knobs.latencyMs);
  }

  /** Fires a hook of this agent; `bare` leaves the mode out. */
  fire(
    event: HookEvent,
    more: Record<string, unknown>,
    { subject, bare = false }: { subject?: string; bare?: boolean } = {},
  ): Promise<HookAnswer[]> {
    const payload = { ...this.fields(!bare), ...more };
    const run = { event, payload, signal: this.signal };
    return this.#ports.turn.hook(subject === undefined ? run : { ...run, subject });
  }

  fields(full: boolean): Record<string, unknown> {
    const common = this.#ports.turn.fields(this.#ports.promptId(), full);
    return { ...common, agent_id: this.task.id, agent_type: this.task.agentType };
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.signal });
  }
}
