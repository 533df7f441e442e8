// Hooks in the order of their arrival, until an owner has written them down, and what became of the request of each.
import type { HookKind, HookState } from '../../protocol/wire/host.ts';
import type { Send } from '../program/program.ts';

/** What is kept of all hooks, bytes; and what one of them costs beside its body. */
const mostKept = 64 * 1024 * 1024;
const entryBytes = 512;

const nothing = Buffer.from('{}');

export interface Hook {
  event: string;
  kind: HookKind;
  body: Buffer;
  /** Hands a body to whoever sent the hook. Called once at most; `HookSpool.written` or `gone` comes of it. */
  respond(body: Buffer): void;
}

interface Entry extends Omit<Hook, 'respond'> {
  n: number;
  state: HookState;
  /** Until there is an answer, and its state says that it is `open`. */
  respond: ((body: Buffer) => void) | undefined;
  done: boolean;
}

export class HookSpool {
  /** In order of their numbers. */
  readonly #entries = new Map<number, Entry>();
  readonly #most: number;
  #newest = 0;
  /** Everything up to this number is on an owner's disk. */
  #acked = 0;
  #bytes = 0;
  #lost = 0;
  /** An owner that wants them. */
  #send: Send | undefined;

  /** @param most bytes */
  constructor(most: number = mostKept) {
    this.#most = most;
  }

  /** Hooks that were refused because too much was kept. */
  get lost(): number {
    return this.#lost;
  }

  /** Nothing can be kept any more. */
  get full(): boolean {
    return this.#bytes >= this.#most;
  }

  /** Takes room for a part of a body that is being read. @returns false when there is none: the hook is to be refused */
  reserve(bytes: number): boolean {
    if (this.#bytes + bytes > this.#most) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Gives room back, of a hook that does not come after all. */
  release(bytes: number): void {
    this.#bytes -= bytes;
  }

  refused(): void {
    this.#lost += 1;
  }

  /** Keeps a hook whose body has its room already. @returns its number */
  add({ event, kind, body, respond }: Hook): number {
    this.#newest += 1;
    const n = this.#newest;
    const isOpen = kind === 'hold' || (kind === 'ask' && this.#send !== undefined);
    const state = isOpen ? 'open' : 'alone';
    this.#bytes += entryBytes;
    this.#entries.set(n, { n, event, kind, body, state, respond: isOpen ? respond : undefined, done: false });
    this.#send?.({ type: 'hook', n, event, kind, state }, body);
    if (!isOpen) respond(nothing);
    return n;
  }

  /** The owner's answer. Of a hook that is not open, or has one already, nothing comes. */
  answer(n: number, body: Buffer): void {
    const entry = this.#entries.get(n);
    const respond = entry?.respond;
    if (!entry || !respond) return;
    entry.respond = undefined;
    respond(body);
  }

  /** The answer was handed to the system. */
  written(n: number): void {
    this.#close(this.#entries.get(n), 'written');
  }

  /** Whoever sent it hung up. */
  gone(n: number): void {
    this.#close(this.#entries.get(n), 'gone');
  }

  /** What hooks up to `through` said is on disk. */
  ack(through: number): void {
    // Beyond the newest it would be said of hooks that nobody has seen.
    this.#acked = Math.max(this.#acked, Math.min(through, this.#newest));
    for (const entry of this.#entries.values()) {
      if (entry.n > this.#acked) break;
      this.#dropIfOver(entry);
    }
  }

  /** What became of its request is on disk, too. */
  done(n: number): void {
    const entry = this.#entries.get(n);
    if (!entry) return;
    entry.done = true;
    this.#dropIfOver(entry);
  }

  /** Sends every hook that is kept, and from now on each that comes, and what becomes of it. */
  attach(send: Send): void {
    for (const { n, event, kind, state, body } of this.#entries.values()) {
      send({ type: 'hook', n, event, kind, state }, body);
    }
    this.#send = send;
  }

  /** The owner is gone: nobody will answer what was asked of it. */
  detach(): void {
    this.#send = undefined;
    for (const entry of this.#entries.values()) {
      const { kind, respond } = entry;
      if (kind !== 'ask' || !respond) continue;
      entry.respond = undefined;
      this.#close(entry, 'alone');
      respond(nothing);
    }
  }

  #close(entry: Entry | undefined, state: Exclude<HookState, 'open'>): void {
    if (entry?.state !== 'open') return;
    entry.state = state;
    entry.respond = undefined;
    this.#send?.({ type: 'closed', hook: entry.n, state });
    this.#dropIfOver(entry);
  }

  #dropIfOver({ n, kind, state, done, body }: Entry): void {
    // One that is open keeps what its answer has to find.
    if (n > this.#acked || state === 'open' || !(kind === 'tell' || done)) return;
    this.#entries.delete(n);
    this.#bytes -= body.length + entryBytes;
  }
}
