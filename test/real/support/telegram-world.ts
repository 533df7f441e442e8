// Two people on Telegram, the real gateway with its real Telegram channel, and a bridge behind it.
import { join } from 'node:path';
import { execa } from 'execa';
import { FlakyProxy } from '../../support/flaky-proxy.ts';
import { lastingPort } from '../../support/lasting-port.ts';
import { OperatorSocket } from '../../support/operator-socket.ts';
import { until } from '../../support/until.ts';
import { BotApi, type Chat, type Person, type Shown } from './bot-api.ts';
import { type IsolatedHome, isolatedHome } from './isolated-home.ts';
import type { KnownGateway } from './known-gateway.ts';
import { openclawPath } from './peers.ts';
import { newToken, RealOpenClaw, type Settings } from './real-openclaw.ts';
import { SimulatedBridge } from './simulated-bridge.ts';

export const alice: Person = { id: 4242, first_name: 'Alice', username: 'alice_t' };
export const bob: Person = { id: 9001, first_name: 'Bob', username: 'bob_t' };
export const direct: Chat = { id: alice.id, type: 'private', first_name: 'Alice', username: 'alice_t' };
export const group: Chat = { id: -100777, type: 'supergroup', title: 'Garden club' };

/** The part of `synthesis ps --json` that the tests look at. */
export interface SessionRow {
  key: string;
  state: string;
  identity: string | null;
  claude_session: string | null;
  asking: string[];
}

/** OpenClaw's settings for a Telegram that talks to nothing but `telegram`. */
export const telegramChannel = (telegram: BotApi): Settings => ({
  channels: {
    telegram: {
      enabled: true,
      ...telegram.account,
      dmPolicy: 'allowlist',
      allowFrom: [String(alice.id)],
      groupPolicy: 'open',
      groups: { '*': { requireMention: false } },
      joinIntro: false,
    },
  },
});

/** One person's bridge, whoever is behind it. */
type Behind = Pick<SimulatedBridge, 'home' | 'bridge' | 'stateDir' | 'crash'>;

export interface TelegramWorldOptions {
  /** Content of the bridge's configuration file. */
  config?: Settings;
  /** Whether the bridge knows the gateway; one that runs already knows this one. */
  gateway?: boolean | KnownGateway;
  /** A bridge that runs already and stays the caller's; default: one with the simulated Claude and the options above. */
  behind?: Behind;
  /**
   * How Telegram shows an answer that grows, and whether OpenClaw's requests say so, as with the plugin. A bridge that is
   * not told holds each answer that follows another one for 4 s (ingress/openai/answer/preview-race.ts). Default: Telegram
   * as it comes, told.
   */
  streaming?: Streaming;
}

interface Streaming {
  /** `channels.telegram.streaming.mode` */
  mode: string;
  told: boolean;
}

const telling = (mode: string): Settings => ({
  models: { providers: { synthesis: { headers: { 'x-openclaw-streaming': mode } } } },
});

/** Telegram as it comes is in the mode `progress`. */
const streamingSettings = (chosen: Streaming | undefined): Settings[] =>
  chosen === undefined
    ? [telling('progress')]
    : [
        { channels: { telegram: { streaming: { mode: chosen.mode } } } },
        ...(chosen.told ? [telling(chosen.mode)] : []),
      ];

/** A gateway that does not run yet. */
export const anyGateway = async (): Promise<KnownGateway> => ({
  port: await lastingPort(),
  token: newToken(),
});

/** Waits until the bridge has said that it reached the gateway. */
const connected = (bridge: Behind) =>
  until(
    'the gateway to be reached',
    () => /"kind":"openclaw".*"state":"connected"/.test(bridge.bridge.log),
    30_000,
  );

export class TelegramWorld implements AsyncDisposable {
  readonly home: IsolatedHome;
  readonly telegram: BotApi;
  readonly bridge: Behind;
  readonly openclaw: RealOpenClaw;
  /** Between OpenClaw and the bridge; breaks nothing unless told to. */
  readonly proxy: FlakyProxy;
  readonly #stack: AsyncDisposableStack;

