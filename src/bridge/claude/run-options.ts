import type { Log } from '../../base/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { AgentReport } from '../../domain/commands.ts';
import type { Call } from '../../domain/policy/call.ts';
import type { Ruling } from '../../domain/policy/ruling.ts';
import type { Session } from '../../domain/state/session.ts';
import type { Health } from '../../protocol/events/events.ts';
import type { PermissionMode } from '../../protocol/settings/permission-mode.ts';
import type { ToolSpec } from '../../protocol/tool-spec.ts';
import type { Prompt } from '../app/ports.ts';
import type { Host } from './host-port.ts';
import type { PromptKeys } from './keys/prompt-keys.ts';
import type { KnownRun } from './known-run.ts';
import type { AgentLimits, LocalTools } from './options.ts';
import type { RunIdentity } from './run-identity.ts';
import type { BoxLayout } from './screen/box-layout.ts';
import type { Terminal } from './terminal-port.ts';

export interface RunOptions {
  clock: Clock;
  log: Log;
  limits: AgentLimits;
  host: Host;
  terminal: Terminal;
  /** SHA-256, in hex, of the token that it shows. */
  digest: string;
  /** As `runMark`. */
  mark: string;
  /** Where its editor looks for a long text; without one everything is typed. */
  editorDir?: string;
  identity: RunIdentity;
  tools: ToolSpec[];
  localTools?: LocalTools | undefined;
  /** Permission mode it is started with. */
  mode: PermissionMode;
  /** Claude Code was asked to load our channel. */
  relays: boolean;
  /** Names the host when its tools are served through that; else its channel server has them. */
  served?: string;
  claimCode(wanted?: string): string;
  /** What Claude Code's settings say now that keeps its hooks from us; undefined when nothing does. */
  hooksOff(): Promise<string | undefined>;
  /** How its prompt box is drawn where that is not as usual, as far as is known. */
  layout?: BoxLayout | undefined;
  /** That was learned now. */
  learned(layout: BoxLayout): void;
  /** Keys of the prompt box, as the user's bindings are now. Never rejects. */
  keys(): Promise<PromptKeys>;
  /** What was wrong before it was started. */
  health: readonly Health[];
  /** What is known of the conversation now. Every report is part of it at once. */
  session(): Session | undefined;
  /** What the policy says to a call. */
  judge(call: Call): Ruling;
  /** What may be handed into the turn that runs, oldest first. */
  joins(): readonly Prompt[];
  /** @param heard as in `ReportAgent` */
  report(report: AgentReport, heard: number): void;
  /** What a bridge before knew of it. */
  known?: KnownRun | undefined;
  /** Resolves when everything reported so far is on disk. */
  reported(): Promise<void>;
  /** A question was denied, because too many are open. */
  questionRefused(): void;
  /** So many connections to its host did not prove that they come from a bridge, until now. */
  unproven(count: number): void;
}
