// The program that knows what notes mean, as whoever searches knows it: one process, started with the first question.
import type { ChildProcess } from 'node:child_process';
import type { Cancel, Clock } from '../../base/time/clock.ts';
import { Pending, PendingError } from '../../base/waiting/pending.ts';
import { startProgram } from '../start-program.ts';
import { crashedFault, slowFault } from './fault.ts';
import type {
  MeaningAnswer,
  MeaningCall,
  MeaningFault,
  MeaningNews,
  MeaningOrder,
  MeaningProgress,
} from './messages.ts';

export interface MeaningChildOptions {
  clock: Clock;
  /** The program: `meaning.ts`, or what was built of it. */
  program: string;
  order: MeaningOrder;
  /** What it writes to its standard error. */
  printed: (text: string) => void;
}

/** A question that has no answer by then hangs, milliseconds: longer than a model has for it. */
const hungMs = 90_000;
/** Without any news while it makes vectors it hangs, milliseconds: longer than a model has for a batch. */
const silenceMs = 180_000;
/** How long it is kept for the next question, milliseconds: a model has to be loaded again then. */
const lingerMs = 600_000;
/** After a crash it is left alone so long, milliseconds: that of a native program may come with each question. */
const restMs = 60_000;

/** Threads of native code share the heap: 265 MB instead of 550 for 36,000 vectors in LanceDB, as fast (measured). */
const allocation = { MALLOC_ARENA_MAX: '2' };

interface Making {
  id: number;
  outcome: PromiseWithResolvers<MeaningAnswer>;
  cancelSilence: Cancel;
}

export class MeaningChild {
  readonly #options: MeaningChildOptions;
  readonly #questions: Pending<MeaningAnswer>;
  /** Questions that nobody waits for any more, and the end of the patience with each. */
  readonly #late = new Map<number, Cancel>();
  #child: ChildProcess | undefined;
  #making: Making | undefined;
  #last = 0;
  #restUntil = 0;
  #cancelLinger: Cancel = () => {};
  #closed = false;
  /** Why it did not answer last; undefined when it did. */
  #fault: MeaningFault | undefined;
  /** Why parts lack a vector; undefined when they are made, or all have one. */
  #makingFault: MeaningFault | undefined;
  /** As far as it was told; undefined while nothing is known. */
  progress: MeaningProgress | undefined;

  constructor(options: MeaningChildOptions) {
    this.#options = options;
    this.#questions = new Pending(options.clock);
  }

  /** Why it cannot do all that it should; undefined when it can. */
  get fault(): MeaningFault | undefined {
    return this.#fault ?? this.#makingFault;
  }

  /** It makes vectors, as far as is known. */
  get isMaking(): boolean {
    return this.#making !== undefined;
  }

  /**
   * What is near these words. Never rejects: what goes wrong is an answer.
   *
   * @param limit at most so many parts
   * @param ms how long to wait, milliseconds; a model that is being loaded goes on
   */
  async ask(words: string, limit: number, ms: number): Promise<MeaningAnswer> {
    // It has not answered the one before: another one would only wait behind it.
    if (this.#late.size > 0) return this.#heed(faulty(slowFault));
    const child = this.#running();
    if (!child) return this.#heed(faulty(crashedFault));
    const id = this.#nextId();
    const answered = this.#questions.open(String(id), ms);
    this.#send(child, { type: 'ask', id, words, limit });
    try {
      return this.#heed(await answered);
    } catch (error) {
      if (!(error instanceof PendingError) || error.code === 'closed') return faulty(crashedFault);
      this.#late.set(id, this.#endAfter(hungMs));
      return this.#heed(faulty(slowFault));
    }
  }

  /** Has every part given its vector. Never rejects. */
  follow(): Promise<MeaningAnswer> {
    const child = this.#running();
    if (!child) return Promise.resolve(this.#heed(faulty(crashedFault)));
    // Once more: the index may have changed since it looked.
    const id = this.#making?.id ?? this.#nextId();
    this.#makingFault = undefined;
    this.#making ??= {
      id,
      outcome: Promise.withResolvers<MeaningAnswer>(),
      cancelSilence: this.#endAfter(silenceMs),
    };
    this.#send(child, { type: 'follow', id });
    return this.#making.outcome.promise;
  }

  /** What was made is kept. Idempotent. */
  close(): void {
    this.#closed = true;
    this.#end(crashedFault);
  }

  #running(): ChildProcess | undefined {
    if (this.#closed || this.#options.clock.now() < this.#restUntil) return undefined;
    this.#cancelLinger();
    this.#child ??= this.#start();
    return this.#child;
  }

  #start(): ChildProcess {
    const { program, order, printed } = this.#options;
    return startProgram<MeaningNews>({
      ...{ program, order: JSON.stringify(order), env: { ...process.env, ...allocation }, printed },
      heard: (news) => this.#heard(news),
      gone: (child) => this.#gone(child),
    });
  }

  #send(child: ChildProcess, call: MeaningCall): void {
    child.send(call, (error) => error && this.#gone(child));
  }

  #heard(news: MeaningNews): void {
    if (news.type === 'progress') {
      this.progress = news.progress;
      this.#making?.cancelSilence();
      if (this.#making) this.#making.cancelSilence = this.#endAfter(silenceMs);
      return;
    }
    const { id, answer } = news;
    if (this.#making?.id === id) this.#made(answer);
    else if (!this.#questions.settle(String(id), answer)) this.#heedLate(id, answer);
    this.#cancelLinger();
    if (!this.#making && this.#questions.size === 0)
      this.#cancelLinger = this.#options.clock.after(lingerMs, () => this.#end(crashedFault));
  }

  #made(answer: MeaningAnswer): void {
    const making = this.#making;
    this.#making = undefined;
    making?.cancelSilence();
    // Nothing is wrong when others do the work.
    if (answer.kind === 'fault' && answer.fault.reason !== 'locked') this.#makingFault = answer.fault;
    making?.outcome.resolve(answer.kind === 'fault' ? answer : this.#heed(answer));
  }

  /** What is known now, though nobody waits for it any more. */
  #heedLate(id: number, answer: MeaningAnswer): void {
    const cancel = this.#late.get(id);
    if (!cancel) return;
    cancel();
    this.#late.delete(id);
    this.#heed(answer);
  }

  #heed(answer: MeaningAnswer): MeaningAnswer {
    this.#fault = answer.kind === 'fault' ? answer.fault : undefined;
    if (answer.kind === 'fault') return answer;
    this.progress = { done: answer.done, total: answer.total };
    if (answer.done >= answer.total) this.#makingFault = undefined;
    return answer;
  }

  #endAfter(ms: number): Cancel {
    return this.#options.clock.after(ms, () => {
      this.#child?.kill('SIGKILL');
      this.#end(slowFault);
    });
  }

  #gone(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#restUntil = this.#options.clock.now() + restMs;
    this.#end(crashedFault);
  }

  #end(fault: MeaningFault): void {
    this.#cancelLinger();
    const child = this.#child;
    this.#child = undefined;
    for (const cancel of this.#late.values()) cancel();
    this.#late.clear();
    if (child?.connected) child.disconnect();
    for (const key of this.#questions.keys()) this.#questions.settle(key, faulty(fault));
    if (this.#making) this.#made(faulty(fault));
  }

  #nextId(): number {
    this.#last += 1;
    return this.#last;
  }
}

const faulty = (fault: MeaningFault): MeaningAnswer => ({ kind: 'fault', fault });
