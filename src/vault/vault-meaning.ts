// What a vault knows of its notes beside their words: asked with each search, and never waited for long.
import type { Clock } from '../base/time/clock.ts';
import type { Envelope, ToolStatus } from '../protocol/envelope.ts';
import type { VaultSettings } from '../protocol/settings/vault.ts';
import { findSecrets } from '../secrets/find-secrets.ts';
import { masked } from '../secrets/masked.ts';
import { anyWord } from './embed/embedder.ts';
import { meaningFailure } from './failure.ts';
import type { HitFilter } from './index/index-reader.ts';
import { MeaningChild } from './meaning/meaning-child.ts';
import type { MeaningAnswer, MeaningProgress } from './meaning/messages.ts';
import type { VaultPlaces } from './vault-dir.ts';

export interface VaultMeaningOptions extends VaultPlaces {
  settings: VaultSettings;
  clock: Clock;
  /** Path of its program. */
  meaning: string;
  printed: (text: string) => void;
  /** It outlives one question. */
  stays: boolean;
}

/** How long a search waits for it, milliseconds: with the words that is less than two seconds. */
const askMs = 1_700;
/** The same for a command that has to start the program and load the model first, milliseconds. */
const coldMs = 10_000;
/** Parts of a folder or with a tag are few among the nearest of all: so many times more are asked for. */
const filteredTimes = 10;
/** After a fault the next look at the health asks again, at most every so often, milliseconds. */
const againMs = 30_000;

export class VaultMeaning {
  readonly #child: MeaningChild;
  readonly #embeddings: VaultSettings['embeddings'];
  readonly #clock: Clock;
  readonly #askMs: number;
  #nextLook = 0;

  constructor({ clock, meaning: program, printed, ...order }: VaultMeaningOptions) {
    this.#clock = clock;
    this.#embeddings = order.settings.embeddings;
    this.#askMs = order.stays || this.#embeddings !== 'builtin' ? askMs : coldMs;
    this.#child = new MeaningChild({ clock, program, printed, order });
  }

  get progress(): MeaningProgress | undefined {
    return this.#child.progress;
  }

  /** What it says as long as it cannot do all; undefined when it can. Asks again now and then. */
  get health(): { status: ToolStatus; reason: string } | undefined {
    const { fault } = this.#child;
    if (!fault) return undefined;
    const now = this.#clock.now();
    if (now >= this.#nextLook) {
      this.#nextLook = now + againMs;
      void this.look();
    }
    return { status: 'degraded', reason: `notes are found by their words alone: ${fault.message}` };
  }

  /** @param limit of results */
  ask(query: string, limit: number, { folder, tag }: HitFilter): Promise<MeaningAnswer> {
    const words = masked(query, findSecrets(query));
    const times = folder === '' && tag === '' ? 1 : filteredTimes;
    return this.#child.ask(words, limit * times, this.#askMs);
  }

  /** Whether it can be asked. */
  look(): Promise<MeaningAnswer> {
    return this.#child.ask(anyWord, 1, this.#askMs);
  }

  /** Never rejects. */
  follow(): Promise<MeaningAnswer> {
    return this.#child.follow();
  }

  /** What an answer says of what it could not do; undefined when it could. */
  failure(answer: MeaningAnswer | undefined, data: Envelope['data']): Envelope | undefined {
    if (!answer || (answer.kind !== 'fault' && answer.done >= answer.total)) return undefined;
    // More than that some parts lack a vector: why they do.
    const { fault } = this.#child;
    return meaningFailure(fault ? { kind: 'fault', fault } : answer, this.#embeddings, data);
  }

  /** Idempotent. */
  close(): void {
    this.#child.close();
  }
}
