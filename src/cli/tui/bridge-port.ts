// What the operator's screen needs of a bridge. It is declared here so that the screen can be driven by stored rows.
import type { BridgeStatus, ControlMethod, ControlMethods } from '../../domain/views/control.ts';
import type { BoardSnapshot } from '../../domain/views/snapshot.ts';
import type { JournalRow } from '../../protocol/events.ts';

/** The way to the bridge. */
export type Link =
  | { name: 'connecting' }
  | { name: 'live' }
  /** `retryAt`: epoch ms of the next attempt. */
  | { name: 'lost'; attempt: number; retryAt: number; why: string };

export type BridgeNews =
  | { kind: 'link'; link: Link }
  | { kind: 'status'; status: BridgeStatus }
  /** The state after row `seq`: whatever was known before is replaced by it. */
  | { kind: 'snapshot'; snapshot: BoardSnapshot }
  /** In order, without gaps from the snapshot on. Rows up to its `seq` are history, to be read but not folded. */
  | { kind: 'rows'; rows: readonly JournalRow[] };

export interface BridgePort {
  /** Reconnects by itself for as long as it is watched. @returns the function that ends it. */
  watch(listener: (news: BridgeNews) => void): () => void;
  /** @throws CliError with a sentence and a suggestion. */
  call<M extends ControlMethod>(
    method: M,
    params: ControlMethods[M]['params'],
  ): Promise<ControlMethods[M]['result']>;
}
