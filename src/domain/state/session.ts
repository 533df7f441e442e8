import type { Errand, Health, HubLink, LaunchOptions, Origin } from '../../protocol/events/events.ts';
import type { FailureCode } from '../../protocol/events/failures.ts';
import type { Door, PermissionSuggestion, Verdict } from '../../protocol/events/permission-events.ts';
import type { GivenCall, InputItem } from '../../protocol/events/response-events.ts';
import type { Ingress } from '../../protocol/ingress.ts';
import type { Delivery } from '../../protocol/settings/delivery.ts';
import type { Needs } from '../../protocol/settings/policy.ts';
import type { ToolSpec } from '../../protocol/tool-spec.ts';
import type { Cost } from './cost.ts';
import type { Task } from './task.ts';
import type { Text } from './text.ts';
import { isRunning, type RunningTurn, type Turn } from './turn.ts';

/** Claude's call of a tool that the hub or a provider lends; its promise is open until it is answered or dropped. */
export interface ToolCall {
  call: string;
  turn?: string;
  tool: string;
  args: Record<string, unknown>;
  toolUse?: string;
  /** The agent that made it; absent: the main thread. */
  agent?: string;
  /** Whose tool it is; absent: the hub's. */
  provider?: string;
  /** A response that ended well has handed it out: whoever runs it knows of it. */
  handed?: true;
  /** How far it is, as was said last: foreign words. */
  progress?: string;
}

export type AskState =
  | { name: 'asked' }
  /** `scope`: it holds for the rest of Claude Code's session. */
  | { name: 'decided' | 'sent'; verdict: Verdict; by: Door; who?: string; reason?: string; scope?: 'session' }
  | {
      name: 'settled';
      verdict?: Verdict;
      by?: Door;
      who?: string;
      reason?: string;
      outcome: 'applied' | 'expired' | 'superseded';
      /** What was seen, in words: `the turn ended`. */
      detail?: string;
    };

export interface AskingAgent {
  id: string;
  title?: string;
}

/** One permission question. */
export interface Ask {
  code: string;
  turn?: string;
  tool: string;
  input: unknown;
  rationale?: string;
  /** Wall clock, epoch ms. */
  expiresAt: number;
  toolUse?: string;
  /** `input` is a preview that was cut; the rest is known to Claude Code alone. */
  cut: boolean;
  /** What Claude Code suggests for the rest of its session. */
  suggestions: readonly PermissionSuggestion[];
  /** Who has to say yes, where not anybody who may answer will do. */
  needs?: Needs;
  /** What asks for it, in words. */
  rule?: string;
  /** The call of a lent tool that waits for the answer. */
  call?: string;
  /** Whose tool it is that `call` means; absent: the hub's. */
  provider?: string;
  /** Number of the hook that is held for the answer. */
  hook?: number;
  /** The agent that asks; absent: the main thread. */
  agent?: AskingAgent;
  /** Who has said yes where several have to. */
  votes?: readonly string[];
  /** Wrong codes tried while it was open. */
  guesses: number;
  /** Parts of it that a chat asked for and was shown, besides the first. */
  shownParts: readonly number[];
  /** What a chat knows of it. */
  told: 'nothing' | 'question' | 'outcome';
  state: AskState;
}

/** What a hub waits for, and gets although its connection or the bridge ends in between. */
export interface Reply {
  id: string;
  turn?: string;
  words?: string;
  meta: Record<string, string>;
  sent: boolean;
}

/** A response of `/v1/responses` that its client may ask for again, and continue while it is the newest. */
export interface StoredResponse {
  /** Without the prefix of the wire. */
  id: string;
  turn: string;
  model: string;
  /** Wall clock, epoch ms. */
  openedAt: number;
  input: readonly InputItem[];
  /** As on the wire. */
  previous?: string;
  /** Words of the bridge alone. */
  aside?: true;
  /** Where it began to read the turn's answer. */
  start: number;
  /** What it said; absent until it was read to its end. */
  said?: { text: Text; calls: readonly GivenCall[] };
  deleted?: true;
}

export type AgentState =
  | { name: 'stopped'; failure?: FailureCode; detail?: string }
  | { name: 'starting' }
  | { name: 'dialog'; dialog: string; screen: string; failure: FailureCode }
  | { name: 'ready'; pid: number; delivery: Delivery }
  | { name: 'stopping'; reason: string };

