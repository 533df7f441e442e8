// What this room needs of the journal and of Claude's terminals. `bridge/journal` and `bridge/claude` fit by shape.
import type { Duplex } from 'node:stream';
import type { Right } from '../../domain/caller/caller.ts';
import type { AuditVerdict } from '../../domain/views/audit/audit.ts';
import type { ClusterView, Drained, ServerRow } from '../../domain/views/cluster.ts';
import type { JournalStats } from '../../domain/views/journal.ts';
import type { Leftover, PruneResult } from '../../domain/views/prune.ts';
import type { ProviderDetail, ProviderView } from '../../domain/views/tools.ts';
import type { Envelope } from '../../protocol/envelope.ts';
import type { JournalRow } from '../../protocol/events/events.ts';
import type { Provider } from '../../protocol/settings/provider.ts';
import type { VaultChoice } from '../../protocol/settings/vault.ts';

export type TailItem = { kind: 'row'; row: JournalRow } | { kind: 'gap'; from: number; to: number };

export interface TailRequest {
  after: number;
  signal: AbortSignal;
  session?: string;
  filter?: (row: JournalRow) => boolean;
  slow: 'reread' | 'skip';
  /** Rows held in memory for a reader that does not keep up. */
  buffer: number;
}

export interface JournalView {
  /** Highest seq so far; 0 when empty. */
  readonly last: number;
  /** Seq of the last row that is in the archive alone; 0 for none. */
  readonly origin: number;
  /** Resolves when everything up to `seq` is on disk. */
  durable(seq: number): Promise<void>;
  /** Stored rows with seq > `after`, oldest first; possibly of other sessions, too. */
  read(after: number, limit?: number, session?: string): Iterable<JournalRow>;
  /** Endless: what is stored after `after`, then what comes, until the signal aborts. */
  tail(request: TailRequest): AsyncIterable<TailItem>;
}

/** What is counted, in the text format of Prometheus. */
export interface MetricsDesk {
  text(): Promise<string>;
}

/** What proves the journal, and measures it. */
export interface AuditDesk {
  stats(): JournalStats;
  verify(anchors: readonly string[]): Promise<AuditVerdict>;
  anchor(): Promise<string>;
}

/** What nothing needs any more. */
export interface PruneDesk {
  look(): Promise<Leftover[]>;
  prune(items: readonly Pick<Leftover, 'kind' | 'name'>[]): Promise<PruneResult>;
}

/** The providers of tools. */
export interface ToolsDesk {
  list(): ProviderView[];
  /** @throws OperatorError `no_such_provider` */
  inspect(provider: string): ProviderDetail;
  /** Never rejects for what the tool does. @throws OperatorError `no_such_provider` */
  call(provider: string, tool: string, args: Record<string, unknown>, signal: AbortSignal): Promise<Envelope>;
  /** @param vaults of which sessions; as they were when it is left out */
  set(providers: Provider[], vaults?: VaultChoice): Promise<ProviderView[]>;
}

/** The other machines. */
export interface ClusterDesk {
  view(): ClusterView;
  /** @returns null when the nats-servers do not say */
  servers(): Promise<ServerRow[] | null>;
  /** Once nothing runs in it, for which it has so many ms. @throws OperatorError; then it stays */
  move(key: string, node: string, ms: number, signal: AbortSignal): Promise<void>;
  drain(ms: number, signal: AbortSignal): Promise<Drained>;
  /** @returns how many conversations lived there @throws OperatorError `no_such_node`, `node_alive` or `node_away` */
  forget(node: string): Promise<number>;
  /** @throws OperatorError `no_such_node` or `node_away` */
  /** @param may the highest of what the caller may do here */
  dial(node: string, may: Right): Promise<Duplex>;
}

export interface TerminalView {
  readonly size: { cols: number; rows: number };
  /** The screen; output that was told from the call on comes on top of it. */
  snapshot(): Promise<{ cols: number; rows: number; data: string }>;
  write(keys: string): void;
  resize(cols: number, rows: number): void;
  detach(): void;
}

/** Joins a session's terminal; undefined when its Claude Code does not run. */
export type OpenView = (
  key: string,
  output: (data: string) => void,
  ended: () => void,
) => TerminalView | undefined;
