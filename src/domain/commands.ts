import type { Errand, Health, HubLink, LaunchOptions, Sender } from '../protocol/events/events.ts';
import type { FailureCode } from '../protocol/events/failures.ts';
import type { Door, PermissionSuggestion, Verdict } from '../protocol/events/permission-events.ts';
import type { GivenCall, InputItem } from '../protocol/events/response-events.ts';
import type { Ingress } from '../protocol/ingress.ts';
import type { Quote } from '../protocol/quote.ts';
import type { Delivery } from '../protocol/settings/delivery.ts';
import type { Needs } from '../protocol/settings/policy.ts';
import type { QueueMode } from '../protocol/settings/queue-mode.ts';
import type { ToolSpec } from '../protocol/tool-spec.ts';
import type { Ruling } from './policy/ruling.ts';
import type { Task } from './state/task.ts';

/** What callers ask for. */
export type CallerCommand =
  | {
      type: 'turn.submit';
      /** Ids are made by the caller so that the core stays pure. `claude` is used when the session has none yet. */
      turn: string;
      claude: string;
      launch: LaunchOptions;
      ingress: Ingress;
      text: string;
      sender?: Sender;
      /** Equal for every repeat of one user message. `always`: a repeat even after the answer was read in full. */
      dedup?: { key: string; repeat: 'always' | 'until_answered' };
      /** Hashes of the messages it was made of, where its text is not one of them as it came. */
      parts?: string[];
      /** What came with the message and is not its writer's own. */
      quotes?: Quote[];
      meta?: Record<string, string>;
      /** What it does if Claude works; without one it waits. */
      mode?: QueueMode;
      guessed?: boolean;
      /** `traceparent` of the request. */
      trace?: string;
      /** The hub waits for a reply that must outlive its connection and this process. */
      reply?: { id: string; meta: Record<string, string> };
    }
  | { type: 'turn.cancel'; turn?: string; by: string }
  /** It could not be stored, and its sender is told that it was not taken. */
  | { type: 'turn.withdraw'; turn: string }
  | { type: 'turn.expire'; turn: string; code: FailureCode; detail?: string }
  /** A fresh Claude session under the same key: the user typed `/new`. */
  | { type: 'session.renew'; claude: string; launch: LaunchOptions; link?: HubLink }
  | { type: 'session.link'; link: HubLink }
  /**
   * What the configuration says of it now. `safe`: what could grant more than it has waits for the operator. `all`: it
   * is he who asks.
   */
  | { type: 'session.configure'; launch: LaunchOptions; take: 'safe' | 'all' }
  /** Without a label it loses the one it has. */
  | { type: 'session.label'; label?: string }
  | { type: 'session.start'; by: string }
  /** A message for it is on its way: Claude Code is to be ready by then. Opens a conversation that there is none of yet. */
  | {
      type: 'session.warm';
      /** As in `turn.submit`. */
      claude: string;
      launch: LaunchOptions;
      ingress: Ingress;
      by: string;
    }
  | { type: 'session.stop'; reason: string }
  /** `keep`: its text stays in the journal and the archive. `moved`: another machine goes on with it. */
  | { type: 'session.remove'; keep?: boolean; moved?: boolean }
  /** It goes to another machine, as nothing runs or waits in it; nothing new is begun here. */
  | { type: 'session.leave'; node: string }
  /** All of it comes from another machine, and lives there until `session.house`. `launch`: as it is started here. */
  | { type: 'session.arrive'; node: string; state: Record<string, unknown>; launch: LaunchOptions }
  /**
   * Whether it still lives here is not known: nothing new is begun before `session.house` says so. `ends`: another
   * machine may go on with it, so what runs ends.
   */
  | { type: 'session.hold'; node: string; ends?: true }
  /** It lives here: it has arrived, or does not leave. `held`: also what is held. */
  | { type: 'session.house'; held?: true }
  /**
   * `lost`: the machine that it was on, which went away. `left`: what its Claude Code left running, which was ended, in
   * words.
   */
  | { type: 'session.recover'; lost?: string; left?: string }
  /**
   * Its Claude Code outlived the bridge before, in the host `run`. `typed`: what hands the turn in flight over did reach
   * its terminal.
   */
  | { type: 'session.adopt'; run: string; pid: number; typed: boolean }
  /** What is known of it cannot be true: `rule` in words, and what Claude Code reported last. */
  | { type: 'session.reset'; rule: string; reports: string[] }
  /** Everything is stopped, or goes on again: what that means for this session. */
  | { type: 'session.rest' }
  | { type: 'session.proceed' }
  /** As `turn.submit.reply`, for a request that starts no turn: it reads one, or is answered in words. */
  | { type: 'reply.owe'; reply: string; turn?: string; words?: string; meta: Record<string, string> }
  | { type: 'reply.sent'; reply: string }
  /** `lease` names this holding of it, `by` who holds it, for people. */
  | { type: 'lease.take'; lease: string; by: string }
  | { type: 'lease.release'; lease: string; why: string }
  | { type: 'catalog.set'; tools: ToolSpec[] }
  /** `envelope`: the content is the JSON of one. */
  | { type: 'tool.answer'; call: string; ok: boolean; content: string; envelope?: true }
  /** Nobody has answered the call for too long. */
  | { type: 'tool.expire'; call: string }
  /** How far a call is, as whoever runs it says. */
  | { type: 'tool.progress'; call: string; text: string }
  | {
      type: 'permission.decide';
      code: string;
      verdict: Verdict;
      by: Door;
      who?: string;
      /** Proven id of whoever says it, for questions that several have to answer. */
      voter?: string;
      reason?: string;
      scope?: 'once' | 'session';
      /** `digestOf` what whoever answers was shown. Nothing is allowed without it. */
      shown?: string;
    }
  /** A chat is shown one more part of a long question. */
  | { type: 'permission.show'; code: string; part: number }
  | { type: 'permission.expire'; code: string }
  /** A verdict with a code that is none of this session's. */
  | { type: 'permission.guess' }
  | { type: 'permission.tell'; code: string; what: 'question' | 'outcome' }
  | {
      type: 'response.open';
      response: string;
      turn: string;
      model: string;
      input: InputItem[];
      previous?: string;
      aside?: boolean;
    }
  | { type: 'response.close'; response: string; text: string; calls: GivenCall[] }
  | { type: 'response.delete'; response: string }
  | {
      type: 'reader.close';
      turn: string;
      request: string;
      start: number;
      offset: number;
      why: 'finished' | 'tool_calls' | 'question' | 'kept';
    };

