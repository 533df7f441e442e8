// The last row of the terminal: who may type, how to leave, whose screen it is. What matters most comes first: a narrow
// terminal cuts the rest.
import { safeLine } from '../output/safe.ts';
import type { Size } from './mirror.ts';

export interface SeatStatus {
  session: string;
  /** Names of the keys that leave. */
  leave: string;
  /** `away`: gone, and waited for. `back`: just found again; nobody types yet. */
  bridge: 'there' | 'away' | 'back';
  driving: boolean;
  /** Drives, or is to again. */
  wants: boolean;
  driver: string | null;
  /** News, said for a moment instead of who types. */
  news: string | undefined;
  /** Size of the terminal, and of Claude's screen. */
  size: Size;
  source: Size;
}

export function statusLine(status: SeatStatus): string {
  const { session, leave, bridge, size, source } = status;
  const keys = bridge === 'away' ? `${leave} or ctrl-c` : leave;
  const cut =
    source.cols > size.cols || source.rows > size.rows - 1
      ? ` | cut: Claude's screen is ${source.cols}x${source.rows}`
      : '';
  return ` ${safeLine(what(status))} | ${keys} detaches | ${safeLine(session)}${cut}`;
}

function what({ bridge, driving, wants, driver, news }: SeatStatus): string {
  if (bridge === 'away')
    return wants ? 'bridge gone, waiting; nothing is typed' : 'bridge gone, waiting for it';
  if (bridge === 'back') return 'the bridge is back; nothing is typed yet';
  if (news !== undefined) return news;
  if (driving) return 'you type';
  return driver === null ? 'read-only' : `${driver} types`;
}
