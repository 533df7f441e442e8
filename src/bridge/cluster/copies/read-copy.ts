// What the stream of copies says of a conversation, as whoever takes it over needs it.
import { evolve } from '../../../domain/state/evolve.ts';
import { emptySession, type Session } from '../../../domain/state/session.ts';
import { restoreSession, type SessionState } from '../../../domain/state/snapshot.ts';
import { CopyEntry, copyHeaders } from '../../../protocol/cluster-copy.ts';
import { SessionEvent } from '../../../protocol/events.ts';
import type { StoredCopy } from './copy-store.ts';
import { epochOf } from './fenced-subject.ts';

/** It is not what this release writes: a later one did, or somebody who is no node. */
export class CopyUnreadableError extends Error {
  constructor(key: string, cause: unknown) {
    super(`what the servers keep of ${JSON.stringify(key)} cannot be read by this release`, { cause });
    this.name = 'CopyUnreadableError';
  }
}

/**
 * Whole entries, oldest first. One that its owner did not finish is left out, and so is what an earlier owner wrote after
 * a later one.
 */
async function* entries(messages: AsyncIterable<StoredCopy>): AsyncGenerator<string, void, void> {
  let [newest, parts]: [number, Uint8Array[]] = [0, []];
  for await (const message of messages) {
    const epoch = epochOf(message);
    if (!(epoch >= newest)) continue;
    const [part, all] = message.header(copyHeaders.part).split('/').map(Number);
    if (part === 1 || epoch > newest) parts = [];
    newest = epoch;
    if (part !== parts.length + 1) continue;
    parts.push(message.data);
    if (part === all) yield Buffer.concat(parts).toString();
  }
}

/**
 * @returns undefined when there is nothing, or what there was has been removed
 * @throws CopyUnreadableError, or a timeout
 */
export async function readCopy(
  key: string,
  messages: AsyncIterable<StoredCopy>,
): Promise<Session | undefined> {
  let session: Session | undefined;
  for await (const text of entries(messages)) session = follow(key, session, text);
  return session === undefined || session.removed ? undefined : session;
}

function follow(key: string, before: Session | undefined, text: string): Session | undefined {
  try {
    const entry = CopyEntry.parse(JSON.parse(text));
    if (entry.kind === 'owned') return restoreSession(key, entry.state as unknown as SessionState);
    if (entry.kind === 'taken') return before;
    let session = before ?? emptySession(key);
    for (const { at, event } of entry.events) session = evolve(session, SessionEvent.parse(event), at);
    return session;
  } catch (cause) {
    throw new CopyUnreadableError(key, cause);
  }
}
