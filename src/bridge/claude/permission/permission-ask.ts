// One question of Claude Code, and the roads it came in by.
import type { Cancel } from '../../../base/time/clock.ts';
import type { PermissionRequest } from '../../../protocol/wire/wire.ts';
import type { PermissionAnswer } from '../../app/ports.ts';
import type { PermissionRequestHook } from '../hooks/hook-schema.ts';
import type { KnownAsk } from '../known-run.ts';

/** The other end of a held hook. */
export interface HookClient {
  /** Aborts when the connection is gone: "No" or Esc in the terminal closes it (measured on 2.1.329). */
  signal: AbortSignal;
  /** Calls back when the response was handed to the system. */
  onWritten(listener: () => void): void;
}

interface HeldHook {
  request: PermissionRequestHook;
  onWritten: HookClient['onWritten'];
  finish(answer: object): void;
}

export interface DeskAsk {
  tool: string;
  /** Number of the hook that is held for it. */
  n?: number;
  /** A bridge before told it; its roads come again. */
  isKnown?: true;
  toolUse?: string;
  /** The agent that asks; absent: the main thread. */
  agent?: string;
  hook?: HeldHook;
  relay?: PermissionRequest;
  /** Monotonic ms. */
  at: number;
  state: /** Its second road is waited for a moment. */
    | { name: 'joining'; cancel: Cancel }
    | { name: 'open'; code: string }
    | { name: 'answered'; code: string; answer: PermissionAnswer; sent: boolean };
}

/** Tools whose answer is more than yes or no, which the relay cannot carry. */
const wordy = new Set(['AskUserQuestion', 'ExitPlanMode']);

export const isWordy = (tool: string): boolean => wordy.has(tool);

export const isOpen = (ask: DeskAsk): boolean => ask.state.name !== 'answered';

/** Claude Code cuts the relay's preview after 200 characters; whatever is no JSON object any more was cut. */
const isPreview = (ask: DeskAsk): boolean => !ask.hook && typeof ask.relay?.args === 'string';

/** Whether the relay shows this input. A cut preview is its beginning. */
export function showsInput(shown: PermissionRequest['args'], input: unknown): boolean {
  const whole = compact(JSON.stringify(input) ?? '');
  if (typeof shown !== 'string') return compact(JSON.stringify(shown)) === whole;
  return whole.startsWith(compact(shown.replace(/(?:…|\.\.\.)$/, '')));
}

const compact = (text: string): string => text.replace(/\s+/g, '');

/** May be the question of a tool that ran: it has no id, and nobody said no. */
export const isUnnamed = ({ toolUse, state }: DeskAsk): boolean =>
  toolUse === undefined && !(state.name === 'answered' && state.answer.verdict === 'deny');

/** Whether the relay tells of one question twice. */
export const isSame = (one: PermissionRequest, other: PermissionRequest): boolean =>
  one.request_id === other.request_id &&
  one.tool === other.tool &&
  JSON.stringify(one.args) === JSON.stringify(other.args);

/** What a bridge before told, the relay tells again: it has the relay's own code. */
export const isKnownAs = ({ isKnown, relay, tool, state }: DeskAsk, frame: PermissionRequest): boolean =>
  isKnown === true &&
  !relay &&
  tool === frame.tool &&
  state.name !== 'joining' &&
  state.code === frame.request_id;

/** What is asked, as far as its roads have told it. */
export function askedBy(ask: DeskAsk) {
  const { hook, relay, tool, toolUse } = ask;
  const input = hook ? hook.request.tool_input : relay?.args;
  const rationale = relay?.rationale || descriptionOf(input);
  const suggestions = hook?.request.permission_suggestions;
  return {
    tool,
    input,
    ...(rationale !== undefined && { rationale }),
    ...(toolUse !== undefined && { tool_use: toolUse }),
    ...(isPreview(ask) && { cut: true as const }),
    ...(suggestions && { suggestions }),
    ...(ask.n !== undefined && { hook: ask.n }),
    ...(ask.agent !== undefined && { agent: ask.agent }),
  };
}

/** The reason that Claude gives with its call. */
function descriptionOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('description' in input)) return undefined;
  return typeof input.description === 'string' && input.description ? input.description : undefined;
}

/** @param at monotonic ms */
export function knownToDesk(
  { code, tool, toolUse, hook, agent, answer, sent }: KnownAsk,
  at: number,
): DeskAsk {
  return {
    tool,
    at,
    isKnown: true,
    ...(toolUse !== undefined && { toolUse }),
    ...(hook !== undefined && { n: hook }),
    ...(agent !== undefined && { agent }),
    state: answer ? { name: 'answered', code, answer, sent } : { name: 'open', code },
  };
}
