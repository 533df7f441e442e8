// Hands the head of the journal to the operator's own command, so that it lies where this machine cannot change it.
// Nothing waits for it: a command that fails or hangs is said, and tried again at the next time.
import type { Log } from '../../../base/log.ts';
import { runProgram } from '../../../base/process/run-program.ts';
import { type Cancel, type Clock, systemClock } from '../../../base/time/clock.ts';
import type { Health } from '../../../protocol/events/events.ts';
import type { Config } from '../../../protocol/settings/config.ts';
import type { OpenedJournal } from '../../journal/start/open-journal.ts';

export interface AnchorShipperOptions {
  command: readonly string[];
  everyMs: number;
  /** One line for what is on disk now. */
  anchor(): string;
  /** Seq of the last row on disk. */
  last(): number;
  clock: Pick<Clock, 'after'>;
  log: Log;
}

/** Milliseconds that the command has. */
const commandMs = 30_000;

export class AnchorShipper {
  readonly #options: AnchorShipperOptions;
  readonly #closed = new AbortController();
  #next: Cancel | undefined;
  #running: Promise<void> | undefined;
  /** Row of the last line that arrived. */
  #shipped = -1;
  #trouble: string | undefined;

  constructor(options: AnchorShipperOptions) {
    this.#options = options;
  }

  /** Set while the last attempt failed. */
  get health(): Health[] {
    return this.#trouble === undefined ? [] : [{ code: 'anchor', words: this.#trouble }];
  }

  /** The first line goes out at once. */
  start(): void {
    this.#running = this.#ship();
  }

  /** Ends a command that runs. Idempotent. */
  async close(): Promise<void> {
    this.#closed.abort();
    this.#next?.();
    await this.#running;
  }

  async #ship(): Promise<void> {
    const { command, everyMs, clock, log, anchor, last } = this.#options;
    const { signal } = this.#closed;
    const seq = last();
    if (seq !== this.#shipped) {
      const result = await runProgram({ command, stdin: `${anchor()}\n`, timeoutMs: commandMs, signal });
      if (signal.aborted) return;
      this.#trouble = result.ok
        ? undefined
        : `The journal's anchor was not taken by \`audit.anchorCommand\`: ${result.words}.`;
      if (result.ok) this.#shipped = seq;
      else log.warn('the anchor command failed', { words: result.words });
    }
    this.#next = clock.after(everyMs, () => {
      this.#running = this.#ship();
    });
  }
}

/** @returns undefined when the operator named no command */
export function anchorShipper(
  { anchorCommand, anchorEveryMs }: Config['audit'],
  { chain }: OpenedJournal,
  log: Log,
): AnchorShipper | undefined {
  if (!anchorCommand) return undefined;
  return new AnchorShipper({
    command: anchorCommand,
    everyMs: anchorEveryMs,
    anchor: () => chain.anchor(systemClock.wall()),
    last: () => chain.last,
    clock: systemClock,
    log,
  });
}