export interface Session {
  key: string;
  ingress?: Ingress;
  /** The key was guessed from the texts, not told by the hub. */
  guessed: boolean;
  /** What the operator calls it. */
  label?: string;
  /** Wall clock, epoch ms. */
  openedAt: number;
  touchedAt: number;
  claude?: {
    id: string;
    /** What it is started with, or was if it runs. */
    launch: LaunchOptions;
    /** What the configuration says, where that is more: it waits for the operator's restart. */
    waiting?: LaunchOptions;
    prompted: boolean;
  };
  link?: HubLink;
  agent: AgentState;
  /** The host of its Claude Code; unset when that ends with the bridge. */
  run?: string;
  /** What hooks of this run up to this number said is known. */
  heard?: number;
  health: readonly Health[];
  /** Permission mode that the running Claude Code told; unset while it is the one it was started with. */
  mode?: string;
  status?: Record<string, unknown>;
  /** What it cost; unset until Claude Code told something. */
  cost?: Cost;
  /** Oldest first. Settled ones are kept for repeats, up to `keptTurns`. At most one is in flight. */
  turns: readonly Turn[];
  calls: readonly ToolCall[];
  asks: readonly Ask[];
  /** Oldest first; sent ones are kept for repeats, up to `keptReplies`. */
  replies: readonly Reply[];
  /** Oldest first, at most `keptResponses`. */
  responses: readonly StoredResponse[];
  /** The response after which nothing was said here: the only one that can be continued. */
  newest?: string;
  tools: readonly ToolSpec[];
  /** What Claude left behind and may come back to, newest last, up to `keptErrands`. */
  errands: readonly (Errand & Origin)[];
  /** What Claude Code runs beside its turns, oldest first, up to `keptTasks`. */
  tasks: readonly Task[];
  /** What somebody typed that Claude Code has in its own queue, oldest first. */
  held: readonly string[];
  /** Another Stop hook has sent Claude on: the end of a turn is waited for. */
  sentOn?: true;
  /** Who may type into Claude's own terminal: one at a time. */
  lease?: { id: string; by: string };
  removed: boolean;
  /** While it moves between this machine and another one; `held`: while it is not known whether it did. */
  move?: { node: string; as: 'leaving' | 'arriving' | 'held' };
  /** While it is removed: its text is to be forgotten. */
  forget?: true;
}

/** Settled turns and asks remembered per session for repeats and late answers. */
export const keptTurns = 8;
export const keptAsks = 32;
/** Sent replies remembered per session: their requests may come once more. */
export const keptReplies = 64;
/** Stored responses remembered per session. */
export const keptResponses = 32;
/** Tasks and wake-ups remembered per session: Claude says nothing to a chat about one that was forgotten. */
export const keptErrands = 64;
export const keptTasks = 64;
/** Texts remembered that Claude Code has in its own queue. */
export const keptHeld = 16;
/** Requests remembered per turn: one per tool call or question. */
export const keptReads = 64;

export function emptySession(key: string): Session {
  return {
    key,
    guessed: false,
    openedAt: 0,
    touchedAt: 0,
    agent: { name: 'stopped' },
    health: [],
    turns: [],
    calls: [],
    asks: [],
    replies: [],
    responses: [],
    tools: [],
    errands: [],
    tasks: [],
    held: [],
    removed: false,
  };
}

/** The turn that Claude works on. */
export const runningTurn = (session: Session): RunningTurn | undefined => session.turns.find(isRunning);

/** The turn that is being handed over. Claude may begin another one by itself meanwhile. */
export const deliveringTurn = (session: Session): Turn | undefined =>
  session.turns.find(({ phase }) => phase.name === 'delivering');

/** The turn in flight: the one that runs, else the one that is being handed over. */
export const currentTurn = (session: Session): Turn | undefined =>
  runningTurn(session) ?? deliveringTurn(session);

/** The message that Claude Code has in its own queue. There is one at most: nothing is handed over behind it. */
export const queuedInClaude = (session: Session): Turn | undefined =>
  session.turns.find(({ phase }) => phase.name === 'joining' && phase.queued);

/** Agents that are at work now. */
export const workingAgents = (session: Session): Task[] =>
  session.tasks.filter(({ kind, state }) => kind === 'agent' && state === 'running');

/** Those, and agents that have ended and of which Claude has yet to be told, which begins a turn. */
export const pendingAgents = (session: Session): Task[] =>
  session.tasks.filter(({ kind, state }) => kind === 'agent' && state !== 'missed');

export function queuedTurns(session: Session): Turn[] {
  return session.turns.filter((turn) => turn.phase.name === 'queued');
}

/** What is on its way into the turn in flight, and ends with it. */
export function joiningTurns(session: Session): Turn[] {
  return session.turns.filter(({ phase }) => phase.name === 'joining' && !phase.queued);
}

/** Replies that the hub still waits for. */
export function owedReplies(session: Session): Reply[] {
  return session.replies.filter((reply) => !reply.sent);
}

export function findTurn(session: Session, id: string): Turn | undefined {
  return session.turns.find((turn) => turn.id === id);
}

/** Asks that still wait for a human. */
export function openAsks(session: Session): Ask[] {
  return session.asks.filter((ask) => ask.state.name === 'asked');
}

/** Whether all is known of a question, or nothing any more. */
export const isOver = (session: Session | undefined, code: string): boolean =>
  (session?.asks.find((ask) => ask.code === code)?.state.name ?? 'settled') === 'settled';

/** Asks whose effect is not known yet: undecided, or decided and not seen to be applied. */
export function unsettledAsks(session: Session): Ask[] {
  return session.asks.filter((ask) => ask.state.name !== 'settled');
}

export function findResponse(session: Session, id: string): StoredResponse | undefined {
  return session.responses.find((response) => response.id === id);
}
