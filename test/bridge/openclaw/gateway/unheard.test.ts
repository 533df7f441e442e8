import { expect, test } from 'vitest';
import { unheardMs } from '../../../../src/bridge/openclaw/gateway/out-of-turn.ts';
import { findTurn } from '../../../../src/domain/state/session.ts';
import { SmallCore } from '../../../support/small-core.ts';

test('the answer to a message that had to wait is sent soon: no repeat of its request fetches it', () => {
  const core = new SmallCore();
  const patience = (turn: string) => {
    core.submit(turn, 'hi');
    if (turn === 'held') {
      core.dispatch({ type: 'prompt.held', turn, code: 'hooks_off', detail: 'x' });
      core.dispatch({ type: 'agent.open' });
    }
    core.dispatch({ type: 'prompt.taken', turn, prompt: `p-${turn}` });
    core.dispatch({ type: 'turn.rest', prompt: `p-${turn}` });
    const ended = findTurn(core.session(), turn);
    return ended && unheardMs(core.session(), ended);
  };
  expect(['usual', 'held'].map(patience)).toEqual([120_000, 3_000]);
});
