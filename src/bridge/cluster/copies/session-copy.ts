// One conversation in the stream of copies. One entry is on its way at a time, and what happens meanwhile gathers: the
// cost grows with what happens, and not with how often.

import { hashId } from '../../../base/digest.ts';
import type { Log } from '../../../base/log.ts';
import type { Cancel, Clock } from '../../../base/time/clock.ts';
import { Waits } from '../../../base/waiting/waits.ts';
import type { CarriedFile } from '../../../protocol/cluster/carried-files.ts';
import type { CarriedState, CopyEntry } from '../../../protocol/cluster/cluster-copy.ts';
import type { JournalRow } from '../../../protocol/events/events.ts';
import { isFleeting } from '../../../protocol/events/fleeting.ts';
import { NotKeptError } from '../../app/not-kept.ts';
import { claim } from './claim.ts';
import { CopyFullError, type CopyStore } from './copy-store.ts';
import { AbandonedError, FencedSubject, OutdatedError } from './fenced-subject.ts';
import { Lull } from './lull.ts';
import { Replay } from './replay.ts';
import { TranscriptCopy } from './transcript-copy.ts';

/** An entry that takes longer keeps new work away, ms. */
const patienceMs = 4_000;
/** Characters that wait to be written; beyond that all of it is written anew. */
const mostWaiting = 1024 * 1024;
/** For what may get lost to gather, ms: text comes in many small pieces. */
const lullMs = 100;
/** After a turn, for Claude Code to write down the last of it, ms: it does so a moment after it has said that it is over. */
const lagMs = 2_000;

export interface SessionCopyOptions {
  key: string;
  node: string;
  /** Of this owner alone. */
  id: string;
  digest: string;
  store(): CopyStore | undefined;
  /**
   * Becomes the owner.
   * @returns revision of `own.<digest>`; undefined when another node is @throws when nobody can be asked
   */
  own(): Promise<number | undefined>;
  /** Of the newest row that there is. */
  seq(): number;
  /** All that is known of it, up to that row, and its Claude session. */
  now(): { state: CarriedState; claude: string | undefined };
  transcript(claude: string): string | undefined;
  /** See `ConversationFiles.read`. */
  files(): Promise<CarriedFile[] | undefined>;
  /** Another node has it by now. */
  lost(): void;
  clock: Clock;
  log: Log;
}

interface Owned {
  rows: FencedSubject;
  files: FencedSubject;
  transcript: TranscriptCopy;
}

export class SessionCopy {
  readonly #options: SessionCopyOptions;
  readonly #waits = new Waits();
  #epoch: number | undefined;
  #owned: Owned | undefined;
  #rows: { row: JournalRow; body: string }[] = [];
  /** Characters of these. */
  #waiting = 0;
  /** All of it is written next. */
  #anew = true;
  readonly #replay = new Replay();
  /** Seq of all of it, as long as what is older may be there. */
  #whole: number | undefined;
  /** Seq of the newest row that there is of it, and that is there. */
  #newest: number;
  #copied = 0;
  #writing: Promise<void> | undefined;
  #late: Cancel | undefined;
  /** The transcript is looked at once more. */
  #isBehind = false;
  #lag: Cancel | undefined;
  /** Digest of the files that are there. */
  #files: string | undefined;
  /** Over when somebody waits for it, or it must not get lost. */
  readonly #lull: Lull;
  #isStuck = false;
  #isFull = false;
  /** Rows of what was not taken: nothing comes of them. */
  readonly #refused = new Set<number>();
  #end: Error | undefined;

  constructor(options: SessionCopyOptions) {
    this.#options = options;
    this.#newest = options.seq();
    this.#lull = new Lull(options.clock, lullMs);
    this.#write();
  }

  /** Nothing new may be begun in it. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  /** There is no room for it on the servers. */
  get isFull(): boolean {
    return this.#isFull;
  }

