import { expect, test } from 'vitest';
import type { Fact } from '../../crash/history/entry.ts';
import { ledgerFaults } from './ledger-faults.ts';

const mark = 'Q-1-Z';
const sent: Fact = { is: 'sent', mark, session: 's', text: mark, expects: [`${mark} says 1.`], last: false };
const ended = (text: string): Fact => ({ is: 'ended', mark, text });
const answer = ended(`${mark} says 1.`);

const faults = (facts: Fact[], given: string[], returns: Parameters<typeof ledgerFaults>[2] = []) =>
  ledgerFaults(
    facts.map((fact) => ({ ...fact, wall: 0 })),
    given,
    returns,
  ).map((words) => words.replace(/:.*/, ''));

test('what was answered or ended in words, and was given once at most, is well', () => {
  expect(faults([sent, answer], [`a ${mark}`, 'Q-11-Z'])).toEqual([]);
  expect(faults([sent, ended('⚠️ The machine is gone.')], [])).toEqual([]);
  // Others have read it meanwhile.
  expect(faults([sent, ended('')], [mark], [{ mark, before: 1, after: 1 }])).toEqual([]);
  expect(faults([sent, { is: 'broken', mark }, sent, ended('')], [mark])).toEqual([]);
});

test('a message is given twice, also when two machines did', () => {
  expect(faults([sent, answer], [mark, `${mark}\n\nQ-2-Z`])).toEqual(['given twice']);
});

test('a message is lost that Claude got only when it was said again', () => {
  expect(faults([sent, answer], [mark], [{ mark, before: 0, after: 1 }])).toEqual(['lost']);
});

test('an answer never came to its end, or not to that of its lines', () => {
  expect(faults([sent, { is: 'gave-up', mark }], [])).toEqual(['unended']);
  expect(faults([sent, ended('')], [mark])).toEqual(['unended']);
  expect(faults([sent, ended('and so')], [mark])).toEqual(['cut']);
});
