import { expect, test } from 'vitest';
import { type TellSession, ToolDesk } from '../../../src/bridge/tools/tool-desk.ts';
import { succeeded } from '../../../src/domain/tools/tool-envelope.ts';
import type { Envelope } from '../../../src/protocol/envelope.ts';

/** A desk, and the one call that its registry works on. */
function desk() {
  const told: [string, Parameters<TellSession>[1]][] = [];
  const result = Promise.withResolvers<Envelope>();
  let progressed: ((words: string) => void) | undefined;
  let aborted = () => false;
  const call = (_p: string, _t: string, _a: object, signal: AbortSignal, tell?: (words: string) => void) => {
    progressed = tell;
    aborted = () => signal.aborted;
    return result.promise;
  };
  return {
    desk: new ToolDesk({ call }, (...news) => told.push(news)),
    told,
    says: (words: string) => progressed?.(words),
    result,
    isAborted: () => aborted(),
  };
}
const call = { call: 'c1', tool: 'notes_index', args: {}, provider: 'notes' };

test('how far a call is reaches its session, before its answer', async () => {
  const { desk: at, told, says, result } = desk();
  at.run('s', call);
  says('1 of 2');
  const envelope = succeeded('done');
  result.resolve(envelope);
  await result.promise;
  says('2 of 2');
  const content = JSON.stringify(envelope);
  expect(told).toEqual([
    ['s', { type: 'tool.progress', call: 'c1', text: '1 of 2' }],
    ['s', { type: 'tool.answer', call: 'c1', ok: true, content, envelope: true }],
  ]);
});

test('of a call that was cancelled nothing is said', async () => {
  const { desk: at, told, says, result, isAborted } = desk();
  at.run('s', call);
  at.cancel('c1');
  says('1 of 2');
  result.resolve(succeeded('done'));
  await result.promise;
  expect([told, isAborted()]).toEqual([[], true]);
});
