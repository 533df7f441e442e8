// The program that knows what notes mean, from outside: what becomes of a question when it dies or says nothing.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { VaultSettings } from '../../../src/protocol/settings/vault.ts';
import { MeaningChild } from '../../../src/vault/meaning/meaning-child.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { tempFolder } from '../temp-vault.ts';

/** @param source of a program that stands in its place: native code dies as it likes */
function child(source: string) {
  const dir = tempFolder();
  const program = join(dir, 'program.mjs');
  writeFileSync(program, source);
  const clock = new ManualClock();
  const settings = VaultSettings.parse({ path: dir, embeddings: 'builtin' });
  const order = { settings, stateDir: dir, dir, vectors: dir, stays: true };
  const meaning = new MeaningChild({ clock, program, order, printed: () => {} });
  onTestFinished(() => meaning.close());
  return { meaning, clock };
}

const dies = `process.on('message', () => process.kill(process.pid, 'SIGKILL'));`;
const silent = `process.on('message', () => {});`;
const slow = `process.on('message', ({ id }) => {
    const answer = { kind: 'building', done: 1, total: 9 };
    setTimeout(() => process.send({ type: 'answer', id, answer }), 100);
  });`;

test('one that dies is an answer, and is left alone for a while', async () => {
  const { meaning, clock } = child(dies);
  const crashed = { kind: 'fault', fault: { reason: 'crashed' } };
  expect(await meaning.ask('words', 3, 1_000)).toMatchObject(crashed);
  const making = meaning.follow();
  expect(await making).toMatchObject(crashed);
  expect(clock.timers).toBe(0);
  expect(meaning.fault?.reason).toBe('crashed');
  clock.advance(60_000);
  const again = meaning.ask('words', 3, 1_000);
  // A new one was started, and the question waits for it.
  expect(clock.timers).toBe(1);
  expect(await again).toMatchObject(crashed);
});

test('one that says nothing is not waited for, nor asked again', async () => {
  const { meaning, clock } = child(silent);
  const asked = meaning.ask('words', 3, 1_700);
  clock.advance(1_700);
  expect(await asked).toMatchObject({ kind: 'fault', fault: { reason: 'slow' } });
  expect(await meaning.ask('more words', 3, 1_700)).toMatchObject({ fault: { reason: 'slow' } });
});

test('one that has hung for long is ended, and another one started for the next question', async () => {
  const { meaning, clock } = child(silent);
  const asked = meaning.ask('words', 3, 1_700);
  clock.advance(1_700);
  await asked;
  clock.advance(90_000);
  expect(clock.timers).toBe(0);
  const again = meaning.ask('words', 3, 1_700);
  expect(clock.timers).toBe(1);
  clock.advance(1_700);
  expect(await again).toMatchObject({ fault: { reason: 'slow' } });
});

test('what comes late counts from then on', async () => {
  const { meaning, clock } = child(slow);
  const asked = meaning.ask('words', 3, 1_700);
  clock.advance(1_700);
  await asked;
  await expect.poll(() => meaning.progress).toEqual({ done: 1, total: 9 });
  expect(meaning.fault).toBeUndefined();
  expect(await meaning.ask('more words', 3, 1_700)).toMatchObject({ kind: 'building', total: 9 });
});

test('one that makes vectors and gives no sign of life is ended', async () => {
  const { meaning, clock } = child(silent);
  const making = meaning.follow();
  expect(meaning.isMaking).toBe(true);
  clock.advance(180_000);
  expect(await making).toMatchObject({ fault: { reason: 'slow' } });
  expect(meaning.isMaking).toBe(false);
});

test('one that is closed answers whoever waits', async () => {
  const { meaning, clock } = child(silent);
  const asked = meaning.ask('words', 3, 1_700);
  const making = meaning.follow();
  meaning.close();
  expect(await asked).toMatchObject({ kind: 'fault' });
  expect(await making).toMatchObject({ kind: 'fault' });
  expect(await meaning.follow()).toMatchObject({ kind: 'fault' });
  expect(clock.timers).toBe(0);
});
