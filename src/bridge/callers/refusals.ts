// Calls that were refused because of who made them: kept as rows, shown to the operator, and too many from one session end
// its Claude Code.
import type { Clock } from '../../base/time/clock.ts';
import type { Caller } from '../../domain/caller/caller.ts';
import type { Health } from '../../protocol/events/events.ts';

export interface Refusal {
  caller: Caller;
  /** What was called: a method of the control socket, or a path of the port. */
  method: string;
  /** Nothing would have changed by it. */
  isLook: boolean;
}

export interface RefusalsOptions {
  clock: Clock;
  /** Key of the session that has this folder. */
  keyOf(folder: string): string | undefined;
  record(refusal: Refusal & { key: string | undefined }): void;
  /** Ends the Claude Code of a session. */
  stop(key: string, reason: string): void;
}

const windowMs = 60_000;
/** Of one session within a minute: its Claude Code is ended with the last of them. */
const maxOfSession = 5;
/** Rows of all within a minute; what comes beyond is counted and shown. */
const maxRows = 30;
/** How long the operator is shown it. */
const shownMs = 24 * 60 * 60_000;

export class Refusals {
  readonly #options: RefusalsOptions;
  /** Times, oldest first: of all, and of each session. */
  #all: number[] = [];
  readonly #bySession = new Map<string, number[]>();
  #shown: { count: number; until: number; words: string } | undefined;

  constructor(options: RefusalsOptions) {
    this.#options = options;
  }

  add({ caller, method, isLook }: Refusal): void {
    const { clock, keyOf, record, stop } = this.#options;
    const now = clock.now();
    const key = caller.session === undefined ? undefined : keyOf(caller.session);
    this.#all = within(this.#all, now);
    if (this.#all.length < maxRows) {
      this.#all.push(now);
      record({ caller, method, isLook, key });
    }
    if (caller.kind === 'claude') this.#show(now, key, method);
    if (key === undefined || isLook) return;
    const times = [...within(this.#bySession.get(key) ?? [], now), now];
    this.#bySession.set(key, times);
    if (times.length < maxOfSession) return;
    this.#bySession.delete(key);
    stop(
      key,
      `what it started has tried ${maxOfSession} times within a minute to decide or to write in the place of a person (${method})`,
    );
  }

  /** What the operator has to see. */
  get health(): Health[] {
    if (!this.#shown || this.#options.clock.now() > this.#shown.until) return [];
    const { count, words } = this.#shown;
    const times = count === 1 ? 'once' : `${count} times`;
    return [{ code: 'caller_refused', words: `${words} It was refused (${times}).` }];
  }

  #show(now: number, key: string | undefined, method: string): void {
    const where = key === undefined ? '' : ` in ${key}`;
    const words = `Something that Claude Code started${where} has called the bridge: ${method}.`;
    this.#shown = { count: (this.#shown?.count ?? 0) + 1, until: now + shownMs, words };
  }
}

const within = (times: readonly number[], now: number): number[] =>
  times.filter((each) => now - each < windowMs);
