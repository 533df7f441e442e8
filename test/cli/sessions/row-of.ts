import { hashId } from '../../../src/base/digest.ts';
import { emptySession } from '../../../src/domain/state/session.ts';
import { type SessionRow, sessionRow } from '../../../src/domain/views/session/session-row.ts';

/** A session of which nothing is known but its key, and what is given. */
export const rowOf = (key: string, about: Partial<SessionRow> = {}): SessionRow => ({
  ...sessionRow(emptySession(key), hashId(key, 12)),
  touched_at: '2026-01-01T12:00:00.000Z',
  ...about,
});
