// What a bridge is made with, and what whoever started it holds.
import type { GatewayStatus } from '../domain/views/control.ts';
import type { JournalRow } from '../protocol/events/events.ts';
import type { Config } from '../protocol/settings/config.ts';

export interface BridgeOptions {
  config: Config & { cwd: string };
  stateDir: string;
  /** Where the configuration was read from, so that no session gets at it. */
  configFile?: string;
  /** Local socket of the operator's commands. */
  controlPath: string;
  version: string;
  env: Readonly<Record<string, string | undefined>>;
  /** What it was started with, told to whoever takes its place. */
  flags?: Readonly<Record<string, string>>;
  /** Sees every row as it is appended. */
  onRow(row: JournalRow): void;
  /** Hears what the operator has to know of the disk, when it changes. */
  onNotice?(words: string): void;
  /** Sees every change of a connection to a gateway. */
  onGateway?(status: GatewayStatus): void;
}

export interface BridgeEnd {
  reason: string;
  /** The disk failed, so that it could not go on. */
  failed: boolean;
  /** Claude Codes that go on for the next bridge. */
  kept: number;
}

/** What becomes of the Claude Codes of a bridge that stops: they go on for the next one, or are ended. */
export type ClaudeFate = 'keep' | 'end';

export interface Bridge {
  url: string;
  tokenFile: string;
  /** What the operator has to know of the start, in words. */
  notices: string[];
  /** Resolves when the bridge has ended. */
  closed: Promise<BridgeEnd>;
  /** Claude Codes that run now. */
  readonly live: number;
  /**
   * Drains for up to 5 s, then ends everything but the Claude Codes that are kept. Idempotent; who wants their end gets it
   * also while it still drains to keep them.
   */
  close(reason: string, claude?: ClaudeFate): Promise<void>;
}
