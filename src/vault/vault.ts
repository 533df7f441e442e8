// A folder of notes that can be searched and added to. Everything it answers is an envelope.
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Clock } from '../base/time/clock.ts';
import { failed, succeeded } from '../domain/tools/tool-envelope.ts';
import type { Envelope, ToolStatus } from '../protocol/envelope.ts';
import type { VaultSettings } from '../protocol/settings/vault.ts';
import { findSecrets } from '../secrets/find-secrets.ts';
import { failureOf, indexerFailure } from './failure.ts';
import { inside } from './files/inside.ts';
import { realRoot } from './files/vault-root.ts';
import { foundEnvelope, notice } from './found-envelope.ts';
import { Generations } from './index/generations.ts';
import { IndexDamage } from './index/index-damage.ts';
import type { IndexReader } from './index/index-reader.ts';
import { type Opened, OpenIndex } from './index/open-index.ts';
import { matchOf } from './index/terms.ts';
import { type Freshness, IndexKeeper } from './indexing/index-keeper.ts';
import { IndexerChild } from './indexing/indexer-child.ts';
import type { MeaningProgress } from './meaning/messages.ts';
import { storeMemory } from './memory/store-memory.ts';
import { releasedLine } from './search/released-line.ts';
import { Releases } from './search/releases.ts';
import { hitsFor } from './search/search-data.ts';
import { searchIndex } from './search/search-index.ts';
import { jobData, statusData } from './status-data.ts';
import type { VaultPlaces } from './vault-dir.ts';
import { VaultMeaning } from './vault-meaning.ts';

export interface VaultOptions extends VaultPlaces {
  settings: VaultSettings;
  clock: Clock;
  /** Path of the indexer's program. */
  indexer: string;
  /** Path of the program that knows what notes mean. */
  meaning: string;
  /** What they write to their standard errors. */
  printed: (text: string) => void;
  /** It outlives one answer: an index that is missing or damaged is built meanwhile. */
  stays: boolean;
}

export interface SearchRequest {
  query: string;
  limit: number;
  /** Only notes below this folder. */
  folder?: string | undefined;
  /** Only notes with this tag, or one below it. */
  tag?: string | undefined;
}

export interface StoreRequest {
  text: string;
  topic?: string | undefined;
  tags?: readonly string[] | undefined;
  links?: readonly string[] | undefined;
}

/** How long an answer waits for the indexer, milliseconds: behind it stands a person. */
const followMs = 5_000;
/** How long `index` waits before it names the job alone, milliseconds. */
const indexMs = 1_000;
/** Notes that could not be read, which a status names. */
const mostProblems = 20;

export class Vault {
  readonly #options: VaultOptions;
  readonly #index: OpenIndex;
  readonly #releases = new Releases();
  readonly #keeper: IndexKeeper;
  readonly #meaning: VaultMeaning | undefined;
  /** What the index was when it was looked at last. */
  #seen: Opened['kind'] | 'damaged' = 'none';

  /** @throws UnsafePathError when the folder of the index is somebody else's */
  constructor(options: VaultOptions) {
    this.#options = options;
    const { settings, dir, clock, indexer: program, printed } = options;
    this.#index = new OpenIndex(new Generations(dir));
    const indexer = new IndexerChild({ clock, program, printed });
    // There is no hurry for whoever is gone soon.
    const built = () => void (options.stays && this.followed());
    this.#keeper = new IndexKeeper({ root: () => this.#root, settings, dir, indexer, clock, built });
    if (settings.embeddings !== 'none') this.#meaning = new VaultMeaning(options);
  }

  /** How far the indexer is, or was. */
  get job() {
    return this.#keeper.job;
  }