  add(row: JournalRow): void {
    const body = JSON.stringify({ at: row.at, event: row.event });
    this.#rows.push({ row, body });
    this.#newest = row.seq;
    this.#waiting += body.length;
    // What has to wait for long is not kept twice.
    if (this.#waiting > mostWaiting) this.#writeAnew();
    if (!isFleeting(row.event)) this.#lull.hurry();
    this.#write();
  }

  /** Resolves when everything up to the row is there, or finds no room there. @throws NotKeptError */
  durable(seq: number): Promise<void> {
    const last = Math.min(seq, this.#newest);
    if (last <= this.#copied) return Promise.resolve();
    if (this.#end) return Promise.reject(this.#end);
    if (this.#isFull && !this.#refused.has(last)) return Promise.resolve();
    this.#lull.hurry();
    return this.#waits.durable(last);
  }

  /** Resolves with true then, with false when it takes too long, or is not to be. */
  kept(seq: number): Promise<boolean> {
    const last = Math.min(seq, this.#newest);
    if (last <= this.#copied) return Promise.resolve(true);
    // What was let go on is not taken back.
    if (this.#isFull && !this.#refused.has(last)) return Promise.resolve(true);
    if (this.#end || this.#isStuck) return Promise.resolve(false);
    this.#lull.hurry();
    return this.#waits.kept(last);
  }

  /**
   * It was removed: nothing of it stays, also when there is no room to say so. Resolves when it is gone, as late as that
   * may be. What comes under its name after it stays.
   * @param release gives up its home: whoever looks for it until then finds that it was removed
   * @throws OutdatedError; what `release` throws
   */
  async erase(release: () => Promise<void>): Promise<void> {
    await this.kept(this.#newest);
    this.close();
    await this.#writing;
    const epoch = this.#epoch ?? (await this.#becomeOwner(() => true));
    await this.#subject('file', epoch).forgetAll();
    await this.#subject('copy', epoch).forgetAll(release);
  }

  /** Nothing more is written. Whoever waits is told. Idempotent. */
  close(): void {
    this.#over(new AbandonedError());
  }

  #over(end: Error): void {
    this.#end ??= end;
    this.#late?.();
    this.#lag?.();
    this.#owned?.rows.close();
    this.#owned?.files.close();
    this.#lull.hurry();
    this.#waits.refuse();
    this.#waits.reject(end);
  }

  #stuck(error: unknown): void {
    const { log, key } = this.#options;
    log.debug('a copy could not be written yet', { session: key, error });
    this.#isFull = error instanceof CopyFullError;
    if (!this.#isFull) return;
    this.#refuse();
    // What is under way goes on, on this disk alone: this node has it for as long as it lives.
    this.#waits.release(this.#newest, this.#refused);
  }

  #refuse(): void {
    this.#isStuck = true;
    for (const seq of this.#waits.refuse()) this.#refused.add(seq);
  }

  #writeAnew(): void {
    this.#anew = true;
    this.#rows = [];
    this.#waiting = 0;
  }

  #write(): void {
    if (this.#writing || this.#end) return;
    this.#writing = this.#writeAll().catch((error: unknown) => {
      this.#over(error instanceof Error ? error : new Error(String(error)));
      if (error instanceof OutdatedError) this.#options.lost();
      else if (!(error instanceof AbandonedError))
        this.#options.log.error('a copy cannot be written', { error });
    });
  }

  async #writeAll(): Promise<void> {
    // What comes in one step goes in one entry.
    await Promise.resolve();
    while (this.#anew || this.#rows.length > 0 || this.#isBehind) {
      if (!this.#anew && this.#rows.length === 0) {
        await this.#catchUp();
        continue;
      }
      if (!this.#anew) await this.#lull.over();
      this.#lull.begin();
      this.#late = this.#options.clock.after(patienceMs, () => this.#refuse());
      const owned = this.#owned ?? (await this.#begin());
      const seq = await (this.#anew ? this.#writeState(owned) : this.#writeRows(owned));
      this.#late();
      this.#isStuck = false;
      this.#isFull = false;
      this.#copied = seq;
      this.#waits.release(seq);
      this.#refused.clear();
      await this.#eraseOlder(owned);
    }
    this.#writing = undefined;
  }

  /** Nobody waits for that: whoever takes over reads over what is older, should some of it stay. */
  async #eraseOlder({ rows }: Owned): Promise<void> {
    if (this.#whole === undefined) return;
    await rows.forgetOlder(this.#whole);
    this.#whole = undefined;
  }

  /** @returns the epoch */
  #becomeOwner(isWanted: () => boolean): Promise<number> {
    const { own, clock } = this.#options;
    return claim(own, { isWanted, stuck: (error) => this.#stuck(error), clock });
  }

  async #begin(): Promise<Owned> {
    const epoch = await this.#becomeOwner(() => this.#end === undefined);
    this.#epoch = epoch;
    const [rows, files] = [this.#subject('copy', epoch), this.#subject('file', epoch)];
    this.#owned = { rows, files, transcript: new TranscriptCopy(files, this.#options.transcript) };
    if (this.#end) this.#over(this.#end);
    return this.#owned;
  }

  #subject(kind: 'copy' | 'file', epoch: number): FencedSubject {
    const { store, id, digest, clock } = this.#options;
    return new FencedSubject({
      store,
      epoch,
      id: `${id}-${kind}`,
      subject: (stream) => stream.subjectOf(kind, digest),
      stuck: (error) => this.#stuck(error),
      clock,
    });
  }

  async #catchUp(): Promise<void> {
    this.#isBehind = false;
    if (!this.#owned) return;
    await this.#ship(this.#owned, this.#options.now().claude);
    const files = await this.#changedFiles();
    if (files) await this.#happened(this.#owned, [], files);
  }

  #lagsBehind(): void {
    this.#lag?.();
    this.#lag = this.#options.clock.after(lagMs, () => {
      this.#isBehind = true;
      this.#write();
    });
  }

  async #writeState(owned: Owned): Promise<number> {
    const { key, node, now, seq: newest } = this.#options;
    const { state, claude } = now();
    const seq = newest();
    this.#anew = false;
    this.#rows = [];
    this.#waiting = 0;
    // Not before the state is taken: what Claude Code has written of each turn that is over in it has to be there.
    await this.#ship(owned, claude);
    this.#files = undefined;
    const files = await this.#changedFiles();
    const all: CopyEntry = { kind: 'owned', version: 1, session: key, node, state, ...(files && { files }) };
    const text = JSON.stringify(all);
    this.#lagsBehind();
    this.#whole = await owned.rows.append(Buffer.from(text));
    this.#replay.begin(text.length);
    return seq;
  }

  async #writeRows(owned: Owned): Promise<number> {
    const rows = this.#rows;
    this.#rows = [];
    this.#waiting = 0;
    // What Claude Code has written of a turn is there before anybody is told that it is over.
    let files: CarriedFile[] | undefined;
    if (rows.some(({ row }) => row.event.type === 'turn.settled')) {
      await this.#ship(owned, this.#options.now().claude);
      files = await this.#changedFiles();
      this.#lagsBehind();
    }
    await this.#happened(
      owned,
      rows.map(({ body }) => body),
      files,
    );
    return rows.at(-1)?.row.seq ?? 0;
  }

  /** @param files absent: they are as they were */
  async #happened({ rows }: Owned, bodies: readonly string[], files?: CarriedFile[]): Promise<void> {
    const rest = files ? `,"files":${JSON.stringify(files)}` : '';
    const text = `{"kind":"happened","events":[${bodies.join()}]${rest}}`;
    await rows.append(Buffer.from(text));
    if (this.#replay.add(text.length)) this.#writeAnew();
  }

  /** Those of the conversation, unless they are there already. What cannot be read keeps nothing else back. */
  async #changedFiles(): Promise<CarriedFile[] | undefined> {
    const { key, files: read, log } = this.#options;
    try {
      const files = await read();
      const digest = files && hashId(JSON.stringify(files), 64);
      if (digest === this.#files) return undefined;
      this.#files = digest;
      return files;
    } catch (error) {
      log.warn('files of a conversation were not copied', { session: key, error });
      return undefined;
    }
  }

  /** A transcript that cannot be read keeps nothing else back: Claude Code goes on elsewhere with what is there. */
  async #ship({ transcript }: Owned, claude: string | undefined): Promise<void> {
    const { key, log } = this.#options;
    try {
      if (claude !== undefined) await transcript.ship(claude);
    } catch (error) {
      if (error instanceof NotKeptError) throw error;
      log.warn('a transcript was not copied', { session: key, error });
    }
  }
}
