import { hashId } from '../../base/digest.ts';
import type { Session } from '../../domain/state/session.ts';
import type { WorkPlace } from './work-places.ts';

type Known = Pick<Session, 'key' | 'claude' | 'removed'>;

/** Where conversations go on that began with other settings: each folder once. */
export function sessionPlaces(sessions: readonly Known[], configured: readonly WorkPlace[]): WorkPlace[] {
  const isConfigured = new Set(configured.map(({ folder }) => folder));
  const open = sessions.flatMap(({ key, claude, removed }) =>
    claude && !removed && !isConfigured.has(claude.launch.cwd) ? [{ key, folder: claude.launch.cwd }] : [],
  );
  const groups = Map.groupBy(open, ({ folder }) => folder);
  return [...groups].map(([folder, [first, ...more]]) => {
    const key = first?.key ?? '';
    return {
      folder,
      whose: more.length === 0 ? `conversation ${key}` : `conversation ${key} and ${more.length} more`,
      // By its id: a key is foreign text, and this is there to be copied.
      mend: `go on where the configuration has it now: \`synthesis restart ${hashId(key, 12)}\``,
    };
  });
}
