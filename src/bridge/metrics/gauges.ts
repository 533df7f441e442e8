// What is read when somebody asks: how things are now. Pure.
import { openAsks, queuedTurns, type Session } from '../../domain/state/session.ts';
import type { BridgeStatus } from '../../domain/views/control.ts';
import type { JournalStats } from '../../domain/views/journal.ts';
import { type SessionRow, sessionRow } from '../../domain/views/session/session-row.ts';
import { ToolStatus } from '../../protocol/envelope.ts';
import { Delivery } from '../../protocol/settings/delivery.ts';
import { Samples } from './samples.ts';

export interface Look {
  /** Wall clock, epoch ms. */
  now: number;
  sessions: readonly Session[];
  status: BridgeStatus;
  hosts: number;
  journal: JournalStats & {
    health: 'ok' | 'full' | 'failed';
    /** Rows that are not on disk yet. */
    pending: number;
    /** Bytes on its disk; undefined when the system does not say. */
    free: number | undefined;
  };
}

const states: readonly SessionRow['state'][] = [
  'stopped',
  'starting',
  'dialog',
  'idle',
  'working',
  'asking',
  'stopping',
];
const diskStates = ['ok', 'full', 'failed'] as const;
const statuses: readonly BridgeStatus['status'][] = ['healthy', 'degraded', 'unavailable'];

export function gaugesOf(look: Look): Samples {
  const samples = new Samples();
  sessionGauges(samples, look);
  journalGauges(samples, look.journal);
  bridgeGauges(samples, look.status);
  samples.set('synthesis_hosts', look.hosts);
  return samples;
}

function sessionGauges(samples: Samples, { sessions, now }: Look): void {
  const rows = sessions.map((session) => sessionRow(session, ''));
  const queued = sessions.flatMap(queuedTurns);
  const counted = (fits: (row: SessionRow) => boolean) => rows.filter(fits).length;
  const oldest = queued.reduce((first, { acceptedAt }) => Math.min(first, acceptedAt), now);
  for (const state of states)
    samples.set(
      'synthesis_sessions',
      counted((row) => row.state === state),
      [state],
    );
  for (const delivery of Delivery.options)
    samples.set(
      'synthesis_sessions_delivery',
      counted((row) => row.delivery === delivery),
      [delivery],
    );
  samples.set(
    'synthesis_sessions_degraded',
    counted((row) => row.health.some(({ info }) => !info)),
  );
  samples.set('synthesis_queued_messages', queued.length);
  samples.set('synthesis_queue_oldest_seconds', (now - oldest) / 1000);
  samples.set('synthesis_asks_open', sessions.flatMap(openAsks).length);
  samples.set('synthesis_tool_calls_open', sessions.flatMap(({ calls }) => calls).length);
}

function journalGauges(
  samples: Samples,
  { rows, bytes, archive, health, pending, free }: Look['journal'],
): void {
  samples.set('synthesis_journal_rows', rows);
  samples.set('synthesis_journal_bytes', bytes);
  samples.set('synthesis_journal_archive_bytes', archive.bytes);
  samples.set('synthesis_journal_pending_rows', pending);
  if (free !== undefined) samples.set('synthesis_disk_free_bytes', free);
  for (const state of diskStates) samples.set('synthesis_disk_state', Number(state === health), [state]);
}

function bridgeGauges(
  samples: Samples,
  { version, status, panic, connections, providers }: BridgeStatus,
): void {
  samples.set('synthesis_build_info', 1, [version, process.version]);
  for (const each of statuses) samples.set('synthesis_status', Number(each === status), [each]);
  samples.set('synthesis_panic', Number(panic !== null));
  for (const kind of ['agp', 'openclaw'] as const) {
    const ofKind = connections.filter((each) => each.kind === kind);
    samples.set('synthesis_gateways', ofKind.length, [kind]);
    const up = ofKind.filter(({ state }) => state === 'connected');
    samples.set('synthesis_gateway_connected', up.length, [kind]);
  }
  for (const { provider, status: now } of providers)
    for (const each of ToolStatus.options)
      samples.set('synthesis_provider_up', Number(each === now), [provider, each]);
}
