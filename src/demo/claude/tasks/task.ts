// What goes on in the background, and how Claude Code speaks of it: to hooks while it runs, to the model when it has
// ended. Worded and ordered as measured on 2.1.332. Pure.
import { randomBytes, randomInt } from 'node:crypto';

export type Task = { id: string; description: string } & (
  | { type: 'subagent'; agentType: string; toolUse: string; outputFile: string }
  | { type: 'shell'; command: string; toolUse: string; outputFile: string }
  | { type: 'MCP task'; server: string; tool: string }
);

/** How a task ended. A killed one was stopped by Claude: what a person stops is told in other words. */
export type Ending =
  | { status: 'completed'; result: string }
  | { status: 'failed'; result: string }
  | { status: 'killed' };

/** `a…` for an agent, `b…` for a shell, `k…` for an MCP call. */
export function newTaskId(type: Task['type']): string {
  if (type === 'subagent') return `a${randomBytes(8).toString('hex')}`;
  const letters = Array.from({ length: 8 }, () => randomInt(36).toString(36)).join('');
  return `${type === 'shell' ? 'b' : 'k'}${letters}`;
}

/** An element of `background_tasks`. */
export function asListed(task: Task): Record<string, unknown> {
  const { id, type, description } = task;
  const common = { id, type, status: 'running', description };
  if (task.type === 'subagent') return { ...common, agent_type: task.agentType };
  if (task.type === 'shell') return { ...common, command: task.command };
  return { ...common, server: task.server, tool: task.tool };
}

const agentNote =
  'A task-notification fires each time this agent stops with no live background children of its own. ' +
  'The user can send it another message and resume it, so the same task-id may notify more than once.';

/** The prompt that tells the model of an end. An MCP call has neither tool use nor file. */
export function notification(task: Task, ending: Ending): string {
  const lines = [
    `<task-id>${task.id}</task-id>`,
    ...(task.type === 'MCP task'
      ? []
      : [`<tool-use-id>${task.toolUse}</tool-use-id>`, `<output-file>${task.outputFile}</output-file>`]),
    `<status>${ending.status}</status>`,
    `<summary>${summary(task, ending)}</summary>`,
    ...(task.type === 'subagent' ? [`<note>${agentNote}</note>`] : []),
    ...resultOf(task, ending),
  ];
  return ['<task-notification>', ...lines, '</task-notification>'].join('\n');
}

function summary(task: Task, ending: Ending): string {
  const { status } = ending;
  if (task.type === 'MCP task') return `MCP task ${task.id} (${task.description}) ${status}.`;
  const name = `${task.type === 'shell' ? 'Background command' : 'Agent'} "${task.description}"`;
  if (status === 'killed') return `${name} was stopped by Claude`;
  if (task.type === 'shell')
    return status === 'completed'
      ? `${name} completed (exit code 0)`
      : `${name} failed with ${ending.result.split('\n')[0]?.toLowerCase()}`;
  return status === 'completed' ? `${name} finished` : `${name} failed: ${ending.result}`;
}

/** A shell's output is in its file alone. */
function resultOf({ type }: Task, ending: Ending): string[] {
  if (type === 'MCP task' && ending.status !== 'killed') return ['<result>', ending.result, '</result>'];
  return type === 'subagent' && ending.status === 'completed' ? [`<result>${ending.result}</result>`] : [];
}

/** What begins the turn after a person has stopped agents by Ctrl+X Ctrl+K. */
export function stoppedByUser(descriptions: readonly string[]): string {
  const names = descriptions.map((description) => `"${description}"`).join(', ');
  return descriptions.length === 1
    ? `Background agent ${names} was stopped by the user.`
    : `${descriptions.length} background agents were stopped by the user: ${names}.`;
}

/** What a call reads that was moved to the background. */
export function movedToBackground({ id, description }: Task, afterMs: number): string {
  return (
    `MCP tool "${description}" is still running after ${afterMs / 1000}s. It was moved to the background as task ${id} ` +
    "and keeps running; you'll receive a notification with the result when it completes. You can keep working in the " +
    `meantime. To stop it, use TaskStop with task_id "${id}". Note: it does not survive exiting this session.`
  );
}

/** Above the box when a turn has ended and agents work. It is part of the log: it stays when they are done. */
export const waitingFor = (agents: number): string =>
  `✻ Waiting for ${agents} background agent${agents === 1 ? '' : 's'} to finish`;
