// What the notes of a vault mean: asks a model for vectors, keeps them, and finds what is near.

import { KernelLock } from '../../base/files/kernel-lock.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type Embedder, EmbedError } from '../embed/embedder.ts';
import { StoreDamage, type VectorStore } from '../vectors/vector-store.ts';
import { embedMissing } from './embed-missing.ts';
import { faultOf } from './fault.ts';
import { FollowedIndex } from './followed-index.ts';
import type { MeaningAnswer, MeaningOrder, MeaningProgress } from './messages.ts';
import { embedderOf, storeOf } from './parts.ts';
import { VectorPlaces } from './vector-places.ts';

export interface MeaningsOptions extends MeaningOrder {
  clock: Clock;
  progressed: (progress: MeaningProgress) => void;
}

/** With fewer parts that have a vector, an order by meaning would leave out too many of the notes. */
const leastShare = 0.9;
/** A model that has not answered a question by then is not going to, milliseconds: a large one is loaded meanwhile. */
const askMs = 60_000;
/** After a failure nobody but a person makes it try again so long, milliseconds. */
const pauseMs = 30_000;
/** What is known of damage: what is found again although its rows were put again is not in rows. */
type Damage = 'none' | 'found' | 'mended' | 'found again';

interface Held {
  identity: string;
  store: VectorStore;
}

interface Making {
  work: Promise<MeaningAnswer>;
  /** The index has changed since. */
  isAgain: boolean;
}

export class Meanings {
  readonly #options: MeaningsOptions;
  readonly #places: VectorPlaces;
  readonly #index: FollowedIndex;
  readonly #closing = new AbortController();
  #embedder: Promise<Embedder> | undefined;
  #held: Held | undefined;
  #making: Making | undefined;
  #progress: MeaningProgress = { done: 0, total: 0 };
  #damage: Damage = 'none';
  #nextTry = 0;
  /** Ends when whoever used the held store last has done so. */
  #lastUse: Promise<unknown> = Promise.resolve();

  /** @throws UnsafePathError */
  constructor(options: MeaningsOptions) {
    this.#options = options;
    this.#places = new VectorPlaces(options.vectors);
    this.#index = new FollowedIndex(options.dir);
  }

