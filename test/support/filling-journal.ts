import { MemoryJournal } from '../../src/bridge/journal/memory-journal.ts';

/** A journal whose disk can be full, or slow. */
export class FillingJournal extends MemoryJournal {
  full = false;
  /** Nothing is durable before it resolves. */
  written: Promise<void> = Promise.resolve();

  override durable(seq: number): Promise<void> {
    return this.written.then(() => super.durable(seq));
  }

  override async kept(seq: number): Promise<boolean> {
    return !this.full && super.kept(seq);
  }
}
