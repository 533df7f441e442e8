// The operator's screen where most operators have it: in tmux.
import { test } from 'vitest';
import { takeTour } from '../e2e/support/tour.ts';
import { Tmux } from '../support/tmux.ts';

test.each([
  [80, 24],
  [200, 50],
])('in tmux at %i×%i an operator watches three sessions, answers, looks, writes, and leaves', (cols, rows) =>
  takeTour(Tmux, cols, rows),
);