  private constructor(
    parts: Pick<TelegramWorld, 'home' | 'telegram' | 'bridge' | 'openclaw' | 'proxy'>,
    stack: AsyncDisposableStack,
  ) {
    this.home = parts.home;
    this.telegram = parts.telegram;
    this.bridge = parts.bridge;
    this.openclaw = parts.openclaw;
    this.proxy = parts.proxy;
    this.#stack = stack;
  }

  /** @param config added to OpenClaw's configuration, list by list */
  static async start(
    name: string,
    config: Settings[] = [],
    options: TelegramWorldOptions = {},
  ): Promise<TelegramWorld> {
    await using stack = new AsyncDisposableStack();
    const home = stack.use(await isolatedHome(`${name}-openclaw`));
    const gateway = typeof options.gateway === 'object' ? options.gateway : await anyGateway();
    const known = options.gateway === true ? { gateway } : {};
    const simulated = async () => {
      const config = options.config && { config: options.config };
      return stack.use(await SimulatedBridge.start(`${name}-bridge`, { ...known, ...config }));
    };
    const bridge = options.behind ?? (await simulated());
    const proxy = stack.use(await FlakyProxy.start(() => bridge.bridge.url));
    const telegram = stack.use(await BotApi.start());
    const provider = { ...bridge.bridge.provider, baseUrl: `${proxy.url}/v1` };
    const openclaw = stack.use(
      await RealOpenClaw.start(home.path, provider, {
        alive: true,
        gateway,
        config: [
          { cron: { enabled: true }, agents: { defaults: { heartbeat: { every: '24h' } } } },
          telegramChannel(telegram),
          ...streamingSettings(options.streaming),
          ...config,
        ],
      }),
    );
    if (options.gateway) await connected(bridge);
    return new TelegramWorld({ home, telegram, bridge, openclaw, proxy }, stack.move());
  }

  async sessions(): Promise<SessionRow[]> {
    return JSON.parse(await this.bridge.bridge.command('ps', '-a', '--json')) as SessionRow[];
  }

  async session(key: string): Promise<SessionRow | undefined> {
    return (await this.sessions()).find((row) => row.key === key);
  }

  async reaches(key: string, state: string): Promise<SessionRow> {
    // Over its socket: a program for each look would keep a processor busy, and others from what is waited for.
    await using operator = await OperatorSocket.open(this.bridge.stateDir);
    return await until(
      `${key} to be ${state}`,
      async () => {
        const rows = await operator.call<SessionRow[]>('session.list');
        return rows.find((row) => row.key === key && row.state === state);
      },
      20_000,
    );
  }

  /** Alice writes in her direct chat. @returns the first answer behind it that says `expected` */
  async ask(text: string, expected: string | RegExp): Promise<Shown> {
    const before = this.telegram.mark;
    this.telegram.write(direct, alice, text);
    return this.telegram.answer(direct, expected, before);
  }

  /** `synthesis openclaw install` as the user of both would run it; OpenClaw goes on calling the bridge through the proxy. */
  async install(...flags: string[]): Promise<void> {
    const program = join(import.meta.dirname, '../../../bin/synthesis.js');
    const where = [
      '--port',
      new URL(this.proxy.url).port,
      '--state-dir',
      this.bridge.stateDir,
      '--openclaw',
      openclawPath(),
    ];
    const options = { env: this.openclaw.env, extendEnv: false, cwd: this.home.path, timeout: 150_000 };
    await execa(process.execPath, [program, 'openclaw', 'install', ...flags, ...where], options);
  }

  /** Everything the bot has said in a chat behind a mark. */
  said(chat: Chat, after: number): string {
    const texts = this.telegram.shown(chat).filter(({ id }) => id > after);
    return texts.map(({ text }) => text).join('\n\n');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}
