import { journalStats } from '../../../domain/views/journal.ts';
import type { AuditDesk, JournalView } from '../../control/control-ports.ts';
import { archivedSegments } from '../../journal/archive/archived-rows.ts';
import { tail } from '../../journal/read/tail.ts';
import type { OpenedJournal } from '../../journal/start/open-journal.ts';

/** The journal as subscribers read it. */
export const journalView = (journal: OpenedJournal['journal']): JournalView => ({
  get last() {
    return journal.last;
  },
  get origin() {
    return journal.origin;
  },
  durable: (seq) => journal.durable(seq),
  read: (after, limit, session) => journal.read(after, limit, session),
  tail: (request) => tail(journal, request),
});

/** What is asked for is on disk before it is looked at. */
export const auditDesk = (
  { journal, chain, store, archive }: OpenedJournal,
  wall: () => number,
): AuditDesk => ({
  stats: () => {
    const { origin, last, bytes } = store;
    return journalStats({ origin, last, bytes }, archivedSegments(archive, { seq: origin }));
  },
  verify: async (anchors) => {
    await journal.durable(journal.last);
    return chain.verify(anchors);
  },
  anchor: async () => {
    await journal.between(() => {});
    return chain.anchor(wall());
  },
});
