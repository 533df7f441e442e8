import type { Log } from '../../../base/log.ts';
import type { AgentReport } from '../../../domain/commands.ts';
import type { Health } from '../../../protocol/events/events.ts';
import type { FailureCode } from '../../../protocol/events/failures.ts';
import type { Delivery } from '../../../protocol/settings/delivery.ts';
import type { ClaudeRun } from '../claude-run.ts';
import type { AgentLimits, AgentOptions } from '../options.ts';
import type { Dialog } from '../screen/dialogs.ts';
import type { KnownLayouts } from './known-layouts.ts';
import type { PreflightCheck } from './preflight.ts';

export type ProcessState =
  | { name: 'stopped' }
  | { name: 'starting' }
  | { name: 'dialog'; dialog: Dialog }
  | { name: 'ready'; delivery: Delivery }
  | { name: 'stopping' };

export interface SessionHost {
  options: AgentOptions;
  limits: AgentLimits;
  preflight: PreflightCheck;
  layouts: KnownLayouts;
  log: Log;
  /** @param heard as in `ReportAgent` */
  report(report: AgentReport, heard?: number): void;
  /** Waits for a free place among the live processes. @returns false when none came free in time */
  admit(): Promise<boolean>;
  /** Somebody looks at Claude's terminal now. */
  viewed(): boolean;
  /** Something changed that others may wait for. */
  changed(): void;
}

/** How a process can be talked to. */
export interface Ready {
  delivery: Delivery;
  health: readonly Health[];
}

export interface KeeperEvents {
  /** It is being started, and has not asked for anything yet. */
  born(run: ClaudeRun): void;
  /** It can be talked to from here on. */
  ready(run: ClaudeRun): void;
  /** A message waits for it. */
  isAwaited(): boolean;
  /** It has to be ended, in its turn. */
  unanswered(): Promise<void>;
}

export type StartResult =
  | { kind: 'ready'; run: ClaudeRun; delivery: Delivery }
  /** An orderly stop came in between. */
  | { kind: 'stopped' }
  | { kind: 'failed'; failure: FailureCode; detail: string };