  /** Rejects for a fault of ours alone. */
  async ask(words: string, limit: number): Promise<MeaningAnswer> {
    // The model has enough to do.
    if (this.#making && !isEnough(this.#progress)) return { kind: 'building', ...this.#progress };
    try {
      return await this.#near(words, limit);
    } catch (error) {
      if (error instanceof StoreDamage) await this.#damaged();
      return faulty(error);
    }
  }

  /** Gives every part its vector. One work at a time; whoever asks for it meanwhile has it look once more. */
  follow(): Promise<MeaningAnswer> {
    if (this.#making) {
      this.#making.isAgain = true;
      return this.#making.work;
    }
    const making = {
      isAgain: false,
      work: Promise.resolve<MeaningAnswer>({ kind: 'followed', ...this.#progress }),
    };
    this.#making = making;
    making.work = this.#follow(making).finally(() => {
      this.#making = undefined;
    });
    return making.work;
  }

  /** What was made is kept. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#making?.work.catch(() => {});
    await this.#inTurn(() => this.#letGo());
    this.#index.close();
    (await this.#embedder?.catch(() => undefined))?.close();
  }

  async #near(words: string, limit: number): Promise<MeaningAnswer> {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(askMs)]);
    const embedder = await this.#theEmbedder();
    const [identity, [vector]] = await Promise.all([
      embedder.identity(signal),
      embedder.embed([words], 'query', signal),
    ]);
    if (!vector)
      throw new EmbedError('nonsense', 'The model makes no vector of these words.', 'Use other words.');
    const { near, of } = await this.#inTurn(async () => (await this.#store(identity)).nearest(vector, limit));
    this.#damage = 'none';
    const total = this.#index.meanings ?? of;
    const progress = { done: Math.min(of, total), total };
    this.#progress = progress;
    // Rows may be gone, and nobody has said so.
    const isWhole = of >= total && this.#index.isFollowed(identity);
    if (this.#options.stays && !isWhole) this.#keepUp();
    return isEnough(progress) ? { kind: 'near', near, ...progress } : { kind: 'building', ...progress };
  }

  async #follow(making: Making): Promise<MeaningAnswer> {
    let answer: MeaningAnswer;
    do {
      making.isAgain = false;
      answer = await this.#fillOnce();
    } while (making.isAgain && answer.kind === 'followed' && !this.#closing.signal.aborted);
    this.#nextTry = answer.kind === 'followed' ? 0 : this.#options.clock.now() + pauseMs;
    return answer;
  }

  async #fillOnce(): Promise<MeaningAnswer> {
    let lock: KernelLock | undefined;
    try {
      lock = KernelLock.take(this.#places.lock, 0);
      const embedder = await this.#theEmbedder();
      const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(askMs)]);
      const identity = await embedder.identity(signal);
      try {
        await this.#fill(embedder, identity);
      } catch (error) {
        if (!(error instanceof StoreDamage)) throw error;
        await this.#anew(identity);
        await this.#fill(embedder, identity);
      }
      return { kind: 'followed', ...this.#progress };
    } catch (error) {
      return faulty(error);
    } finally {
      lock?.release();
    }
  }

  async #fill(embedder: Embedder, identity: string): Promise<void> {
    if (this.#damage === 'found again') await this.#anew(identity);
    // What is found while it works need not be among what it looks at.
    const isMending = this.#damage === 'found';
    const { signal } = this.#closing;
    const progressed = (progress: MeaningProgress) => {
      this.#progress = progress;
      this.#options.progressed(progress);
    };
    // Of its own: the other one is let go as soon as the model is another one.
    const store = await this.#open(identity);
    try {
      await this.#index.follow(identity, async (reader) => {
        await embedMissing(reader, embedder, store, { progressed, signal });
        return !signal.aborted;
      });
    } finally {
      await store.close();
    }
    if (signal.aborted) return;
    this.#places.keep(identity);
    if (isMending) this.#damage = 'mended';
  }

  #keepUp(): void {
    if (this.#making || this.#options.clock.now() < this.#nextTry) return;
    this.follow().catch(() => {});
  }

  async #damaged(): Promise<void> {
    this.#damage = this.#damage === 'none' || this.#damage === 'found' ? 'found' : 'found again';
    await this.#inTurn(() => this.#letGo());
    if (this.#options.stays) this.#keepUp();
  }

  async #anew(identity: string): Promise<void> {
    await this.#inTurn(async () => {
      await this.#letGo();
      this.#places.remove(identity);
    });
    this.#damage = 'none';
  }

  #theEmbedder(): Promise<Embedder> {
    const { settings, stateDir } = this.#options;
    const embedder = this.#embedder ?? embedderOf(settings, stateDir);
    this.#embedder = embedder;
    // It may be installed meanwhile.
    embedder.catch(() => {
      if (this.#embedder === embedder) this.#embedder = undefined;
    });
    return embedder;
  }

  /** One at a time: nobody lets go of the store that another one asks, or opens what is being removed. */
  #inTurn<T>(use: () => Promise<T>): Promise<T> {
    const turn = this.#lastUse.then(use);
    this.#lastUse = turn.catch(() => {});
    return turn;
  }

  async #store(identity: string): Promise<VectorStore> {
    if (this.#held?.identity === identity) return this.#held.store;
    await this.#letGo();
    this.#held = { identity, store: await this.#open(identity) };
    return this.#held.store;
  }

  #open(identity: string): Promise<VectorStore> {
    const { settings, stateDir } = this.#options;
    return storeOf(settings, stateDir, this.#places.of(identity));
  }

  async #letGo(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    await held?.store.close();
  }
}

const isEnough = ({ done, total }: MeaningProgress): boolean => done >= total * leastShare;

/** @throws what is no fault that people can do something about */
function faulty(error: unknown): MeaningAnswer {
  const fault = faultOf(error);
  if (!fault) throw error;
  return { kind: 'fault', fault };
}
