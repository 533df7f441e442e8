// A person on Telegram, the real gateway behind it, and a scripted model behind whatever runs Claude Code.
import type { BotApi } from '../../test/real/support/bot-api.ts';
import type { MessagesApi } from '../../test/real/support/messages-api.ts';
import {
  type OpenClawOptions,
  type Provider,
  RealOpenClaw,
  type Settings,
} from '../../test/real/support/real-openclaw.ts';
import { telegramChannel } from '../../test/real/support/telegram-world.ts';

export interface TelegramSide extends AsyncDisposable {
  telegram: BotApi;
  api: MessagesApi;
  /** The process that a conversation's others come from. */
  root(session: string): Promise<number>;
}

export interface GatewayOptions extends Pick<OpenClawOptions, 'path'> {
  home: string;
  telegram: BotApi;
  provider?: Provider;
  config?: Settings;
}

/** The same gateway on both sides, but for its model. */
export const startGateway = ({
  home,
  telegram,
  provider,
  config = {},
  path = [],
}: GatewayOptions): Promise<RealOpenClaw> =>
  RealOpenClaw.start(home, provider, {
    alive: true,
    path,
    config: [
      { agents: { defaults: { heartbeat: { every: '24h' } } } },
      telegramChannel(telegram),
      // Text is shown as it grows.
      { channels: { telegram: { streaming: { mode: 'partial' } } } },
      config,
    ],
  });
