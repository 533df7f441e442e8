// What Claude Code leaves behind when a turn ends, and by what it tells of it later. Measured on 2.1.329: a command or
// an agent in the background names its tool use when it is done, a wake-up comes as the prompt that it was set with.
import { z } from 'zod';
import { hashId } from '../../../base/digest.ts';
import type { Errand } from '../../../protocol/events/events.ts';
import { taskOf } from './task.ts';

const WakeUp = z.object({ prompt: z.string().min(1) });
const wakers: ReadonlySet<string> = new Set(['ScheduleWakeup', 'CronCreate']);

/** @returns undefined for a tool that was done when it returned */
export function errandOf(
  tool: string,
  input: unknown,
  response: unknown,
  toolUse: string,
): Errand | undefined {
  if (wakers.has(tool)) {
    const { data } = WakeUp.safeParse(input);
    return data && wakeUp(data.prompt);
  }
  const task = taskOf(response)?.task;
  return task === undefined ? undefined : { by: 'task', name: toolUse, task };
}

/** What a submitted prompt that is not ours may be about. A command in it, an agent's words in it count for nothing. */
export function errandTold(prompt: string): Errand {
  const [, task, name] = told.exec(prompt) ?? [];
  // Of a call that took too long, and of an agent that another one woke, the tool use is not told.
  return task === undefined ? wakeUp(prompt) : { by: 'task', name: name ?? '', task };
}

const told = /^<task-notification>\n<task-id>([^<]+)<\/task-id>\n(?:<tool-use-id>([^<]+)<\/tool-use-id>\n)?/;

/** Prompts may be long. */
const wakeUp = (prompt: string): Errand => ({ by: 'wakeup', name: hashId(prompt.trim(), 16) });
