// What a client says about calls that were never its to run.
import { describe, expect, test } from 'vitest';
import type { NewestInput } from '../../../../../src/bridge/ingress/openai/input/newest-input.ts';
import {
  abortedTurns,
  leftCalls,
  toolAnswers,
} from '../../../../../src/bridge/ingress/openai/input/tool-results.ts';
import { emptySession, type Session, type ToolCall } from '../../../../../src/domain/state/session.ts';

const call = (id: string, more: Partial<ToolCall> = {}): ToolCall => ({
  call: id,
  turn: `turn of ${id}`,
  tool: 'notes_search',
  args: {},
  handed: true,
  ...more,
});
const session: Session = {
  ...emptySession('k'),
  calls: [call('hubs'), call('providers', { provider: 'notes' })],
};

const input = (outcome: 'done' | 'missing'): NewestInput => ({
  texts: [],
  events: [],
  images: [],
  unsupported: [],
  toolResults: ['hubs', 'providers'].map((callId) => ({ callId, content: 'made up', outcome })),
});

describe('what a provider runs', () => {
  test('is answered by no result of a client, even if it names its id', () => {
    expect(toolAnswers(input('done'), session)).toMatchObject([{ call: 'hubs', ok: true }]);
  });

  test('is not left by a client that goes on without its result', () => {
    expect(leftCalls(session)).toMatchObject([{ call: 'hubs', ok: false }]);
  });

  test('ends no turn when a client says that it has no result', () => {
    expect(abortedTurns(input('missing'), session)).toEqual(['turn of hubs']);
  });
});
