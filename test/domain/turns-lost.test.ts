// How turns end that nobody completes, and what is said of a call that nobody knows.
import { expect, test } from 'vitest';
import { findTurn } from '../../src/domain/state/session.ts';
import { SmallCore } from '../support/small-core.ts';

const started = (): SmallCore => {
  const core = new SmallCore();
  core.hand('t', 'hi');
  core.dispatch({ type: 'agent.starting', run: 'r1' });
  core.dispatch({ type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] });
  return core;
};
const phase = (core: SmallCore) => findTurn(core.session(), 't')?.phase;

test('one that is interrupted before a word was said is cancelled, and no empty answer', () => {
  const core = started();
  core.dispatch({ type: 'prompt.taken', turn: 't', prompt: 'p' });
  core.dispatch({ type: 'turn.cancel', turn: 't', by: 'alice' });
  core.dispatch({ type: 'turn.idle', interrupted: true });
  expect(phase(core)).toEqual(expect.objectContaining({ outcome: 'cancelled', detail: 'alice' }));
  expect(phase(core)).not.toHaveProperty('code');
});

test('after a restart a message that Claude cannot have seen is handed over again, unless it was taken back', () => {
  const core = started();
  core.dispatch({ type: 'session.recover' });
  expect(phase(core)).toMatchObject({ name: 'delivering', attempt: 2 });
  const cancelled = started();
  cancelled.dispatch({ type: 'turn.cancel', turn: 't', by: 'alice' });
  cancelled.dispatch({ type: 'session.recover' });
  expect(phase(cancelled)).toMatchObject({ outcome: 'cancelled', detail: 'alice' });
});

test('one that a panic has stopped ends as stopped by it, and not by the restart behind it', () => {
  const core = started();
  core.dispatch({ type: 'prompt.taken', turn: 't', prompt: 'p' });
  core.happened([{ type: 'turn.cancelling', turn: 't', by: 'panic', panic: 7 }], 'k');
  core.dispatch({ type: 'session.recover' });
  expect(phase(core)).toMatchObject({ outcome: 'cancelled', code: 'panic' });
});

test('of a call that nobody knows neither progress nor an answer is kept', () => {
  const core = started();
  expect(core.dispatch({ type: 'tool.progress', call: 'x', text: 'half' })).toEqual([]);
  expect(core.dispatch({ type: 'tool.answer', call: 'x', ok: true, content: 'all' })).toEqual([]);
  expect(core.refused.map(({ rejection }) => rejection.code)).toEqual(['unknown_call', 'unknown_call']);
});
