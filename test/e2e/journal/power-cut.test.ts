// The power goes at any moment: of what was written since a file's last sync, each sector may be on the disk or not. What
// was called durable is there all the same, and nothing looks damaged.
import fs, { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import { delta, queued } from '../../bridge/journal/sample-events.ts';
import { tempDir } from '../../bridge/journal/temp-dir.ts';
import { seeded } from '../../support/seeded.ts';

/** What a disk writes as a whole. */
const sector = 512;

type Sync = (fd: number, done: (error: Error | null) => void) => void;

const { fdatasync } = fs;
let around: (fd: number, sync: () => Promise<void>) => Promise<void> = (_fd, sync) => sync();
const watched: Sync = (fd, done) => {
  const sync = () =>
    new Promise<void>((resolve, reject) => {
      fdatasync(fd, (error) => (error ? reject(error) : resolve()));
    });
  around(fd, sync).then(() => done(null), done);
};
Object.assign(fs, { fdatasync: watched });
syncBuiltinESMExports();
afterAll(() => {
  Object.assign(fs, { fdatasync });
  syncBuiltinESMExports();
  vi.resetModules();
});
// It takes the function as it finds it, once: so not before, and not as another test may have loaded it.
vi.resetModules();
const { openJournal } = await import('../../../src/bridge/journal/start/open-journal.ts');

const contentOf = (dir: string): Map<string, Buffer> =>
  new Map(
    readdirSync(dir)
      .filter((name) => name.startsWith('journal.') || name === 'audit.key')
      .map((name) => [name, readFileSync(join(dir, name))]),
  );

/** What may be on the disk of a file, of which `synced` certainly was, and `current` is written. */
function afterCut(synced: Buffer, current: Buffer, random: () => number): Buffer {
  const isNew = random() < 0.5;
  const image = Buffer.alloc((isNew ? current : synced).length);
  const luck = random();
  for (let at = 0; at < image.length; at += sector) {
    // What was cut off has no content of its own.
    const from = random() < luck && (at < current.length || isNew) ? current : synced;
    if (at < from.length) from.copy(image, at, at, Math.min(at + sector, image.length));
  }
  return image;
}

class Machine {
  readonly #dir: string;
  readonly #random: () => number;
  #synced: Map<string, Buffer>;
  /** Every head that was written: it is never synced. */
  readonly #heads: Buffer[] = [];
  /** By seq, from 1. */
  readonly said: SessionEvent[] = [];
  acked = 0;
  cuts = 0;
  renewals = 0;
  /** Syncs to come that are about the log that begins anew. */
  #delicate = 0;

  constructor(dir: string, random: () => number) {
    this.#dir = dir;
    this.#random = random;
    this.#synced = contentOf(dir);
  }

  async sync(fd: number, sync: () => Promise<void>): Promise<void> {
    const { ino } = fs.fstatSync(fd);
    const name = readdirSync(this.#dir).find((each) => fs.statSync(join(this.#dir, each)).ino === ino);
    if (name === undefined) return sync();
    const content = readFileSync(join(this.#dir, name));
    if (name === 'journal.db') {
      this.renewals += 1;
      this.#delicate = 4;
    }
    const cuts = this.#delicate > 0 ? 3 : this.#random() < 0.05 ? 1 : 0;
    this.#delicate -= 1;
    for (let n = 0; n < cuts; n += 1) await this.cut();
    await sync();
    this.#synced.set(name, content);
  }

  /** The power goes, and comes back on a copy of the disk. */
  async cut(): Promise<void> {
    this.cuts += 1;
    const copy = tempDir();
    mkdirSync(copy, { recursive: true });
    const current = contentOf(this.#dir);
    this.#heads.push(current.get('journal.head') ?? Buffer.alloc(0));
    for (const [name, bytes] of current) {
      const synced = this.#synced.get(name) ?? Buffer.alloc(0);
      writeFileSync(join(copy, name), afterCut(synced, bytes, this.#random), { mode: 0o600 });
    }
    const head = this.#heads[Math.floor(this.#random() * this.#heads.length)];
    writeFileSync(join(copy, 'journal.head'), head ?? '');
    const { acked } = this;
    const { journal, recovered, doubt } = openJournal({ dir: copy });
    expect([this.cuts, recovered, doubt]).toEqual([this.cuts, undefined, undefined]);
    expect(journal.last).toBeGreaterThanOrEqual(acked);
    expect([...journal.read(0, acked)].map(({ event }) => event)).toEqual(this.said.slice(0, acked));
    await journal.close();
  }
}

test.each([1, 2, 3, 4])(
  'what was durable survives a power cut at any moment (%i)',
  async (seed) => {
    const dir = tempDir();
    const random = seeded(seed);
    const { journal, store } = openJournal({ dir });
    const machine = new Machine(dir, random);
    around = (fd, sync) => machine.sync(fd, sync);
    for (let n = 0; n < 300 && machine.renewals < 3; n += 1) {
      const length = Math.floor(random() * 60_000);
      const events = [queued(`${journal.last} ${'x'.repeat(length)}`), delta('y')];
      machine.said.push(...events);
      journal.append('s', events);
      const seq = journal.last;
      await journal.durable(seq);
      machine.acked = seq;
      // The whole database is written anew.
      if (random() < 0.05) await journal.between(() => store.scrub());
    }
    around = (_fd, sync) => sync();
    await journal.close();
    expect(machine.renewals).toBe(3);
    expect(machine.cuts).toBeGreaterThan(15);
  },
  60_000,
);