/** As Claude Code lists it. */
export interface ListedTask {
  id: string;
  kind: Task['kind'];
  title?: string;
}

/** What a running Claude Code reports. The agent adapter never decides what a report means. */
export type AgentReport =
  /** `run` names its host; without one it ends with the bridge. */
  | { type: 'agent.starting'; run?: string }
  /** `asked`: a question about it follows. */
  | { type: 'agent.dialog'; dialog: string; screen: string; failure: FailureCode; asked?: boolean }
  | { type: 'agent.ready'; pid: number; delivery: Delivery; health: Health[] }
  | { type: 'agent.exited'; detail: string; failure?: FailureCode }
  /** What kept a message from being handed over is gone, or it is time to try again. */
  | { type: 'agent.open' }
  | { type: 'agent.status'; status: Record<string, unknown> }
  /** The permission mode it is in, as its hooks tell it. */
  | { type: 'agent.mode'; mode: string }
  /** Claude Code goes on under another session id: `/clear` in its terminal. */
  | { type: 'agent.session'; claude: string }
  /** The prompt is about to be handed over. Nothing that cannot be taken back was done yet. */
  | { type: 'prompt.handing'; turn: string }
  /** Claude Code took the prompt: UserPromptSubmit seen, or the channel wrote it. */
  | { type: 'prompt.taken'; turn: string; prompt?: string }
  /** It is about to be handed into the running turn, behind a tool. `hook` is held for it. */
  | { type: 'prompt.joining'; turn: string; hook?: number }
  /** Claude Code has it. */
  | { type: 'prompt.joined'; turn: string }
  /** Claude Code certainly does not have it. */
  | { type: 'prompt.parted'; turn: string }
  /** It could not be handed over; `retry` = certainly not seen by Claude, so it may be tried again. */
  | { type: 'prompt.failed'; turn: string; code: FailureCode; detail: string; retry: boolean }
  /** Claude has certainly seen nothing of it, and it cannot be handed over before a person has done something. */
  | { type: 'prompt.held'; turn: string; code: FailureCode; detail: string }
  /** A prompt that no turn asked for: somebody typed, or Claude goes on with what may be an errand of its own. */
  | {
      type: 'prompt.foreign';
      /** A new one, should it be a turn. */
      turn: string;
      prompt?: string;
      text: string;
      errand?: Errand;
      /** Claude Code itself tells what became of what it ran; of all agents, when it names none. */
      told?: { task?: string; status: string };
    }
  | {
      type: 'message.delta';
      prompt?: string;
      message: string;
      /** Contiguous from 0 within one message; may arrive out of order. */
      index: number;
      text: string;
      final: boolean;
    }
  /** Claude Code said Stop. `last` is its last message, right-trimmed, when it told that. */
  | { type: 'turn.rest'; prompt?: string; last?: string }
  /** The turn that rests is over: nothing more of it is waited for. */
  | { type: 'turn.stopped' }
  | { type: 'turn.failed'; prompt?: string; code: FailureCode; detail: string }
  /** Claude Code is idle although no end was reported: Esc in the terminal, or a lost hook. */
  | { type: 'turn.idle'; interrupted: boolean }
  | {
      type: 'tool.activity';
      tool_use: string;
      tool: string;
      phase: 'started' | 'succeeded' | 'failed';
      input?: unknown;
      output?: string;
      /** It goes on when the turn is over. */
      errand?: Errand;
      /** The prompt that it is part of; of an agent none is known. */
      prompt?: string;
      /** The agent that does it. */
      agent?: string;
    }
  /** An agent starts, or goes on. `hook`: number of the hook that told it. */
  | { type: 'task.begin'; task: string; kind: Task['kind']; title?: string; hook: number }
  /** It has ended; without `told` Claude hears of it later. */
  | { type: 'task.end'; task: string; status: string; told?: true }
  /**
   * All that Claude Code runs beside its turns, as it said with the hook of this number. `team`: but for agents of a team,
   * which it does not list as such.
   */
  | { type: 'tasks.listed'; tasks: ListedTask[]; hook: number; team?: boolean }
  | {
      type: 'tool.call';
      call: string;
      tool: string;
      args: Record<string, unknown>;
      tool_use?: string;
      /** The agent that calls. */
      agent?: string;
      /** Whose tool it is; absent: the hub's. */
      provider?: string;
      ruling: Ruling;
      /** What the question is called if the ruling asks one. `expires_at`: wall clock, epoch ms. */
      question?: { code: string; expires_at: number };
    }
  /** The policy allowed or denied a tool of Claude Code's own. */
  | { type: 'tool.ruled'; tool: string; input: unknown; tool_use?: string; ruling: Ruling }
  | { type: 'tool.cancel'; call: string }
  | {
      type: 'permission.ask';
      code: string;
      tool: string;
      input: unknown;
      rationale?: string;
      /** Wall clock, epoch ms. */
      expires_at: number;
      tool_use?: string;
      cut?: boolean;
      suggestions?: PermissionSuggestion[];
      needs?: Needs;
      rule?: string;
      /** Held for the answer. */
      hook?: number;
      /** The agent that asks. */
      agent?: string;
    }
  | { type: 'permission.sent'; code: string }
  /** Its tool runs. */
  | { type: 'permission.ran'; code: string }
  /** It is over without a verdict of ours: refused in Claude's own terminal, or whoever asked has ended. */
  | { type: 'permission.withdrawn'; code: string; detail: string };

export type Command = CallerCommand | AgentReport;
