// One hook → what it reports. It keeps nothing: what a report means is decided by what the session knows.
import type { AgentReport, ListedTask } from '../../../domain/commands.ts';
import { holdsText, sameText } from '../delivery/typist.ts';
import type { HookEvent, StopFailureHook, StopHook, SubagentStopHook } from '../hooks/hook-schema.ts';
import { errandTold } from './errand.ts';
import { taskBegun, taskKind, taskStopped, taskTold, teammate } from './task.ts';
import { toolActivity, toolSucceeded } from './tool-activity.ts';
import { failureCode, failureDetail } from './turn-failure.ts';

/** A prompt of ours that Claude Code has to tell of. */
export interface Expected {
  turn: string;
  text: string;
  road: 'keys' | 'channel';
}

export interface TranslateOptions {
  /** Number of the hook. */
  n: number;
  expected: Expected | undefined;
  /** `claude auth status` said so. Only words: a token in the environment works all the same. */
  signedOut: boolean;
  newTurn(): string;
}

/**
 * What became of what was typed. `garbled`: it is in the prompt with something else, so the prompt is to be blocked, and
 * its text goes back into the box.
 */
export type PromptFate = 'ours' | 'foreign' | 'garbled';

export interface Translated {
  reports: AgentReport[];
  /** Set for a UserPromptSubmit, but not for what Claude Code itself tells Claude: that takes nothing from the box. */
  fate?: PromptFate;
}

export function translate(hook: HookEvent, options: TranslateOptions): Translated {
  const { n } = options;
  switch (hook.hook_event_name) {
    case 'UserPromptSubmit':
      return submitted(hook, options);
    case 'MessageDisplay': {
      const { prompt_id: prompt, message_id: message, index, delta: text, final } = hook;
      if (hook.agent_id !== undefined) return none;
      // The most of all by far, so it is not put together.
      return prompt === undefined
        ? { reports: [{ type: 'message.delta', message, index, text, final }] }
        : { reports: [{ type: 'message.delta', prompt, message, index, text, final }] };
    }
    case 'PreToolUse':
      return { reports: toolActivity(hook, 'started') };
    case 'PostToolUse':
      return { reports: [...toolSucceeded(hook), ...taskBegun(hook, n), ...taskStopped(hook)] };
    case 'PostToolUseFailure':
      return { reports: toolActivity(hook, 'failed', hook.error) };
    case 'Stop':
      return { reports: hook.agent_id === undefined ? [...listed(hook, n), stop(hook)] : [] };
    case 'StopFailure':
      return { reports: [failed(hook, options)] };
    case 'SubagentStart':
      return { reports: agentIs(hook, (task) => ({ type: 'task.begin', task, kind: 'agent', hook: n })) };
    case 'SubagentStop':
      // Its own list still has the agent in it.
      return {
        reports: [
          ...listed(hook, n),
          ...agentIs(hook, (task) => ({ type: 'task.end', task, status: 'completed' })),
        ],
      };
    case 'PermissionRequest':
    case 'PostToolBatch':
    case 'SessionStart':
    case 'Notification':
    case 'PreCompact':
    case 'PostCompact':
    case 'ConfigChange':
    case 'SessionEnd':
      return none;
    default:
      return hook satisfies never;
  }
}

const none: Translated = { reports: [] };

type Submitted = Extract<HookEvent, { hook_event_name: 'UserPromptSubmit' }>;

function submitted(hook: Submitted, { expected, newTurn }: TranslateOptions): Translated {
  const { prompt: text } = hook;
  if (expected && isSame(expected, text))
    return { reports: [{ type: 'prompt.taken', turn: expected.turn, ...promptOf(hook) }], fate: 'ours' };
  if (expected?.road === 'keys' && holdsText(expected.text, text)) return { reports: [], fate: 'garbled' };
  const told = taskTold(text);
  const foreign: AgentReport = {
    type: 'prompt.foreign',
    turn: newTurn(),
    text,
    errand: errandTold(text),
    ...promptOf(hook),
    ...(told && { told }),
  };
  return { reports: [foreign], ...(!told && { fate: 'foreign' }) };
}

/** An event of a channel is wrapped, and what looks like a wrapper in it is escaped. */
const isSame = ({ text, road }: Expected, prompt: string): boolean =>
  road === 'keys' ? sameText(text, prompt) : prompt.startsWith('<channel ');

const promptOf = ({ prompt_id: prompt }: HookEvent) => (prompt === undefined ? {} : { prompt });

function stop(hook: StopHook): AgentReport {
  const { last_assistant_message: last } = hook;
  return { type: 'turn.rest', ...promptOf(hook), ...(last !== undefined && { last }) };
}

const agentIs = ({ agent_id: id }: HookEvent, report: (id: string) => AgentReport): AgentReport[] =>
  id === undefined ? [] : [report(id)];

/** Of an agent it is its end. (The compaction helper is no agent that is known.) */
function failed(hook: StopFailureHook, { signedOut }: TranslateOptions): AgentReport {
  if (hook.agent_id !== undefined) return { type: 'task.end', task: hook.agent_id, status: 'failed' };
  const detail = failureDetail(hook, signedOut);
  return { type: 'turn.failed', ...promptOf(hook), code: failureCode(hook), detail };
}

/**
 * A list that is not there says nothing: releases before 2.1.330 have none. A teammate is listed as long as it exists, and
 * under another name than that of the agent which its hooks tell of.
 */
function listed({ background_tasks: tasks }: StopHook | SubagentStopHook, n: number): AgentReport[] {
  if (!tasks) return [];
  const others = tasks.filter(({ type }) => type !== teammate);
  const known = others.map(
    ({ id, type, description }): ListedTask => ({
      id,
      kind: taskKind(type),
      ...(description !== undefined && { title: description }),
    }),
  );
  const team = others.length < tasks.length;
  return [{ type: 'tasks.listed', tasks: known, hook: n, ...(team && { team }) }];
}
