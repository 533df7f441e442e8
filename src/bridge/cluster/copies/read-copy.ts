// What the stream of copies says of a conversation, as whoever takes it over needs it.
import { evolve } from '../../../domain/state/evolve.ts';
import { emptySession, type Session } from '../../../domain/state/session.ts';
import { restoreSession, type SessionState } from '../../../domain/state/snapshot.ts';
import type { CarriedFile } from '../../../protocol/cluster/carried-files.ts';
import { CopyEntry, copyHeaders } from '../../../protocol/cluster/cluster-copy.ts';
import { SessionEvent } from '../../../protocol/events/events.ts';
import type { StoredCopy } from './copy-store.ts';
import { epochOf } from './fenced-subject.ts';

/** A later release wrote it, somebody who is no node did, or it is not whole. */
export class CopyUnreadableError extends Error {
  constructor(key: string, why: string, cause?: unknown) {
    super(`what the servers keep of ${JSON.stringify(key)} ${why}`, { cause });
    this.name = 'CopyUnreadableError';
  }

  /** The servers have lost something of it, or do not show it now. */
  static notWhole(key: string): CopyUnreadableError {
    return new CopyUnreadableError(key, 'is not whole');
  }
}

export interface Kept {
  session: Session;
  /** Undefined where its owner copied none. */
  files: CarriedFile[] | undefined;
}

/**
 * Whole entries, oldest first. One that its owner did not finish is left out, and so is what an earlier owner wrote after
 * a later one.
 */
async function* entries(
  messages: AsyncIterable<StoredCopy>,
): AsyncGenerator<{ epoch: number; n: number; text: string }, void, void> {
  let [newest, parts]: [number, Uint8Array[]] = [0, []];
  for await (const message of messages) {
    const epoch = epochOf(message);
    if (!(epoch >= newest)) continue;
    const [part, all] = message.header(copyHeaders.part).split('/').map(Number);
    if (part === 1 || epoch > newest) parts = [];
    newest = epoch;
    if (part !== parts.length + 1) continue;
    parts.push(message.data);
    const n = Number(message.header(copyHeaders.entry));
    if (part === all) yield { epoch, n, text: Buffer.concat(parts).toString() };
  }
}

/**
 * @returns undefined when it was removed
 * @throws CopyUnreadableError, also where there is nothing; or a timeout
 */
export async function readCopy(key: string, messages: AsyncIterable<StoredCopy>): Promise<Kept | undefined> {
  let session: Session | undefined;
  let files: CarriedFile[] | undefined;
  let before: { epoch: number; n: number } | undefined;
  let isWhole = true;
  for await (const { epoch, n, text } of entries(messages)) {
    const entry = parsed(key, text);
    // What happened goes on from what its writer wrote just before: in between nothing may be missing.
    const isNext = before?.epoch === epoch && before.n + 1 === n;
    if (entry.kind === 'owned') isWhole = true;
    if (entry.kind === 'happened') isWhole &&= isNext;
    if (entry.kind === 'owned') files = entry.files;
    if (entry.kind === 'happened') files = entry.files ?? files;
    session = follow(key, session, entry);
    before = entry.kind === 'taken' ? undefined : { epoch, n };
  }
  // Not all of what was removed may be there still.
  if (session?.removed) return undefined;
  if (session === undefined || !isWhole) throw CopyUnreadableError.notWhole(key);
  return { session, files };
}

function parsed(key: string, text: string): CopyEntry {
  try {
    return CopyEntry.parse(JSON.parse(text));
  } catch (cause) {
    throw new CopyUnreadableError(key, 'cannot be read by this release', cause);
  }
}

function follow(key: string, before: Session | undefined, entry: CopyEntry): Session | undefined {
  if (entry.kind === 'taken') return before;
  try {
    if (entry.kind === 'owned') return restoreSession(key, entry.state as unknown as SessionState);
    let session = before ?? emptySession(key);
    for (const { at, event } of entry.events) session = evolve(session, SessionEvent.parse(event), at);
    return session;
  } catch (cause) {
    throw new CopyUnreadableError(key, 'cannot be read by this release', cause);
  }
}
