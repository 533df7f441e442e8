import type { Log } from '../../base/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Session } from '../../domain/state/session.ts';
import type { Health, JournalRow } from '../../protocol/events/events.ts';
import { type Exporter, openTelemetry } from './otel.ts';
import type { Trace } from './spans.ts';
import { TurnTraces } from './turn-traces.ts';

export interface TracesOptions {
  /** Absolute path of what sets OpenTelemetry up. */
  module: string;
  version: string;
  log: Log;
  clock: Pick<Clock, 'after'>;
  idOf(session: string): string;
}

const failedWords = (module: string) =>
  `${module} (telemetry.module) could not be loaded, so there are no traces; everything else works. bridge.log says why. Correct it, and restart the bridge.`;

/** Traces that wait while the module is loaded. */
const mostWaiting = 1000;
/** For the module to send what it has, when the bridge stops, ms. */
const closeMs = 3_000;

/** Where the operator wants none, nothing of this is made. */
export class Traces {
  readonly #options: TracesOptions;
  #turns: TurnTraces;
  #waiting: Trace[] = [];
  #exporter: Exporter | 'loading' | 'failed' = 'loading';

  constructor(options: TracesOptions) {
    this.#options = options;
    this.#turns = new TurnTraces(options.idOf);
  }

  /** Follows what is appended from now on. Call once. @param sessions as they are now */
  follow(
    journal: { subscribe(listener: (row: JournalRow) => void): () => void },
    sessions: readonly Session[],
  ): void {
    this.#turns = new TurnTraces(this.#options.idOf, sessions);
    journal.subscribe((row) => {
      const trace = this.#turns.observe(row);
      if (trace) this.#take(trace);
    });
  }

  /** Behind the ready line. Never rejects: a module that fails leaves the bridge as it is. */
  async load(): Promise<void> {
    const { module, version, log } = this.#options;
    try {
      this.#exporter = await openTelemetry(module, version);
      log.info('traces go to OpenTelemetry', { module });
    } catch (error) {
      this.#exporter = 'failed';
      log.error('telemetry.module could not be loaded: there are no traces', { module, error });
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const trace of waiting) this.#take(trace);
  }

  /** What the operator has to know of it. */
  get health(): Health[] {
    return this.#exporter === 'failed'
      ? [{ code: 'telemetry_failed', words: failedWords(this.#options.module) }]
      : [];
  }

  /** Returns within seconds, whatever the module does. */
  async close(): Promise<void> {
    if (typeof this.#exporter === 'string') return;
    const { log, clock } = this.#options;
    const late = Promise.withResolvers<void>();
    const cancel = clock.after(closeMs, late.resolve);
    await Promise.race([this.#exporter.close(), late.promise]).catch((error: unknown) =>
      log.warn('telemetry.module did not close', { error }),
    );
    cancel();
  }

  #take(trace: Trace): void {
    if (this.#exporter === 'failed') return;
    if (this.#exporter === 'loading') {
      if (this.#waiting.length < mostWaiting) this.#waiting.push(trace);
      return;
    }
    try {
      this.#exporter.export(trace);
    } catch (error) {
      this.#options.log.warn('a trace was not taken', { error });
    }
  }
}
