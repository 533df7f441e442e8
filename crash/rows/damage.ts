import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row as JournalRow } from '../history/evidence.ts';
import { rowsOnDisk } from '../history/evidence.ts';
import type { Scene } from '../play/scene.ts';
import type { Row } from '../row.ts';

const files = ['journal.db', 'journal.db-wal', 'journal.head'];

/** Empty: what is not there cannot be damaged. */
const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Flips a bit, cuts the end off, or leaves nothing of one file. @returns what was done, in words */
function damage(stateDir: string, random: () => number): string {
  const there = files.filter((name) => sizeOf(join(stateDir, name)) > 0);
  const name = there[Math.floor(random() * there.length)] ?? 'journal.db';
  const path = join(stateDir, name);
  const offset = Math.floor(random() * sizeOf(path));
  const kind = random();
  if (kind < 0.15) {
    truncateSync(path, 0);
    return `${name} was emptied`;
  }
  if (kind < 0.4) {
    truncateSync(path, offset);
    return `${name} was cut to ${offset} bytes`;
  }
  const bytes = readFileSync(path);
  bytes[offset] = (bytes[offset] ?? 0) ^ (1 << Math.floor(random() * 8));
  writeFileSync(path, bytes);
  return `a bit of byte ${offset} of ${name} was flipped`;
}

const same = (one: JournalRow, other: JournalRow | undefined) =>
  JSON.stringify(one) === JSON.stringify(other);

/** How far the bridge had got as it says itself: rows behind were on the disk before they were acknowledged. */
function acknowledged(stateDir: string): number {
  const [, seq] = /^sj \d{3} (\d{16}) /.exec(readFileSync(join(stateDir, 'journal.head'), 'latin1')) ?? [];
  return Number(seq);
}

interface Before {
  rows: readonly JournalRow[];
  acknowledged: number;
}

/**
 * What is in use afterwards is a beginning of what was there, and the start said how much of it is gone.
 * @returns how many rows were kept
 */
function compare({ house, history }: Scene, what: string, before: Before): number {
  const after = rowsOnDisk(house.home.state);
  const differs = before.rows.findIndex((row, at) => !same(row, after[at]));
  const kept = differs < 0 ? before.rows.length : differs;
  const notices = ((house.bridge.announced?.notices as string[] | undefined) ?? []).join('\n');
  const told = /(\d+) rows were kept, (\d+) rows? (?:is|are) gone/.exec(notices);
  // A commit that the kill cut short may count, or not.
  const least = Math.max(0, before.acknowledged - kept);
  const lost = Number(told?.[2] ?? 0);
  const right = (!told || Number(told[1]) === kept) && lost >= least && lost <= before.rows.length - kept;
  const words = `${what}: ${kept} of ${before.rows.length} rows are there, ${before.acknowledged} were acknowledged, it said: ${notices}`;
  history.claim('the start tells how many rows are gone', right, words);
  return kept;
}

export const damageRow: Row = {
  name: 'damage',
  does: 'kills or ends the bridge, then flips a bit of journal.db, -wal or .head at any place, cuts one off, or empties it',
  holds: 'it starts with a beginning of what was there, says how many rows are gone, and goes on',
  short: 1,
  async play(scene) {
    const { house, history, random } = scene;
    // The end of a trail that was damaged cannot be proven any more, and `audit verify` says so.
    scene.proven = false;
    await house.up();
    const talker = scene.talker();
    while (scene.goesOn) {
      for (const session of ['one', 'two']) await talker.say(scene.message(session, random, false));
      if (random() < 0.3) await house.down();
      else await house.bridge.kill();
      const { state } = house.home;
      const before = { rows: rowsOnDisk(state), acknowledged: acknowledged(state) };
      const what = damage(state, random);
      scene.struck(what);
      await house.up();
      const kept = compare(scene, what, before);
      history.write({ is: 'told-gone', marks: marksOf(before.rows.slice(kept), before.rows) });
    }
  },
};

/** Whose turn lost a row: what the bridge cannot know any more it may do again. */
function marksOf(gone: readonly JournalRow[], all: readonly JournalRow[]): string[] {
  const turns = new Set<unknown>(gone.flatMap(({ event }) => event.turn ?? []));
  return all.flatMap(({ event }) =>
    event.type === 'turn.queued' && turns.has(event.turn) ? (/Q-\d+-Z/.exec(String(event.text)) ?? []) : [],
  );
}
