// Finds what nothing in the state folder needs any more, and deletes it when an operator says so.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hashId } from '../../../base/digest.ts';
import { lookAtDirectory } from '../../../base/files/own-path.ts';
import { lookAtFile } from '../../../base/files/private-file.ts';
import type { Log } from '../../../base/log.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { Leftover, PruneResult } from '../../../domain/views/prune.ts';
import type { Dispatcher } from '../../app/dispatcher.ts';
import type { Forgetter } from '../../app/forgetting/forgetter.ts';
import { archivedSegments } from '../../journal/archive/archived-rows.ts';
import { readSegment } from '../../journal/archive/read-segment.ts';
import { SegmentDamagedError } from '../../journal/archive/segment-error.ts';
import { listSegments, removeSegment } from '../../journal/archive/segments.ts';
import type { StoredRow } from '../../journal/chain/hash-chain.ts';
import type { OpenedJournal } from '../../journal/start/open-journal.ts';
import { deleteFolder } from './forgotten-files.ts';
import { keptSessions } from './kept-sessions.ts';

export interface PrunerOptions {
  opened: Pick<OpenedJournal, 'store' | 'archive'>;
  dispatcher: Pick<Dispatcher, 'sessionsEver'>;
  forgetter: Pick<Forgetter, 'due' | 'add' | 'forgotten'>;
  stateDir: string;
  clock: Pick<Clock, 'after'>;
  log: Log;
  /** Files of the archive that are being cleaned. */
  left(): number;
}

type Named = Pick<Leftover, 'kind' | 'name'>;

/** A leftover, and how it is deleted. */
interface Found extends Leftover {
  delete(): void | Promise<void>;
}

/** Rows at a time. */
const pageSize = 256;
/** Milliseconds that somebody who still reads a removed session is waited for. */
const patienceMs = 10_000;

const folders = ['sessions', 'media', 'memory'];
const folderName = /^[0-9a-f]{16}$/;
const damagedName = /^journal\.db\.corrupt-[\w-]+$/;

export class Pruner {
  readonly #options: PrunerOptions;

  constructor(options: PrunerOptions) {
    this.#options = options;
  }

  async look(): Promise<Leftover[]> {
    return (await this.#find()).map(({ kind, name, bytes }) => ({ kind, name, bytes }));
  }

  /** Deletes those of them that are still there and still needed by nothing. */
  async prune(wanted: readonly Named[]): Promise<PruneResult> {
    const { log, left } = this.#options;
    const names = new Set(wanted.map(nameOf));
    const found = (await this.#find()).filter((each) => names.has(nameOf(each)));
    const deleted: Leftover[] = [];
    for (const { kind, name, bytes, delete: remove } of found)
      try {
        await remove();
        deleted.push({ kind, name, bytes });
        log.info('pruned', { kind, bytes });
      } catch (error) {
        log.warn('something could not be pruned', { kind, error });
      }
    return { deleted, archive: left() };
  }

  async #find(): Promise<Found[]> {
    const sessions = await this.#sessions();
    // Their files go with them.
    const known = new Set(sessions.flatMap(({ name }) => foldersOf(name)));
    const rest = this.#folders().filter(({ name }) => !known.has(name));
    return [...sessions, ...this.#segments(), ...this.#damaged(), ...rest];
  }

  async #sessions(): Promise<Found[]> {
    const { forgetter, stateDir } = this.#options;
    const due = new Set(forgetter.due.map(({ session }) => session));
    const kept = [...(await keptSessions(this.#rows())).values()];
    return kept
      .filter(({ about }) => !due.has(about.session))
      .map(({ about, size }) => {
        const { session: name, reused } = about;
        const files = reused ? [] : foldersOf(name);
        const bytes = size + files.reduce((sum, dir) => sum + bytesIn(join(stateDir, dir)), 0);
        return { kind: 'session', name, bytes, delete: () => this.#forget(about) };
      });
  }

  async #forget(about: Parameters<Forgetter['add']>[0]): Promise<void> {
    const { forgetter, clock } = this.#options;
    forgetter.add(about);
    const late = Promise.withResolvers<void>();
    const cancel = clock.after(patienceMs, () => late.reject(new Error('somebody still reads it')));
    await Promise.race([forgetter.forgotten(about.session), late.promise]).finally(cancel);
  }

  /** What is archived behind the origin is of a compaction that is under way. */
  #segments(): Found[] {
    const { archive, store } = this.#options.opened;
    const joined = new Set(archivedSegments(archive, store.end.origin).map(({ path }) => path));
    return listSegments(archive)
      .filter(({ path, last }) => !joined.has(path) && last <= store.origin)
      .map((segment) => ({
        kind: 'segment',
        name: join('archive', basename(segment.path)),
        bytes: segment.bytes,
        delete: () => removeSegment(archive, segment),
      }));
  }

  #damaged(): Found[] {
    const { stateDir } = this.#options;
    return readdirSync(stateDir)
      .filter((name) => damagedName.test(name))
      .map((name) => {
        const path = join(stateDir, name);
        const bytes = lookAtFile(path)?.size ?? 0;
        return { kind: 'damaged', name, bytes, delete: () => rmSync(path, { force: true }) };
      });
  }

  #folders(): Found[] {
    const { stateDir } = this.#options;
    return folders.flatMap((folder) =>
      namesIn(join(stateDir, folder))
        .filter((name) => folderName.test(name))
        .map((name) => join(folder, name))
        .filter((name) => !this.#known.has(name))
        .map((name) => {
          const dir = join(stateDir, name);
          const remove = () => (this.#known.has(name) ? undefined : deleteFolder(dir));
          return { kind: 'folder' as const, name, bytes: bytesIn(dir), delete: remove };
        }),
    );
  }

  /** Folders of sessions that there are, or of which something is still to be forgotten. */
  get #known(): Set<string> {
    const { dispatcher, forgetter } = this.#options;
    const keys = [...dispatcher.sessionsEver(), ...forgetter.due.map(({ session }) => ({ key: session }))];
    return new Set(keys.flatMap(({ key }) => foldersOf(key)));
  }

  /** All that are kept; those of a damaged segment are left out. */
  async *#rows(): AsyncGenerator<StoredRow> {
    const { store, archive } = this.#options.opened;
    for (const { path } of archivedSegments(archive, store.end.origin))
      try {
        yield* readSegment(path);
      } catch (error) {
        if (!(error instanceof SegmentDamagedError)) throw error;
      }
    let cursor = 0;
    for (;;) {
      const page = store.rawPage(cursor, pageSize);
      yield* page;
      const last = Number(page.at(-1)?.seq ?? Number.NaN);
      if (!(last > cursor)) return;
      cursor = last;
      await nextTurn();
    }
  }
}

const foldersOf = (key: string): string[] => folders.map((folder) => join(folder, hashId(key)));

const nameOf = ({ kind, name }: Named): string => `${kind} ${name}`;

const namesIn = (dir: string): string[] => (lookAtDirectory(dir) === undefined ? [] : readdirSync(dir));

function bytesIn(dir: string): number {
  const names = namesIn(dir).length === 0 ? [] : readdirSync(dir, { recursive: true, encoding: 'utf8' });
  return names.reduce(
    (sum, name) => sum + (statSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
