import { beforeEach, expect, test } from 'vitest';
import type { ClaudeRun } from '../../../../src/bridge/claude/claude-run.ts';
import { noRule } from '../../../support/rulings.ts';
import { bareRun } from '../bare-run.ts';
import { Title } from './title.ts';

const working = '◐ Claude Code';
const idle = '✳ Claude Code';

let terminal: Title;
let run: ClaudeRun;
beforeEach(() => {
  terminal = new Title();
  run = bareRun({ terminal, judge: () => noRule });
  terminal.draw(idle);
});

test('a turn worked when work was drawn since it began', () => {
  run.taken('t1');
  expect(run.worked).toBe(false);
  terminal.draw(working);
  expect(run.worked).toBe(true);
});

test('or before its hook came', () => {
  terminal.draw(working);
  run.taken('t1');
  expect(run.worked).toBe(true);
});

test('work that is still drawn is that of the turn before', () => {
  run.taken('t1');
  terminal.draw(working);
  run.turnIdle(false);
  run.taken('t2');
  expect(run.worked).toBe(false);
  terminal.draw(working);
  expect(run.worked).toBe(false);
  terminal.draw(idle);
  terminal.draw(working);
  expect(run.worked).toBe(true);
});
