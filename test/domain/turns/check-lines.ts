// What holds of every history, recorded or invented: a line that breaks one of these is not Claude Code's.
import { HookEvent } from '../../../src/bridge/claude/hooks/hook-schema.ts';
import { type HookLine, type Line, ownerOf, type RawHook } from './line.ts';

/** Hooks that the bridge does not ask for. */
const unreadHooks: ReadonlySet<string> = new Set([
  'Elicitation',
  'ElicitationResult',
  'PermissionDenied',
  'TaskCompleted',
  'TaskCreated',
  'TeammateIdle',
]);

/** @returns what is wrong, one sentence each */
export function problemsOf(lines: readonly Line[]): string[] {
  const hooks = lines.filter((line): line is HookLine => line.k === 'hook');
  return [
    ...hooks.flatMap(unread),
    ...answersWithoutHook(lines),
    ...hooksOfStrangers(hooks),
    ...questionsWithoutCall(hooks),
  ];
}

function unread({ n, hook }: HookLine): string[] {
  const { success, error } = HookEvent.safeParse(hook);
  if (success) return [];
  const isUnknown = error.issues.every(({ path }) => path.join() === 'hook_event_name');
  return isUnknown && unreadHooks.has(hook.hook_event_name)
    ? []
    : [`Hook ${n} cannot be read: ${error.message}`];
}

/** An answer, an abort or a late answer names a hook that came before. */
function answersWithoutHook(lines: readonly Line[]): string[] {
  const asked = new Map<number, string>();
  const problems: string[] = [];
  for (const line of lines) {
    if (line.k === 'hook') asked.set(line.n, line.hook.hook_event_name);
    if (line.k !== 'hook-answer' && line.k !== 'hook-aborted' && line.k !== 'hook-late') continue;
    if (asked.get(line.n) !== line.event) problems.push(`No ${line.event} hook ${line.n} was asked.`);
  }
  return problems;
}

/** An agent says nothing before it begins. Only the helper that compacts a conversation, without a type, never begins. */
function hooksOfStrangers(hooks: readonly HookLine[]): string[] {
  const begun = new Set<string>();
  return hooks.flatMap(({ n, hook: { hook_event_name: name, agent_id: agent, agent_type: type } }) => {
    if (agent === undefined || type === '') return [];
    if (name === 'SubagentStart') begun.add(agent);
    return begun.has(agent) ? [] : [`Hook ${n} is of the agent ${agent}, which has not begun.`];
  });
}

/** A question is about exactly one call that is open, of its own thread, with equal tool and input. */
function questionsWithoutCall(hooks: readonly HookLine[]): string[] {
  const open = new Map<string, RawHook>();
  const problems: string[] = [];
  for (const { n, hook } of hooks) {
    if (hook.hook_event_name === 'PreToolUse') open.set(hook.tool_use_id ?? '', hook);
    if (hook.hook_event_name === 'PostToolUse') open.delete(hook.tool_use_id ?? '');
    for (const { tool_use_id: use } of hook.tool_calls ?? []) open.delete(use);
    if (hook.hook_event_name !== 'PermissionRequest') continue;
    const calls = [...open.values()].filter((call) => key(call) === key(hook));
    if (calls.length !== 1) problems.push(`Question ${n} is about ${calls.length} open calls.`);
  }
  return problems;
}

const key = (hook: RawHook): string => JSON.stringify([ownerOf(hook), hook.tool_name, hook.tool_input]);
