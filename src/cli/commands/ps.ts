import type { SessionRow } from '../../domain/views/session-row.ts';
import { callBridge } from '../client/control-client.ts';
import { exitCodes } from '../exit-codes.ts';
import { print, printJson, say } from '../output/out.ts';
import { ago, table } from '../output/table.ts';

export interface PsOptions {
  state: string;
  json: boolean;
  quiet: boolean;
  check: boolean;
}

const unwell = (row: SessionRow) => row.health.some((each) => !each.info) || row.failure !== null;

export async function ps(options: PsOptions): Promise<number> {
  const rows = await callBridge(options.state, 'session.list', {}, { timeoutMs: 10_000 });
  if (options.json) printJson(rows);
  else if (options.quiet) for (const row of rows) print(row.id);
  else if (rows.length === 0) say('No sessions yet. The first message of a conversation opens one.');
  else showTable(rows);
  return options.check && rows.some(unwell) ? exitCodes.degraded : exitCodes.ok;
}

function showTable(rows: readonly SessionRow[]): void {
  const now = Date.now();
  const cells = rows.map((row) => [
    row.id,
    row.guessed ? `${row.key} (guessed)` : row.key,
    row.asking.length > 0 ? `asking ${row.asking.join(' ')}` : row.state,
    row.delivery ?? '-',
    String(row.queued),
    row.pid === null ? '-' : String(row.pid),
    ago(row.touched_at, now),
    row.failure ?? (row.health.flatMap((each) => (each.info ? [] : [each.code])).join(',') || 'ok'),
  ]);
  print(table(['id', 'key', 'state', 'delivery', 'queued', 'pid', 'last', 'health'], cells));
}
