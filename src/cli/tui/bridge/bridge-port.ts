// What the operator's screen needs of a bridge. It is declared here so that the screen can be driven by stored rows.
import type { BridgeStatus, ControlMethod, ControlMethods } from '../../../domain/views/control.ts';
import type { BoardSnapshot } from '../../../domain/views/snapshot.ts';
import type { JournalRow } from '../../../protocol/events/events.ts';

/** The way to the bridge. */
export type Link =
  | { name: 'connecting' }
  | { name: 'live' }
  /** `retryAt`: epoch ms of the next attempt. */
  | { name: 'lost'; attempt: number; retryAt: number; why: string };

/** What one bridge tells. */
export type OneBridgeNews =
  | { kind: 'link'; link: Link }
  | { kind: 'status'; status: BridgeStatus }
  /** The state after row `seq`: whatever was known before is replaced by it. */
  | { kind: 'snapshot'; snapshot: BoardSnapshot }
  /** In order, without gaps from the snapshot on. Rows up to its `seq` are history, to be read but not folded. */
  | { kind: 'rows'; rows: readonly JournalRow[] };

/** Which machines of a cluster there are; what is known of any other is void. */
export interface NodesNews {
  kind: 'nodes';
  /** What the one here is called. */
  here: string;
  others: readonly string[];
  /** The servers that lead to the others cannot be reached. */
  cutOff: boolean;
}

/** `node`: whose it is, where that is not the bridge here. */
export type BridgeNews = (OneBridgeNews & { node?: string }) | NodesNews;

/** One bridge alone. */
export interface OneBridge {
  /** Reconnects by itself for as long as it is watched. @returns the function that ends it. */
  watch(listener: (news: OneBridgeNews) => void): () => void;
  /** @throws CliError with a sentence and a suggestion. */
  call<M extends ControlMethod>(
    method: M,
    params: ControlMethods[M]['params'],
  ): Promise<ControlMethods[M]['result']>;
}

export interface BridgePort {
  /** As that of one bridge. */
  watch(listener: (news: BridgeNews) => void): () => void;
  /** As that of one bridge. @param node of a cluster, whose bridge it is for; by default the one here */
  call<M extends ControlMethod>(
    method: M,
    params: ControlMethods[M]['params'],
    node?: string,
  ): Promise<ControlMethods[M]['result']>;
}