  /** As far as it is known without asking the disk for more than the folder. */
  get health(): { status: ToolStatus; reason: string } {
    if (!existsSync(this.#options.settings.path))
      return { status: 'unavailable', reason: 'the folder of notes is not there' };
    if (this.#seen === 'damaged')
      return { status: 'unavailable', reason: 'its index is damaged, and is made anew' };
    const { job } = this;
    if (job?.state === 'running' && this.#seen !== 'open')
      return { status: 'degraded', reason: 'its index is being made' };
    if (job?.error)
      return { status: 'degraded', reason: `its index is not up to date: ${job.error.message}` };
    return this.#meaning?.health ?? { status: 'healthy', reason: '' };
  }

  /** What is known of how many parts; undefined without embeddings, and before anybody asked. */
  get learned(): MeaningProgress | undefined {
    return this.#meaning?.progress;
  }

  /** Makes the index, or brings it up to date. @returns when that has ended, well or not; never rejects */
  build(rebuild = false): Promise<void> {
    if (this.#seen === 'none') this.#glance();
    return this.#keeper.start(rebuild);
  }

  /** Has every part given its vector. @returns when that has ended, well or not; never rejects */
  async followed(): Promise<void> {
    await this.#meaning?.follow();
  }

  search({ query, limit, folder = '', tag = '' }: SearchRequest): Promise<Envelope> {
    return this.#answer(async () => {
      const match = matchOf(query);
      if (match === undefined) return failed('INVALID_ARGUMENTS', 'There is no word in the query.');
      const filter = { folder: folder && inside(this.#root, folder), tag: tag.replace(/^#/, '') };
      const asked = this.#meaning?.ask(query, hitsFor(limit), filter);
      const [freshness, meaning] = await Promise.all([this.#follow(), asked]);
      const opened = this.#open();
      if (freshness.kind === 'empty') return failed('INDEX_NOT_FOUND', 'The vault holds no notes.');
      if (opened.kind !== 'open') return this.#unopened(opened.kind);
      const near = meaning?.kind === 'near' ? meaning.near : undefined;
      const question = { query, match, limit, near, ...filter };
      const found = searchIndex(opened.reader, question, this.#releases);
      const lacks = (data: Envelope['data']) => this.#meaning?.failure(meaning, data);
      return this.#described(foundEnvelope(found, freshness, lacks), opened);
    });
  }

  /** Begins to index, or says how far it is. */
  index(rebuild: boolean): Promise<Envelope> {
    return this.#answer(async () => {
      await this.#keeper.within(this.build(rebuild), indexMs);
      const { job } = this;
      if (job?.error) return indexerFailure(job.error);
      return succeeded({ job: job && jobData(job) });
    });
  }

  status(): Promise<Envelope> {
    return this.#answer(async () => {
      const meaning = await this.#meaning?.look();
      const { name, job } = this;
      const { settings } = this.#options;
      const opened = this.#open();
      const reader = opened.kind === 'open' ? opened.reader : undefined;
      const skipped = [...this.#keeper.skipped, ...(reader?.problems(mostProblems) ?? [])];
      const facts = reader?.facts() ?? null;
      const data = statusData({ name, index: opened.kind, facts, job, skipped, settings, meaning });
      if (opened.kind === 'open')
        return this.#described(this.#meaning?.failure(meaning, data) ?? succeeded(data), opened);
      return { ...this.#unopened(opened.kind), data };
    });
  }

  store(request: StoreRequest): Promise<Envelope> {
    return this.#answer(async () => {
      const all = [request.text, request.topic ?? '', ...(request.tags ?? []), ...(request.links ?? [])];
      const [secret] = findSecrets(all.join('\n'));
      if (secret) {
        const message = `It holds what looks like a secret (${secret.kind}); nothing was stored.`;
        const suggestion = 'Leave the secret out, and store the rest.';
        return failed('SENSITIVE_FILTERED', message, { suggestion });
      }
      const { settings, memoryLock: lockFile, clock } = this.#options;
      const now = new Date(clock.wall());
      const stored = storeMemory(this.#root, request, { folder: settings.memories, now, lockFile });
      this.#keeper.forget();
      return succeeded({ ...stored });
    });
  }

  /** @param id of a line that a search has withheld; it holds once */
  release(id: string): Promise<Envelope> {
    return this.#answer(async () => {
      const place = this.#releases.take(id);
      const text = place && (await releasedLine(this.#root, place));
      if (text !== undefined) return succeeded({ ...place, text, notice });
      const message = place
        ? 'The note was changed since, and that line holds no secret now.'
        : 'It was released before, or no search has named it.';
      return failed('SENSITIVE_FILTERED', message, {
        suggestion: 'Search again: every withheld line gets a new name, which holds once.',
      });
    });
  }

  /** Idempotent. */
  close(): void {
    this.#keeper.close();
    this.#meaning?.close();
    this.#index.close();
  }

  /** The folder's name, by which people know it. */
  get name(): string {
    return basename(this.#options.settings.path);
  }

  /** It may come and go. @throws VaultMissingError */
  get #root(): string {
    return realRoot(this.#options.settings.path);
  }

  /** @throws IndexDamage, VaultMissingError */
  async #follow(): Promise<Freshness> {
    const first = this.#open();
    // To make an index takes its time; who wants that says so.
    if (first.kind === 'none') return this.#keeper.look(undefined);
    const known = () => {
      const opened = this.#open();
      return opened.kind === 'open' ? opened.reader.marks() : undefined;
    };
    return this.#keeper.follow(known, followMs);
  }

  /** @throws IndexDamage */
  #open(): Opened {
    const opened = this.#index.get();
    this.#seen = opened.kind;
    return opened;
  }

  /** An index that is there answers while it is brought up to date. What is wrong with it, whoever asks it hears. */
  #glance(): void {
    try {
      this.#open();
    } catch {
      // Not by this: to be up to date is not an answer.
    }
  }

  /** Why nothing can be found. */
  #unopened(kind: 'none' | 'unsealed'): Envelope {
    if (this.#options.stays) void this.build();
    const code = kind === 'none' ? 'INDEX_NOT_FOUND' : 'INDEX_BUILDING';
    const { job } = this;
    if (job?.state === 'running') {
      const words = `The index is being made: ${job.done} of ${job.total} notes are in it.`;
      const suggestion = 'Nothing has to be done: ask again in a moment.';
      return failed(code, words, { status: 'unavailable', suggestion });
    }
    if (job?.error) return indexerFailure(job.error);
    const words =
      kind === 'none'
        ? 'This vault has no index yet.'
        : 'Who wrote to the index last did not come to an end.';
    return failed(code, words, { status: 'unavailable', suggestion: 'Run index, then call it again.' });
  }

  async #answer(work: () => Promise<Envelope>): Promise<Envelope> {
    const { clock } = this.#options;
    const begun = clock.now();
    let envelope: Envelope;
    try {
      envelope = await work();
    } catch (error) {
      const known = this.#failure(error);
      if (!known) throw error;
      envelope = known;
    }
    return { ...envelope, meta: { ...envelope.meta, query_time_ms: Math.round(clock.now() - begun) } };
  }

  #failure(error: unknown): Envelope | undefined {
    if (error instanceof IndexDamage) {
      this.#seen = 'damaged';
      this.#index.close();
      if (this.#options.stays) void this.build(true);
    }
    return failureOf(error);
  }

  /** With what the index is. */
  #described(envelope: Envelope, { number, reader }: { number: number; reader: IndexReader }): Envelope {
    const { chunks, modified } = reader.facts();
    const meta = {
      ...envelope.meta,
      chunks_scanned: chunks,
      index_version: String(number),
      vault_mtime: modified === null ? null : new Date(modified).toISOString(),
    };
    return { ...envelope, meta };
  }
}
