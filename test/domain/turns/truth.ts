// What a history proves about its turns, without any rule of ours about when a turn begins and ends.
import { type HookLine, type Line, ownerOf } from './line.ts';

export interface Truth {
  /** Turns that the transcript says completed. A turn that failed while an agent worked may be counted, too. */
  completed: number;
  /** Turns that Claude Code says failed. */
  failed: number;
  /** Keys that may have interrupted a turn: never more turns than that are interrupted. */
  interruptingKeys: number;
  /** Everything that the main thread said, by prompt id. A retry has replaced the message that it repeats. */
  texts: ReadonlyMap<string, readonly string[]>;
  /** False when hooks of a second Claude Code are among the lines: the counts are of both. */
  isAlone: boolean;
  /** There are teammates. While there is one the transcript says of no turn that it completed. */
  isTeam: boolean;
}

interface Message {
  prompt: string;
  batches: string[];
  /** A tool ran since the message before: what it repeats was said before on purpose. */
  isAfterTool: boolean;
}

const toolHooks: ReadonlySet<string> = new Set([
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
]);

export function truthOf(lines: readonly Line[]): Truth {
  const count = (is: (line: Line) => boolean) => lines.filter(is).length;
  return {
    completed: count((line) => line.k === 'transcript' && line.says === 'turn_duration'),
    failed: mainHooks(lines).filter(({ hook }) => hook.hook_event_name === 'StopFailure').length,
    interruptingKeys: count((line) => line.k === 'key' && (line.key === 'Esc' || line.key === 'Ctrl+C')),
    texts: textsOf(lines),
    isAlone: !lines.some(({ k }) => k === 'note'),
    isTeam: mainHooks(lines).some(({ hook }) =>
      hook.background_tasks?.some(({ type }) => type === 'teammate'),
    ),
  };
}

export const mainHooks = (lines: readonly Line[]): HookLine[] =>
  lines.filter((line): line is HookLine => line.k === 'hook' && ownerOf(line.hook) === 'main');

function textsOf(lines: readonly Line[]): Map<string, string[]> {
  const messages = new Map<string, Message>();
  let isAfterTool = false;
  for (const { hook } of mainHooks(lines)) {
    if (toolHooks.has(hook.hook_event_name)) isAfterTool = true;
    if (hook.hook_event_name !== 'MessageDisplay') continue;
    const { message_id: id = '', prompt_id: prompt = '', index = 0, delta = '' } = hook;
    const message = messages.get(id) ?? { prompt, batches: [], isAfterTool };
    if (!messages.has(id)) isAfterTool = false;
    message.batches[index] = delta;
    messages.set(id, message);
  }
  return grouped([...messages.values()]);
}

function grouped(messages: readonly Message[]): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const { prompt, batches, isAfterTool } of messages) {
    const said = texts.get(prompt) ?? [];
    const text = batches.join('');
    const before = said.at(-1);
    if (before !== undefined && !isAfterTool && text.startsWith(before)) said.pop();
    texts.set(prompt, [...said, text]);
  }
  return texts;
}
