import { expect, test } from 'vitest';
import { failureOf } from '../../src/domain/words/failed-start.ts';
import { SmallCore } from '../support/small-core.ts';

test('a dialog at the start that is asked is answered by its question, and in the terminal otherwise', () => {
  const core = new SmallCore();
  core.hand('t', 'hi');
  const remedy = () => failureOf(core.session())?.remedy;
  core.dispatch({ type: 'agent.starting', run: 'r1' });
  core.dispatch({
    type: 'agent.dialog',
    dialog: 'unknown',
    screen: '',
    failure: 'start_dialog',
    asked: true,
  });
  expect(remedy()).toContain('synthesis attach');
  const input = { dialog: 'd', words: 'Well?', options: ['Yes'] };
  const ask = {
    type: 'permission.ask',
    code: 'abcde',
    tool: 'Claude Code dialog',
    input,
    expires_at: 1,
  } as const;
  core.dispatch(ask);
  expect(remedy()).toContain('synthesis approvals');
  core.dispatch({ type: 'permission.expire', code: 'abcde' });
  expect(remedy()).toContain('synthesis attach');
});
