import { expect, test } from 'vitest';
import { findTurn } from '../../src/domain/state/session.ts';
import { SmallCore } from '../support/small-core.ts';

test('what goes on behind the end of a turn is for the same chat and the same person', () => {
  const core = new SmallCore();
  const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;
  const from = { ingress: 'openai', meta: { source_chat: '1' }, sender: { id: '7' } } as const;
  core.dispatch({ type: 'turn.submit', turn: 't', claude: 'c', launch, text: 'hi', ...from });
  core.dispatch({ type: 'prompt.taken', turn: 't', prompt: 'p' });
  core.dispatch({ type: 'turn.rest', prompt: 'p' });
  core.dispatch({ type: 'message.delta', prompt: 'p', message: 'm', index: 0, text: 'more', final: true });
  const adopted = core.events.find(({ type }) => type === 'turn.adopted');
  const turn = adopted && 'turn' in adopted ? findTurn(core.session(), adopted.turn ?? '') : undefined;
  expect(turn).toMatchObject({ origin: 'continued', ...from });
});
