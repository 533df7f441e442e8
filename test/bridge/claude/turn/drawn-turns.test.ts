// What the terminal of Claude Code adds to what its hooks tell, and a bridge that comes later.
import { expect, test } from 'vitest';
import type { TerminalExit } from '../../../../src/bridge/claude/terminal-port.ts';
import type { AgentReport } from '../../../../src/domain/commands.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { bareRun } from '../bare-run.ts';
import { HookedRun, outcome } from '../hooked-run.ts';
import { Title } from '../screen/title.ts';

const working = '◐ Claude Code';
const idle = '✳ Claude Code';
const box = () => ['─'.repeat(20), '❯ ', '─'.repeat(20)];

test('it is idle when its turn is over, not when only the screen looks like it', () => {
  const claude = new HookedRun();
  claude.working();
  claude.terminal.rows = box;
  claude.terminal.draw(idle);
  expect(claude.run.idle).toBe(false);
  claude.stop('');
  expect(claude.run.idle).toBe(true);
});

test('work that is drawn behind a turn is not that of the next one', () => {
  const claude = new HookedRun();
  claude.working();
  claude.terminal.draw(working);
  expect(claude.run.worked).toBe(true);
  claude.clock.advance(5_000);
  claude.stop('');
  claude.working('next', 'and then?', 'q');
  claude.terminal.draw(working);
  expect([claude.run.worked, claude.run.takenAt]).toEqual([false, 5_000]);
});

test('work of agents is none of the turn', () => {
  const claude = new HookedRun();
  claude.working();
  claude.hook('SubagentStart', { agent_id: 'a1' });
  claude.stop('', { background_tasks: [{ id: 'a1', type: 'subagent' }] });
  claude.terminal.draw(idle);
  claude.terminal.draw(working);
  claude.working('next', 'and then?', 'q');
  expect(claude.run.worked).toBe(false);
});

/** A turn that rests, and a bridge that comes later: of the one before nothing is left but its core. */
function later(terminal = new Title()) {
  const { core, ...before } = new HookedRun();
  before.expect('t', 'hi');
  core.dispatch({ type: 'prompt.taken', turn: 't', prompt: 'p' });
  core.dispatch({ type: 'turn.rest', prompt: 'p', last: 'lost' });
  const clock = new ManualClock();
  const known = { heard: 9, joining: [], asks: [], dialogs: [], askedBefore: [], calls: [], results: [] };
  const report = (each: AgentReport) => void core.dispatch(each);
  bareRun({ clock, terminal, known, session: () => core.session(), report });
  return { clock, ended: () => core.session().turns.map(outcome) };
}

test('a turn that rests is over although its bridge was started anew', () => {
  const { clock, ended } = later();
  expect(ended()).toEqual([['running', '']]);
  clock.advance(300);
  expect(ended()).toEqual([['completed', 'lost']]);
});

test('a turn that rests is complete when Claude Code ends', () => {
  const terminal = new Title();
  let exits = (_: TerminalExit): void => {};
  terminal.onExit = (listener) => {
    exits = listener;
    return () => {};
  };
  const { ended } = later(terminal);
  exits({ code: 0, signal: 0 });
  expect(ended()).toEqual([['completed', 'lost']]);
});
