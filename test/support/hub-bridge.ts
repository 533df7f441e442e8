// The bridge's inside with the client of OpenClaw's gateway on a real socket: everything but the disk and Claude Code.

import { silentLog } from '../../src/base/log.ts';
import type { JournalPort } from '../../src/bridge/app/ports.ts';
import type { ReaderItem } from '../../src/bridge/app/reader/reader-item.ts';
import { OpenClawHub } from '../../src/bridge/openclaw/gateway/openclaw-hub.ts';
import type { Session } from '../../src/domain/state/session.ts';
import type { Turn } from '../../src/domain/state/turn.ts';
import type { SessionEvent } from '../../src/protocol/events/events.ts';
import { ManualClock } from './manual-clock.ts';
import { noMasks } from './no-masks.ts';
import type { OpenClawGateway } from './openclaw-gateway.ts';
import { shown } from './shown.ts';
import { SmallBridge } from './small-bridge.ts';
import { until } from './until.ts';

export const main = 'agent:main:main';

export interface HubBridgeOptions {
  /** Undefined: none is configured. */
  gateway?: OpenClawGateway;
  journal?: JournalPort;
  token?: () => string;
  /** Files and folders that no `reply` sends. */
  neverSent?: string[];
}

/** One response of the bridge: what it said, and how it ended. */
export interface Response {
  items: ReaderItem[];
  /** `settled`, `question`, `tool_calls`; undefined while it is open. */
  end: string | undefined;
  close(): void;
}

export class HubBridge implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly bridge: SmallBridge;
  readonly hub: OpenClawHub;
  approvers: string[] = [];
  #turns = 0;
  readonly #responses: Response[] = [];

  constructor({ gateway, journal, token, neverSent = [] }: HubBridgeOptions) {
    this.bridge = new SmallBridge(journal ? { journal } : {});
    const { dispatcher, readers, agent } = this.bridge;
    agent.onPrompt = ({ turn }, { key }) => agent.take(key, turn);
    dispatcher.load();
    this.hub = new OpenClawHub({
      gateway: gateway && {
        url: gateway.url,
        token: () => ({ ok: true, token: token?.() ?? gateway.token }),
      },
      version: '0.0.0',
      clock: this.clock,
      log: silentLog,
      conversations: {
        session: (key) => dispatcher.session(key),
        sessions: () => dispatcher.sessions(),
        dispatch: (key, command) => dispatcher.dispatch(key, command),
        stored: () => dispatcher.stored(),
        isRead: (turn) => readers.isRead(turn),
        hold: (turn, ms) => readers.hold(turn, ms),
        nudge: (key) => readers.nudge(key),
        approversFor: () => this.approvers,
      },
      masks: noMasks,
      neverSent,
      changed: () => {},
    });
    this.bridge.journal.subscribe((row) => this.hub.observe(row));
  }

  static async start(gateway: OpenClawGateway, options: HubBridgeOptions = {}): Promise<HubBridge> {
    const bridge = new HubBridge({ ...options, gateway });
    bridge.hub.start();
    await bridge.connected();
    return bridge;
  }

  async connected(): Promise<void> {
    await until('the gateway', () => this.hub.status?.state === 'connected');
  }

  /** Lets the client's own time go on until something holds. */
  async later<T>(what: string, probe: () => T): Promise<void> {
    await until(what, () => {
      this.clock.advance(1_000);
      return probe();
    });
  }

  get events(): SessionEvent[] {
    return [...this.bridge.journal.read(0)].map(({ event }) => event);
  }

  session(key = main): Session {
    const session = this.bridge.dispatcher.session(key);
    if (!session) throw new Error(`no session ${key}`);
    return session;
  }

  turn(id: string, key = main): Turn {
    const turn = this.session(key).turns.find((each) => each.id === id);
    if (!turn) throw new Error(`no turn ${id}`);
    return turn;
  }

  /** A message of a chat, which Claude works on. */
  async message(
    about: { key?: string; meta?: Record<string, string>; sender?: string } = {},
  ): Promise<string> {
    const { key = main, sender = '4242' } = about;
    this.#turns += 1;
    const turn = `t${this.#turns}`;
    const meta = { source_channel: 'telegram', source_chat: 'telegram:4242', source_account: 'default' };
    this.bridge.dispatcher.dispatch(key, {
      type: 'turn.submit',
      turn,
      claude: 'claude-1',
      launch: { cwd: '/w', permissionMode: 'manual', delivery: 'auto' },
      ingress: 'openai',
      text: `message ${turn}`,
      sender: { id: sender },
      meta: about.meta ?? meta,
    });
    await until(`${turn} at Claude`, () => this.turn(turn, key).phase.name === 'running');
    return turn;
  }

  /** Claude leaves something behind in the turn that runs now. */
  leave(name: string, key = main): void {
    this.bridge.agent.report(key, {
      type: 'tool.activity',
      tool_use: name,
      tool: 'Bash',
      phase: 'succeeded',
      errand: { by: 'task', name },
    });
  }

  /** Claude begins a turn by itself: what it left behind has ended. */
  comesBack(turn: string, name: string, key = main): void {
    const text = `<task-notification>${name}</task-notification>`;
    const errand = { by: 'task', name } as const;
    this.bridge.agent.report(key, { type: 'prompt.foreign', turn, prompt: `p-${turn}`, text, errand });
  }

  /** Claude asks. */
  ask(
    code: string,
    command = 'npm test',
    about: { key?: string; tool?: string; input?: unknown } = {},
  ): void {
    this.bridge.agent.report(about.key ?? main, {
      type: 'permission.ask',
      code,
      tool: about.tool ?? 'Bash',
      input: about.input ?? { command },
      expires_at: this.clock.wall() + 600_000,
    });
  }

  decide(
    code: string,
    verdict: 'allow' | 'deny',
    by: 'cli' | 'chat' | 'expiry' = 'cli',
    key = main,
  ): boolean {
    const { dispatcher } = this.bridge;
    const seen = shown(dispatcher.session(key), code);
    return dispatcher.dispatch(key, { type: 'permission.decide', code, verdict, by, ...seen }).ok;
  }

  verdicts(code: string): Extract<SessionEvent, { type: 'permission.decided' }>[] {
    return this.events.filter((event) => event.type === 'permission.decided' && event.code === code) as never;
  }

  /** Claude writes, and ends its turn. */
  finish(turn: string, text: string, key = main): void {
    this.bridge.agent.say(key, turn, text, `end-${turn}`);
    this.bridge.agent.endTurn(key, turn);
  }

  /** A response of the provider that hands out a turn. */
  read(turn: string, request = `r-${turn}`, key = main): Response {
    const gone = new AbortController();
    const response: Response = { items: [], end: undefined, close: () => gone.abort() };
    this.#responses.push(response);
    const items = this.bridge.readers.read({
      key,
      target: turn,
      request,
      signal: gone.signal,
      quietMs: 1,
      alone: true,
      interactive: true,
      isAskedElsewhere: (code) => this.hub.asksAlone(code),
    });
    const take = async () => {
      for await (const item of items) {
        response.items.push(item);
        if (item.kind === 'end') response.end = response.items.at(-2)?.kind ?? 'nothing';
      }
    };
    void take();
    return response;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const response of this.#responses) response.close();
    const closed = this.hub.close();
    this.clock.advance(60_000);
    await closed;
  }
}

export const textOf = ({ items }: Response): string =>
  items.map((item) => (item.kind === 'text' ? item.text : '')).join('');
