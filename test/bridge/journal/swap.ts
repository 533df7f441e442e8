import type { OpenedJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';

/** As the compactor does it, without an archive. */
export async function swap(
  { journal, store }: OpenedJournal,
  snapshot: { session: string; events: SessionEvent[] }[],
): Promise<void> {
  const origin = await journal.between(() => {
    const { last: seq, link, seal } = store.end;
    for (const { session, events } of snapshot) journal.append(session, events);
    return { seq, link, seal, snapshot: journal.last };
  });
  await journal.between(() => store.swap(origin));
}
