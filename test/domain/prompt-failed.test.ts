// A message that could not be handed over.
import { beforeEach, expect, test } from 'vitest';
import type { AgentReport } from '../../src/domain/commands.ts';
import { findTurn } from '../../src/domain/state/session.ts';
import { SmallCore } from '../support/small-core.ts';

let core: SmallCore;
beforeEach(() => {
  core = new SmallCore();
  core.submit('t', 'hi');
});

const phase = (turn = 't') => findTurn(core.session(), turn)?.phase;
const fails = (retry: boolean, turn = 't'): AgentReport => ({
  type: 'prompt.failed',
  turn,
  code: 'delivery_failed',
  detail: 'x',
  retry,
});
const failed = { name: 'settled', outcome: 'failed', code: 'delivery_failed', detail: 'x' };

test('is tried once more if Claude certainly has not seen it, and then given up', () => {
  core.dispatch(fails(true));
  expect(phase()).toEqual({ name: 'delivering', attempt: 2 });
  core.dispatch(fails(true));
  expect(phase()).toEqual(failed);
});

test('is given up at once if Claude may have seen it', () => {
  core.dispatch(fails(false));
  expect(phase()).toEqual(failed);
});

test('fails, too, when Claude has begun with it', () => {
  core.dispatch({ type: 'prompt.taken', turn: 't', prompt: 'p' });
  core.dispatch(fails(true));
  expect(phase()).toMatchObject(failed);
});

test('was cancelled, if somebody did that', () => {
  core.dispatch({ type: 'turn.cancel', turn: 't', by: 'alice' });
  core.dispatch(fails(true));
  expect(phase()).toMatchObject({ outcome: 'cancelled', detail: 'alice' });
});

test('is another one than that which waits', () => {
  core.submit('next', 'and then?');
  core.dispatch(fails(false, 'next'));
  expect([phase()?.name, phase('next')?.name, core.refused.length]).toEqual(['delivering', 'queued', 1]);
  core.dispatch(fails(false));
  expect(phase('next')).toEqual({ name: 'delivering', attempt: 1 });
});
