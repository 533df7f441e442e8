// What the application needs from the outside, declared by the consumer. Adapters implement these; only main.ts names them.
import type { AgentReport } from '../../domain/commands.ts';
import type { ToolCall } from '../../domain/state/session.ts';
import type { JournalRow, LaunchOptions, SessionEvent } from '../../protocol/events/events.ts';
import type { Door, Verdict } from '../../protocol/events/permission-events.ts';
import type { PanicRecord } from '../../protocol/panic.ts';
import type { ToolSpec } from '../../protocol/tool-spec.ts';

/** What the agent adapter has to know of a session in order to run its Claude Code. */
export interface AgentSession {
  key: string;
  /** Claude Code's session id (UUID). */
  claude: string;
  /** True once a prompt reached this Claude session: start with --resume instead of --session-id. */
  resume: boolean;
  launch: LaunchOptions;
  tools: ToolSpec[];
}

export interface Prompt {
  turn: string;
  /** As the user wrote it, without what would look like the label of a writer; not normalised. */
  text: string;
  /** The label of whoever wrote it: see `writerOf`. */
  writer: string;
  /** Proven by the hub. */
  userId?: string;
  /** Delivery attempt, from 1. */
  attempt: number;
  /** Strings for the channel's meta, e.g. chat_id, source_channel, ts. */
  meta: Record<string, string>;
}

export interface PermissionAnswer {
  code: string;
  verdict: Verdict;
  by: Door;
  reason?: string;
  scope: 'once' | 'session';
}

/**
 * Runs one interactive Claude Code per session. No method throws or blocks: everything that happens comes back
 * through the `report` callback given at construction, in order per session.
 */
export interface AgentPort {
  /** Starts or resumes Claude Code if it does not run, and hands the prompt over. */
  deliver(session: AgentSession, prompt: Prompt): void;
  /** Starts or resumes Claude Code if it does not run, without a prompt. */
  start(session: AgentSession): void;
  /** Interrupts the running turn (Esc). */
  interrupt(key: string): void;
  /** Ends the process gracefully; its conversation can be resumed. */
  stop(key: string, reason: string): void;
  answerPermission(key: string, answer: PermissionAnswer): void;
  /** @param envelope the content is the JSON of one */
  answerTool(key: string, call: string, ok: boolean, content: string, envelope?: boolean): void;
  setTools(key: string, tools: ToolSpec[]): void;
  /** Ends every process. Resolves when all are gone. */
  close(): Promise<void>;
}

/** Runs the tools of providers. No method throws or blocks; what comes of it is `tool.answer`. */
export interface ToolPort {
  /** The call is open, and allowed. */
  run(key: string, call: ToolCall): void;
  /** Nobody waits for it any more. Of a call that it does not run, nothing has to be done. */
  cancel(call: string): void;
}

/** @param heard with this, all that hooks up to this number said is reported */
export type ReportAgent = (key: string, report: AgentReport, heard?: number) => void;

/** A question outside of every conversation. */
export interface OneShotPrompt {
  /** The whole system prompt. */
  system: string;
  /** In order. */
  content: ({ type: 'text'; text: string } | { type: 'image'; mime: string; base64: string })[];
}

/** `busy`: nothing was tried, and the same call may be made again. */
export type OneShotAnswer = { ok: true; text: string } | { ok: false; busy: boolean; detail: string };

/** Answers such questions without tools, and without asking anybody. */
export interface OneShotPort {
  /** @param signal aborts when nobody waits for the answer any more */
  ask(prompt: OneShotPrompt, signal: AbortSignal): Promise<OneShotAnswer>;
}

/** Keeps a panic for the next start. */
export interface PanicStore {
  /** What holds since before this start. A record that cannot be read holds, too. */
  load(): PanicRecord | undefined;
  /** Returns when it is on disk. @throws when the disk refuses it */
  save(record: PanicRecord): void;
  /** Idempotent. */
  clear(): void;
}

/** Where some sessions are kept besides the journal, so that another machine can go on with them. */
export interface CopyPort {
  /** Nothing can be kept there now, so nothing new may be begun in this session. */
  isFull(key: string): boolean;
  /** Undefined for a session that is not kept there. Else resolves when row `seq` is; rejects when it never will be. */
  durable(key: string, seq: number): Promise<void> | undefined;
  /** Undefined as above. Else true when row `seq` is there, false when that takes too long or will not be. */
  kept(key: string, seq: number): Promise<boolean> | undefined;
}

/** Append-only store of events. */
export interface JournalPort {
  /**
   * Takes events in order and gives each its seq at once. They are durable when `durable()` of their seq resolves;
   * readers see them immediately. Throws only once it is closed.
   */
  append(session: string, events: readonly SessionEvent[]): JournalRow[];
  /** Resolves when everything up to `seq` is on disk, as late as that may be. Rejects when it never will be. */
  durable(seq: number): Promise<void>;
  /** True when everything up to `seq` is on disk, false when it waits for room there. Rejects as `durable`. */
  kept(seq: number): Promise<boolean>;
  /**
   * `full`: what has happened is still taken and waits in memory; nothing new may be begun. `failed`: nothing becomes
   * durable any more.
   */
  readonly health: 'ok' | 'full' | 'failed';
  /** Seq of the last row that is in the archive alone; 0 for none. */
  readonly origin: number;
  /** All rows with seq > `after` that are not in the archive alone, oldest first. */
  read(after: number, limit?: number): Iterable<JournalRow>;
  /** Called for every row as it is appended, in order. Returns the unsubscribe function. */
  subscribe(listener: (row: JournalRow) => void): () => void;
  /** Highest seq so far; 0 when empty. */
  readonly last: number;
  close(): Promise<void>;
}
