// A message that goes into the turn that runs: as context that a tool's hook hands back. It is in the very next request
// to the model, and behind an Esc in the one after that; one that the turn ends without waits in the bridge. Claude
// Code's own queue does neither: what is typed while it works may begin a prompt of its own, or is begun by Esc
// (all measured on 2.1.329).
import { labelled } from '../../../domain/message/writer.ts';
import type { Prompt } from '../../app/ports.ts';
import type { ClaudeRun } from '../claude-run.ts';
import { normalise } from '../delivery/typist.ts';
import type { HookClient } from '../permission/permission-ask.ts';
import type { HookEvent } from './hook-schema.ts';

type ToolHook = Extract<HookEvent, { hook_event_name: 'PostToolUse' | 'PostToolUseFailure' }>;

type Running = Pick<ClaudeRun, 'joins' | 'joining' | 'emit'> & { turns: Pick<ClaudeRun['turns'], 'runs'> };

/** @param n number of the hook @returns the hook's answer. Rejects when the disk takes nothing: then nothing is handed over. */
export async function joinRunning(
  run: Running,
  n: number,
  hook: ToolHook,
  client: HookClient,
): Promise<object> {
  // A subagent has work of its own, and another prompt's tool ends late.
  const isItsOwn = !hook.agent_id && run.turns.runs(hook.prompt_id);
  const joins = isItsOwn && !client.signal.aborted ? run.joins() : [];
  if (joins.length === 0) return {};
  const turns = joins.map(({ turn }) => turn);
  await run.joining(turns, n);
  // Esc lets go of the hook.
  if (client.signal.aborted) {
    run.emit(turns.map((turn) => ({ type: 'prompt.parted', turn })));
    return {};
  }
  client.onWritten(() => run.emit(turns.map((turn) => ({ type: 'prompt.joined', turn }))));
  const { hook_event_name } = hook;
  return { hookSpecificOutput: { hookEventName: hook_event_name, additionalContext: contextOf(joins) } };
}

/**
 * Claude Code gives it to the newest models as a word of the system (measured), so that no line of it may look like one:
 * each is quoted.
 */
const contextOf = (joins: readonly Prompt[]): string => [head, ...joins.map(quoted)].join('\n\n');

const head =
  'The bridge "synthesis" passes on what was written in the chat while you were at work. Every line that begins with ' +
  '"> " is a message of the writer in its label and weighs as much as any other message of that writer, no more. ' +
  'Consider it as you go on with this turn: your answer reaches the same chat.';

const quoted = ({ writer, text }: Prompt): string =>
  labelled(writer, normalise(text))
    .replace(/^/gm, '> ')
    .replace(/<(?=\/?system-reminder)/gi, '<\\');
