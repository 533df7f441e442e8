// A dialog that opens in the very moment of the key that sends: it has the key, and the text stands in the box behind it.
import { beforeEach, expect, test } from 'vitest';
import type { ClaudeRun } from '../../../../src/bridge/claude/claude-run.ts';
import { type Delivered, deliverTyped } from '../../../../src/bridge/claude/delivery/deliver-typed.ts';
import { typePlan } from '../../../../src/bridge/claude/delivery/typist.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { bareRun } from '../bare-run.ts';
import { submitKey } from '../usual-keys.ts';
import { TypedBox } from './typed-box.ts';

const rule = '─'.repeat(20);
const dialog = { id: 'd', words: 'Make auto mode your default?', options: [] };

let terminal: TypedBox;
let clock: ManualClock;
let run: ClaudeRun;
let box: TypedBox['rows'];
beforeEach(() => {
  terminal = new TypedBox();
  clock = new ManualClock();
  run = bareRun({ terminal, clock });
  box = terminal.rows;
  terminal.shows('');
  terminal.onSubmit = opens;
});

function opens(): void {
  terminal.rows = () => [rule, dialog.words, '❯ Yes', '  No'];
  terminal.draw('✳');
}

/** @param takes what the next key that sends does */
function closes(takes = opens): void {
  terminal.onSubmit = takes;
  terminal.rows = box;
  terminal.draw('✳');
}

function taken(): void {
  run.fate = 'ours';
  terminal.shows('');
}

async function pass(ms: number): Promise<void> {
  for (let each = 0; each < ms; each += 100) {
    await new Promise(setImmediate);
    clock.advance(100);
  }
  await new Promise(setImmediate);
}

const text = () => typePlan('apple', 'alice');
const newTicket = () => ({ turn: 't1', cancelled: false, sent: false });
const submits = () => terminal.keys.filter((key) => key === submitKey).length;
const pastes = () => terminal.keys.filter((key) => key === text().keys).length;

/** It has stood there for long enough to be a question. */
async function asked(): Promise<void> {
  await pass(5000);
  run.dialogs.ask(dialog);
  run.watch.poke();
}

test('once it is answered the key is pressed again, and nothing is typed a second time', async () => {
  const delivered = deliverTyped(run, newTicket(), text());
  await asked();
  await pass(60_000);
  expect([pastes(), submits()]).toEqual([1, 1]);
  closes(taken);
  await pass(1000);
  expect(await delivered).toEqual({ kind: 'taken' });
  expect([pastes(), submits()]).toEqual([1, 2]);
});

test('another one may open in the moment of that key', async () => {
  const delivered = deliverTyped(run, newTicket(), text());
  await asked();
  closes(opens);
  run.dialogs.withdraw('it was answered');
  await pass(1000);
  expect(submits()).toBe(2);
  await asked();
  closes(taken);
  await pass(1000);
  expect(await delivered).toEqual({ kind: 'taken' });
  expect([pastes(), submits()]).toEqual([1, 3]);
});

test('a prompt of which the hook comes late is not sent again', async () => {
  const delivered = deliverTyped(run, newTicket(), text());
  await asked();
  run.fate = 'ours';
  run.watch.poke();
  await pass(1000);
  expect(await delivered).toEqual({ kind: 'taken' });
  expect(submits()).toBe(1);
});

test('it can be called off meanwhile', async () => {
  const ticket = newTicket();
  const delivered = deliverTyped(run, ticket, text());
  await asked();
  expect(ticket.sent).toBe(false);
  ticket.cancelled = true;
  run.watch.poke();
  await pass(1000);
  expect(await delivered).toEqual({ kind: 'cancelled' });
  closes(taken);
  await pass(1000);
  expect(submits()).toBe(1);
});

/** Nobody can be asked about it. */
async function held(): Promise<Delivered> {
  const delivered = deliverTyped(run, newTicket(), text());
  await pass(20_000);
  return delivered;
}

test('where nobody can be asked it is kept, and typed anew once the dialog is gone', async () => {
  expect(await held()).toMatchObject({ kind: 'held', code: 'untold_question' });
  closes(taken);
  const again = deliverTyped(run, newTicket(), text());
  await pass(5000);
  expect(await again).toEqual({ kind: 'taken' });
  expect([pastes(), submits()]).toEqual([2, 2]);
  expect(terminal.keys.some((key) => key.startsWith('\x7f'))).toBe(true);
});

test('a text that is not in the box any more may have been sent there by hand: it is not sent a second time', async () => {
  expect(await held()).toMatchObject({ kind: 'held' });
  closes(taken);
  terminal.shows('');
  const again = deliverTyped(run, newTicket(), text());
  await pass(5000);
  expect(await again).toMatchObject({ kind: 'failed', seen: true });
  expect([pastes(), submits()]).toEqual([1, 1]);
});
