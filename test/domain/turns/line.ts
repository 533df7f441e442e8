// One line of a recorded or invented history: what a bridge hears of one Claude Code, in the order in which it hears it.

/** A hook as Claude Code posts it, before anything checks its form. */
export interface RawHook {
  hook_event_name: string;
  session_id: string;
  /** On a hook with `agent_id` it is whatever the main thread had last. */
  prompt_id?: string;
  agent_id?: string;
  tool_use_id?: string;
  tool_name?: string;
  tool_input?: unknown;
  tool_calls?: { tool_use_id: string }[];
  message_id?: string;
  index?: number;
  delta?: string;
  prompt?: string;
  last_assistant_message?: string;
  background_tasks?: { id: string; type: string; status: string }[];
  [more: string]: unknown;
}

interface Answer {
  n: number;
  event: string;
  answer: unknown;
}

export type Line = { t: number } & (
  | { k: 'hook'; n: number; hook: RawHook }
  /** The answer to hook `n`. Hooks without such a line were answered `{}` at once. */
  | ({ k: 'hook-answer' } & Answer)
  /** Claude Code closed the request of hook `n` before it was answered. */
  | { k: 'hook-aborted'; n: number; event: string }
  /** An answer to a hook that was aborted before. */
  | ({ k: 'hook-late' } & Answer)
  | { k: 'typed'; text: string; into?: 'second' }
  | { k: 'key'; key: string }
  | { k: 'start'; resume?: string }
  | { k: 'kill'; signal: string }
  | { k: 'exit'; code: number; signal?: number }
  /** A second Claude Code posts its hooks to the same place. */
  | { k: 'note'; second: true }
  /** What the transcript says of the main thread, up to 120 ms late: proof from outside the hooks. */
  | { k: 'transcript'; says: 'turn_duration' | 'interrupted' }
  | { k: 'transcript'; says: 'text'; text: string }
  /** Nothing more is tried; the exit behind it is the recorder that cleans up. */
  | { k: 'end' }
);

export type HookLine = Extract<Line, { k: 'hook' }>;

/** The thread that a hook belongs to: an agent, or the main one. */
export const mainThread = 'main';
export const ownerOf = ({ agent_id: agent }: RawHook): string => agent ?? mainThread;
