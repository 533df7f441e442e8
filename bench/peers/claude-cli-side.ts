import { dirname, join } from 'node:path';
import { BotApi } from '../../test/real/support/bot-api.ts';
import { answerFirstRun, tellInSettings } from '../../test/real/support/claude-home.ts';
import { isolatedHome } from '../../test/real/support/isolated-home.ts';
import { MessagesApi } from '../../test/real/support/messages-api.ts';
import { claudePath } from '../../test/real/support/peers.ts';
import { claudePids } from '../../test/real/support/processes.ts';
import { claudeModel } from './model.ts';
import { startGateway, type TelegramSide } from './telegram-side.ts';

const model = `anthropic/${claudeModel}`;

/**
 * OpenClaw with its own backend for Claude Code, which it finds on its PATH. It takes the variables with the API and the
 * token out of the environment; the user's settings of Claude Code have them.
 */
export async function claudeCliSide(): Promise<TelegramSide> {
  await using stack = new AsyncDisposableStack();
  const api = stack.use(await MessagesApi.start());
  const home = stack.use(await isolatedHome('peers-claude-cli'));
  await answerFirstRun(home.path, [join(home.path, '.openclaw/workspace')]);
  await tellInSettings(home.path, api.url);
  const telegram = stack.use(await BotApi.start());
  const models = { [model]: { agentRuntime: { id: 'claude-cli' } } };
  const config = { agents: { defaults: { model: { primary: model }, models } } };
  const path = [dirname(claudePath())];
  stack.use(await startGateway({ home: home.path, telegram, config, path }));
  const root = async (session: string) => {
    const [claude] = await claudePids(session);
    if (claude === undefined) throw new Error(`no Claude Code has the session ${session}`);
    return claude;
  };
  const owned = stack.move();
  return { telegram, api, root, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
