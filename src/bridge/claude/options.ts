import type { Log } from '../../base/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Call } from '../../domain/policy/call.ts';
import type { Ruling } from '../../domain/policy/ruling.ts';
import type { Session } from '../../domain/state/session.ts';
import type { ToolSpec } from '../../protocol/tool-spec.ts';
import type { AgentSession, Prompt, ReportAgent } from '../app/ports.ts';
import type { ContainAccess } from './contain/contain-mounts.ts';
import type { StartHost } from './host-port.ts';
import type { ChannelConsent } from './launch/launch-spec.ts';
import type { SandboxAccess } from './sandbox/sandbox-settings.ts';

/** Limits and times; ms where not said otherwise. */
export interface AgentLimits {
  /** Live Claude Code processes; one more evicts the idlest. One takes about 400 MB (measured). */
  maxLive: number;
  /** A session without a turn for this long is ended; its next message resumes it. */
  idleMs: number;
  /** From the start of the process to readiness. */
  startMs: number;
  /** How long a process that shows a dialog is kept for the operator to answer it. */
  dialogMs: number;
  /** Without the channel's `tools_listed`, a drawn prompt counts as ready after this long, in degraded health. */
  toolsMs: number;
  /** A permission question's time; told with it, ended by the core. */
  permissionMs: number;
  /** From Enter to UserPromptSubmit: 11–102 ms measured. */
  takenMs: number;
  /** How long a message waits for a turn that is not ours (the operator's) to end. */
  busyMs: number;
  /** How long a message waits for a process slot when all are busy. */
  slotMs: number;
  /** A Claude Code that draws nothing for so long in its work is asked whether it still can. */
  stalledMs: number;
  /** Quiet screen after which a turn without an end is over. */
  quietMs: number;
  /** Each step of stopping: /exit, SIGTERM, SIGKILL. */
  stopMs: number;
  /** Permission questions of one session that may be open; further ones are denied. */
  openQuestions: number;
  /** How long a Claude Code that was ready stays when the bridge is gone without having ended it. */
  graceMs: number;
  /** Messages buffered for a disconnected channel, per session. */
  inboundLimit: number;
  /** Terminal size. */
  cols: number;
  rows: number;
}

export const defaultLimits: AgentLimits = {
  maxLive: 20,
  idleMs: 30 * 60_000,
  startMs: 30_000,
  dialogMs: 10 * 60_000,
  toolsMs: 10_000,
  permissionMs: 10 * 60_000,
  takenMs: 5_000,
  busyMs: 30 * 60_000,
  slotMs: 60_000,
  stalledMs: 10_000,
  quietMs: 1_500,
  stopMs: 5_000,
  openQuestions: 20,
  graceMs: 24 * 60 * 60_000,
  inboundLimit: 100,
  cols: 120,
  rows: 40,
};

/** Tools that the bridge runs itself: of providers. Every Claude gets them, beside those of its hub. */
export interface LocalTools {
  /** What is offered now, by the names that Claude calls. */
  specs(): readonly ToolSpec[];
  /** Whose tool this is, by Claude's name of it, and what the operator lets it do; undefined for what is none of them. */
  find(
    tool: string,
  ):
    | { provider: string; permissions: readonly string[]; schema?: Readonly<Record<string, unknown>> }
    | undefined;
}

/** Not every session has the same of them. */
export interface LocalToolShelf {
  /** Those of the session with this key, as they are at each look. */
  of(key: string): LocalTools;
  /** @param changed some session's `specs` gives something else now. @returns unsubscribes */
  subscribe(changed: () => void): () => void;
}

export interface AgentOptions {
  clock: Clock;
  log: Log;
  report: ReportAgent;
  /** Resolves when everything reported of this session so far is on disk. */
  reported(key: string): Promise<void>;
  /** Takes a permission code that no question ever had: `wanted`, Claude Code's own, if possible. */
  claimCode(wanted?: string): string;
  /** The session key of the conversation that this Claude session belongs, or once belonged, to. */
  ownerOf(claude: string): string | undefined;
  /** What is known of the conversation now. */
  session(key: string): Session | undefined;
  /** What the policy says to a call of this session's Claude Code. */
  judge(key: string, call: Call): Ruling;
  /** What may be handed into the running turn of this session's Claude Code now, oldest first. */
  joins(key: string): readonly Prompt[];
  /** Absent: there is no provider. */
  localTools?: LocalToolShelf;
  /** The policy has rules: Claude Code must not go on when it cannot ask about them. */
  policed: boolean;
  /** The terminal's emulator is large: asked for when a Claude Code is started, not before. */
  loadHosts(): Promise<StartHost>;
  /** Absolute path of a directory of this user. */
  stateDir: string;
  /** `http://127.0.0.1:PORT` of the bridge, where channel servers find it, without a slash at the end. */
  baseUrl: string;
  /** Command line prefix, e.g. `['claude']` or `['node', 'dist/demo/claude.js']`. */
  claudeCommand: readonly string[];
  /** Absolute path of the channel server's entry file. */
  channelEntry: string;
  /** Node that runs it; usually process.execPath. */
  nodePath: string;
  /** Environment to choose the child's from; usually process.env. */
  env: Readonly<Record<string, string | undefined>>;
  channels?: ChannelConsent;
  /** Rules of Claude Code's `permissions.deny`, for the Claude Code of this session. */
  denyFor?(session: Pick<AgentSession, 'key' | 'claude'>): readonly string[];
  /** Rules of its `permissions.allow`. */
  allowFor?(key: string): readonly string[];
  /** What commands of this session reach from the sandbox. */
  accessFor?(key: string): SandboxAccess;
  /** What this session's Claude Code reaches where it is contained. */
  containFor?(key: string): ContainAccess;
  /** It uses Claude Code's own memory of its folder; otherwise it has one of its own. */
  sharesMemory?(key: string): boolean;
  /**
   * How long this session's Claude Code may run from now on unless `ClaudeAgent.lease` says more, ms; 0 or less: not at all,
   * so that none is started. Undefined: for as long as it likes; one that is adopted keeps the lease that it has, which its
   * host counts, until `ClaudeAgent.lease` is called. Asked when a host is there for it, before Claude Code is started or
   * adopted. Absent: there are no leases, and what is left of one is lifted.
   */
  leaseOf?(key: string): number | undefined;
  /** Why no Claude Code may be started now, in words; undefined: it may. Asked again just before it is. */
  stopped?(): string | undefined;
  limits?: Partial<AgentLimits>;
}
