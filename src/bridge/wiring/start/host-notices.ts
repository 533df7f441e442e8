// Hosts and sessions belong together, one to one. What does not fit is said by `ps` and `doctor`.
import { hashId } from '../../../base/digest.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { commandRef } from '../../../domain/command-ref.ts';
import type { SessionRow } from '../../../domain/views/session/session-row.ts';
import type { Health } from '../../../protocol/events/events.ts';
import type { HostFolder } from '../../terminal/host-folders.ts';

/** Until a host that quits, or one whose session ends, is gone, ms. */
const transitMs = 1_000;

type Row = Pick<SessionRow, 'key' | 'state' | 'pid'>;

/** @param hosts all that are there @param rows all sessions */
export function hostNotices(hosts: readonly HostFolder[], rows: readonly Row[]): Health[] {
  // A folder has the name of its session's key.
  const sessions = new Map(rows.map((row) => [hashId(row.key), row]));
  const names = new Set(hosts.map(({ name }) => name));
  const session = ({ name }: HostFolder) => sessions.get(name);
  const left = hosts.filter((host) => (session(host)?.state ?? 'stopped') === 'stopped');
  const bare = [...sessions].flatMap(([name, row]) => (row.pid === null || names.has(name) ? [] : [row]));
  return [
    ...left.map((host) => hostLeft(host, session(host))),
    ...bare.map(({ key, pid }) => ({
      code: 'session_without_host',
      words: `Claude Code (pid ${pid}) of ${key} has no host that the next bridge would find. \`synthesis restart ${commandRef(key)}\` starts it with one.`,
    })),
  ];
}

function hostLeft({ name, file }: HostFolder, row: Row | undefined): Health {
  const whose = row ? `of ${row.key}` : `of a session that nobody knows (${name})`;
  return {
    code: 'host_without_session',
    words: `A host (pid ${file.pid}) ${whose} is there, and no Claude Code of this bridge runs in it. The next start of the bridge ends it.`,
  };
}

/** What is still so a moment later: a session may just begin or end. */
export async function lasting(look: () => Health[], clock: Pick<Clock, 'after'>): Promise<Health[]> {
  const first = look();
  if (first.length === 0) return first;
  await new Promise<void>((resolve) => clock.after(transitMs, resolve));
  const words = new Set(first.map((each) => each.words));
  return look().filter((each) => words.has(each.words));
}
