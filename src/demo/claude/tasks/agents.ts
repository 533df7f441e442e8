import { z } from 'zod';
import type { ToolOutcome } from '../tools/tool-box.ts';
import { planAnswer, type ToolUse } from '../turn/brain.ts';
import { Agent, type AgentPorts, type AgentTask } from './agent.ts';
import { newTaskId } from './task.ts';

const AgentInput = z.object({
  description: z.string(),
  prompt: z.string(),
  subagent_type: z.string().default('general-purpose'),
});

export interface AgentsPorts extends Omit<AgentPorts, 'transcript'> {
  transcriptOf(agentId: string): AgentPorts['transcript'];
}

/** The subagents of a session. All of them work in the background, whatever becomes of the turn (measured on 2.1.332). */
export class Agents {
  readonly #ports: AgentsPorts;
  readonly #working = new Set<Agent>();

  constructor(ports: AgentsPorts) {
    this.#ports = ports;
  }

  /** @returns undefined when it is not a tool for agents */
  use(call: ToolUse, toolUse: string): Promise<ToolOutcome> | ToolOutcome | undefined {
    if (call.name === 'Agent') return this.#launch(call.input, toolUse);
    return call.name === 'TaskStop' ? this.#stop(String(call.input.task_id)) : undefined;
  }

  /** It is done when the agent is announced. The agent begins when the call was reported. */
  async #launch(input: ToolUse['input'], toolUse: string): Promise<ToolOutcome> {
    const parsed = AgentInput.safeParse(input);
    if (!parsed.success)
      return { ok: false, error: 'InputValidationError: description and prompt are needed' };
    const { description, prompt, subagent_type: agentType } = parsed.data;
    const { tasks } = this.#ports.turn;
    const id = newTaskId('subagent');
    const outputFile = tasks.outputFile(id);
    const task: AgentTask = { id, type: 'subagent', description, agentType, toolUse, outputFile };
    const agent = new Agent(task, { ...this.#ports, transcript: this.#ports.transcriptOf(id) });
    this.#working.add(agent);
    tasks.begin(task);
    await agent.start();
    const response = {
      isAsync: true,
      status: 'async_launched',
      agentId: id,
      description,
      resolvedModel: 'simulated',
      prompt,
      outputFile,
      canReadOutputFile: true,
      canContinueAgent: true,
    };
    const text = `Async agent launched successfully.\nagentId: ${id}`;
    const read = [{ type: 'text', text }];
    return { ok: true, response, text, read, quiet: true, after: () => void this.#run(agent, prompt) };
  }

  /** The agent ends without a hook, and Claude is told. */
  #stop(idOrName: string): ToolOutcome {
    const agent = [...this.#working].find(
      ({ task }) => task.id === idOrName || task.description === idOrName,
    );
    if (!agent) return { ok: false, error: `No task found with ID: ${idOrName}` };
    this.#end(agent);
    const { id, description } = agent.task;
    this.#ports.turn.tasks.end(agent.task, { status: 'killed' });
    const message = `Successfully stopped task: ${id} (${description})`;
    const response = { message, task_id: id, task_type: 'local_agent', command: description };
    return { ok: true, response, text: JSON.stringify(response) };
  }

  /** A person stops all of them: no hook, no notification. @returns their descriptions */
  stopAll(): string[] {
    const stopped = [...this.#working];
    for (const agent of stopped) {
      this.#end(agent);
      this.#ports.turn.tasks.forget(agent.task);
    }
    return stopped.map(({ task }) => task.description);
  }

  #end(agent: Agent): void {
    this.#working.delete(agent);
    agent.stop();
  }

  async #run(agent: Agent, prompt: string): Promise<void> {
    const memory = { earlier: [], context: [], systemPrompt: undefined };
    const ending = await agent.run(planAnswer(prompt, memory, this.#ports.turn.rules));
    this.#working.delete(agent);
    if (ending) this.#ports.turn.tasks.end(agent.task, ending);
  }
}
