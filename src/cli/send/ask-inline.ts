// A question of Claude's, answered at the terminal where its message was sent.
import { setImmediate } from 'node:timers/promises';
import type { AskRow } from '../../domain/views/session/ask-row.ts';
import { CliError } from '../cli-error.ts';
import type { RpcConnection } from '../client/rpc-connection.ts';
import { askBlock, giveVerdict } from '../commands/approvals.ts';
import { say, sayLines } from '../output/out.ts';
import { Questions } from '../questions.ts';
import type { AnswerView } from './answer-view.ts';
import { promptOf, readInline } from './inline-answer.ts';

/**
 * @param signal aborts when it is answered elsewhere
 * @returns whether it was answered here
 * @throws CliError `cancelled` when the question is left with Ctrl-C or Ctrl-D
 */
export async function askInline(
  bridge: RpcConnection,
  view: AnswerView,
  code: string,
  signal: AbortSignal,
): Promise<boolean> {
  const ask = await bridge.call('permission.show', { code });
  const lines = await askBlock(ask, Date.now(), process.stderr.columns);
  if (signal.aborted) return false;
  const release = view.hold();
  try {
    sayLines(['', ...lines]);
    await dropTyped();
    using questions = new Questions('');
    const close = () => questions[Symbol.dispose]();
    signal.addEventListener('abort', close);
    if (signal.aborted) close();
    return await answered(bridge, questions, ask);
  } catch (error) {
    say('');
    if (!signal.aborted) throw error;
    return false;
  } finally {
    release();
  }
}

async function answered(bridge: RpcConnection, questions: Questions, ask: AskRow): Promise<true> {
  for (;;) {
    const answer = readInline(await questions.line(promptOf(ask)), ask);
    if (!answer) continue;
    try {
      await giveVerdict(bridge, { code: ask.code, shown: ask.digest, ...answer });
      return true;
    } catch (error) {
      if (!(error instanceof CliError) || error.code !== 'bad_request') throw error;
      say(`${error.message}\n${error.suggestion}`);
    }
  }
}

/** What was typed before the question could be read is no answer to it. */
async function dropTyped(): Promise<void> {
  const { stdin } = process;
  const drop = () => {};
  stdin.setRawMode(true).on('data', drop).resume();
  // What the terminal holds comes with the next look at it, which is behind the first.
  await setImmediate();
  await setImmediate();
  stdin.off('data', drop).pause().setRawMode(false);
}
