import { expect, test } from 'vitest';
import { deliverTyped } from '../../../../src/bridge/claude/delivery/deliver-typed.ts';
import { typePlan } from '../../../../src/bridge/claude/delivery/typist.ts';
import { watchHooks } from '../../../../src/bridge/claude/delivery/unheard-watch.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { bareRun } from '../bare-run.ts';
import { WatchedRun } from '../watched-run.ts';
import { TypedBox } from './typed-box.ts';

const rule = '─'.repeat(20);
const box = [rule, '❯ ', rule];
const off = 'disableAllHooks in /home/alice/.claude/settings.json';

class Heard extends WatchedRun {
  constructor() {
    super();
    this.terminal.rows = () => box;
    this.terminal.draw('✳');
    void watchHooks(this.run, this.tell);
  }
}

test('a turn whose hooks are switched off ends in words that name the setting', async () => {
  const watched = new Heard();
  watched.working();
  watched.hooksOff = off;
  watched.hook('ConfigChange');
  await watched.pass(1000);
  expect(watched.turn('t').phase).toMatchObject({ outcome: 'failed', code: 'hooks_off', detail: off });
  expect(watched.health.get('hooks_off')).toContain(off);
});

test('another change of the settings ends nothing', async () => {
  const watched = new Heard();
  watched.working();
  watched.hook('ConfigChange');
  await watched.pass(10_000);
  expect([watched.ending(), watched.health.size]).toEqual(['running', 0]);
});

test('an answer that was on its way when they are switched off is one', async () => {
  const watched = new Heard();
  watched.working();
  watched.hooksOff = off;
  watched.hook('ConfigChange');
  await watched.pass(100);
  watched.say('done');
  watched.stop('done');
  await watched.pass(1000);
  expect(watched.ending()).toBe('completed');
});

test('hooks that are on again are noticed although no hook says so', async () => {
  const watched = new Heard();
  watched.hooksOff = off;
  watched.hook('ConfigChange');
  await watched.pass(5000);
  expect(watched.run.hooksOff).toBe(off);
  watched.hooksOff = undefined;
  await watched.pass(10_000);
  expect([watched.run.hooksOff, watched.health.size]).toEqual([undefined, 0]);
});

test('a turn that worked, and of which not one hook came, was not silent', () => {
  const watched = new Heard();
  watched.expect('t', 'hi');
  watched.run.taken('t');
  watched.run.worked = true;
  watched.run.turnIdle(false);
  expect(watched.ending()).toBe('hooks_off');
});

test('a message that was entered, and that no hook tells because of the settings, fails with their words', async () => {
  const [terminal, clock] = [new TypedBox(), new ManualClock()];
  const run = bareRun({ terminal, clock, hooksOff: async () => off });
  terminal.shows('');
  terminal.onSubmit = () => terminal.shows('');
  const done = deliverTyped(run, { turn: 't1', cancelled: false, sent: false }, typePlan('apple', 'alice'));
  for (let ms = 0; ms < 9_000; ms += 100) {
    await new Promise(setImmediate);
    clock.advance(100);
  }
  expect(await done).toEqual({ kind: 'failed', detail: off, seen: true, code: 'hooks_off' });
});
