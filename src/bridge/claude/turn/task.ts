// What Claude Code runs beside its turns, and how it tells of it. Measured on 2.1.332.
import { z } from 'zod';
import type { AgentReport } from '../../../domain/commands.ts';
import type { Task } from '../../../domain/state/task.ts';
import type { PostToolUseHook } from '../hooks/hook-schema.ts';

const Shell = z.object({ backgroundTaskId: z.string() });
const Agent = z.object({ isAsync: z.literal(true), agentId: z.string() });
const Call = z.array(z.object({ text: z.string() })).min(1);
const Titled = z.object({ description: z.string() });

/** The result of a call of MCP that took so long that Claude was not kept waiting. */
const movedAway = /\bmoved to the background as task (\w+)/;

/** Type of a member of a team in the lists. */
export const teammate = 'teammate';

const kinds: Readonly<Record<string, Task['kind']>> = { subagent: 'agent', 'MCP task': 'call' };

/** @param type as in the lists of its hooks */
export const taskKind = (type: string): Task['kind'] => kinds[type] ?? 'shell';

/** What goes on behind a tool that has returned. */
export function taskBegun(
  { tool_name, tool_input, tool_response }: PostToolUseHook,
  hook: number,
): AgentReport[] {
  const task = taskOf(tool_response);
  if (!task) return [];
  const title = Titled.safeParse(tool_input).data?.description ?? tool_name;
  return [{ type: 'task.begin', ...task, title, hook }];
}

/** @param response of a tool @returns undefined for one that was done when it returned */
export function taskOf(response: unknown): { task: string; kind: Task['kind'] } | undefined {
  const shell = Shell.safeParse(response).data;
  if (shell) return { task: shell.backgroundTaskId, kind: 'shell' };
  const agent = Agent.safeParse(response).data;
  if (agent) return { task: agent.agentId, kind: 'agent' };
  const task = movedAway.exec(Call.safeParse(response).data?.[0]?.text ?? '')?.[1];
  return task === undefined ? undefined : { task, kind: 'call' };
}

const Stopped = z.object({ task_id: z.string(), task_type: z.string() });

/** What Claude stopped itself. Of a command and a call it is told no more; the end of an agent begins a turn. */
export function taskStopped({ tool_name, tool_response }: PostToolUseHook): AgentReport[] {
  const stopped = tool_name === 'TaskStop' ? Stopped.safeParse(tool_response).data : undefined;
  if (!stopped || stopped.task_type === 'local_agent') return [];
  return [{ type: 'task.end', task: stopped.task_id, status: 'stopped', told: true }];
}

const notification = /^<task-notification>\n<task-id>([^<]+)<\/task-id>\n/;
const status = /\n<status>([^<\n]+)<\/status>\n/;
const stopped = /^(?:\d+ background agents were|Background agent ".*" was) stopped by the user/;

/**
 * What Claude Code itself tells Claude with this prompt. A command in it, or an agent's words in it, count for nothing.
 * @returns undefined for what somebody has typed, or a wake-up: nothing tells the two apart
 */
export function taskTold(prompt: string): { task?: string; status: string } | undefined {
  const task = notification.exec(prompt)?.[1];
  if (task !== undefined) return { task, status: status.exec(prompt)?.[1] ?? 'ended' };
  return stopped.test(prompt) ? { status: 'stopped' } : undefined;
}
