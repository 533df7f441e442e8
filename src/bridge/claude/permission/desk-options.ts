import type { Clock } from '../../../base/time/clock.ts';
import type { AgentReport } from '../../../domain/commands.ts';
import type { Ruling } from '../../../domain/policy/ruling.ts';
import type { PermissionAnswer } from '../../app/ports.ts';
import type { KnownAsk } from '../known-run.ts';

export interface DeskOptions {
  clock: Clock;
  /** How long a question may stay open, ms; only told, the core ends it. */
  permissionMs: number;
  /** Questions that may be open; one more is denied and never asked. */
  openQuestions: number;
  /** One was denied for that. */
  refused(): void;
  report(report: AgentReport): void;
  /** Takes a code that was never used: `wanted` if possible. */
  claimCode(wanted?: string): string;
  /** What the policy says to the use of a tool, as Claude Code calls it. */
  judge(tool: string, input: unknown): Ruling;
  /** Claude Code was started with a channel: a question comes by the relay, too. */
  relays: boolean;
  /** Sends a verdict through the channel, now or when it is back. `sent` is called when it is on its way. */
  relay(code: string, verdict: PermissionAnswer['verdict'], sent: () => void): void;
  /** Claude's terminal shows a dialog, whatever it asks. */
  dialogShown(): boolean;
  /** What a bridge before has told of. */
  known?: readonly KnownAsk[] | undefined;
  /** Codes of those that are over. */
  askedBefore?: readonly string[] | undefined;
  /** The question is over: a verdict that still waits for the channel must not come any more. */
  forget(code: string): void;
}
