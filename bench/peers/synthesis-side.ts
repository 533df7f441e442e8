import { fileURLToPath } from 'node:url';
import { pluginPatch } from '../../src/bridge/openclaw/plugin.ts';
import { mergePatches } from '../../src/bridge/openclaw/provider-entry.ts';
import { BotApi } from '../../test/real/support/bot-api.ts';
import { isolatedHome } from '../../test/real/support/isolated-home.ts';
import { claudePids } from '../../test/real/support/processes.ts';
import { World } from '../../test/real/support/world.ts';
import { claudeModel } from './model.ts';
import { parentOf } from './process-tree.ts';
import { startGateway, type TelegramSide } from './telegram-side.ts';

/** As `synthesis openclaw install --with-plugin` leaves it, but for where the plugin lies. */
const withPlugin = mergePatches(pluginPatch, {
  plugins: { load: { paths: [fileURLToPath(new URL('../../openclaw-plugin', import.meta.url))] } },
});

/** OpenClaw with the bridge as its provider. */
export async function synthesisSide(): Promise<TelegramSide> {
  await using stack = new AsyncDisposableStack();
  const world = stack.use(
    await World.start('peers', { config: { profiles: [{ match: '*', model: claudeModel }] } }),
  );
  const home = stack.use(await isolatedHome('peers-openclaw'));
  const telegram = stack.use(await BotApi.start());
  const { provider } = world.bridge;
  stack.use(await startGateway({ home: home.path, telegram, provider, config: withPlugin }));
  const root = async (session: string) => {
    const [claude] = await claudePids(session);
    if (claude === undefined) throw new Error(`no Claude Code has the session ${session}`);
    // Each has a host of its own.
    return parentOf(claude);
  };
  const owned = stack.move();
  return { telegram, api: world.api, root, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
