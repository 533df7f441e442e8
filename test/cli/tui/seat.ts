// An operator at a screen without a terminal: rows go in, keys are pressed, text comes out.
import type { BridgeNews, OneBridgeNews } from '../../../src/cli/tui/bridge/bridge-port.ts';
import type { Effect } from '../../../src/cli/tui/model/effect.ts';
import { type Model, newModel } from '../../../src/cli/tui/model/model.ts';
import { type Message, update } from '../../../src/cli/tui/model/update.ts';
import { screenText } from '../../../src/cli/tui/terminal/screen.ts';
import type { BridgeStatus } from '../../../src/domain/views/control.ts';
import type { ProviderView } from '../../../src/domain/views/tools.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import type { PermissionSuggestion } from '../../../src/protocol/events/permission-events.ts';

export const noon = Date.UTC(2026, 0, 1, 12);

/** One of tools. */
export const provider = (name: string, status: ProviderView['status'] = 'healthy'): ProviderView => ({
  provider: name,
  kind: 'command',
  status,
  reason: status === 'healthy' ? null : 'it answers slowly',
  since: '',
  last_probe: null,
  tools: 1,
  refused: 0,
  running: 0,
  waiting: 0,
});

/** Keys by name; a text of several letters is typed letter by letter after `type:`. */
export const keysOf = (names: readonly string[]): Message[] =>
  names.flatMap((name): Message[] =>
    name.startsWith('type:')
      ? [...name.slice(5)].map((char) => ({ type: 'key', name: char === ' ' ? 'space' : char, text: char }))
      : [{ type: 'key', name, text: name.length === 1 ? name : '' }],
  );

/** What happens at one bridge. */
export abstract class Journal {
  /** When what happens happens, epoch ms. */
  now = noon;
  /** Of the last row. */
  protected seq = 0;

  abstract news(news: OneBridgeNews): void;

  /** What the bridge says of itself. */
  status(about: Partial<BridgeStatus>): void {
    const well: BridgeStatus = {
      version: '0.1.0',
      pid: 1,
      url: 'http://127.0.0.1:18801',
      state_dir: '/s',
      cwd: '/w',
      started_at: '',
      sessions: 1,
      live: 1,
      status: 'healthy',
      notices: [],
      health: [],
      connections: [],
      providers: [],
      panic: null,
    };
    this.news({ kind: 'status', status: { ...well, ...about } });
  }

  happens(session: string, ...events: SessionEvent[]): void {
    const rows = events.map((event) => ({ seq: ++this.seq, at: this.now, session, event }));
    this.news({ kind: 'rows', rows });
  }

  /** A session whose Claude works on a message. */
  working(session: string, text = 'How is the build?', channel = 'telegram'): void {
    this.happens(
      session,
      { type: 'session.opened', ingress: 'openai' },
      {
        type: 'session.claude',
        claude: '11111111-2222-4333-8444-555555555555',
        launch: { cwd: '/home/alice/work', permissionMode: 'manual', delivery: 'auto' },
      },
      { type: 'agent.ready', pid: 4711, delivery: 'channel', health: [] },
      {
        type: 'turn.queued',
        turn: `t-${session}`,
        ingress: 'openai',
        text,
        sender: { id: '42', name: 'alice' },
        meta: { source_channel: channel },
      },
      { type: 'turn.running', turn: `t-${session}` },
    );
  }

  says(session: string, text: string, index = 0): void {
    this.happens(session, {
      type: 'answer.delta',
      turn: `t-${session}`,
      message: 'm',
      index,
      text,
      final: false,
    });
  }

  ends(session: string): void {
    this.happens(session, { type: 'turn.settled', turn: `t-${session}`, outcome: 'completed' });
  }

  asks(
    session: string,
    code: string,
    tool = 'Bash',
    input: unknown = { command: 'npm test' },
    suggestions: PermissionSuggestion[] = [],
  ): void {
    const asked = { turn: `t-${session}`, code, tool, input, expires_at: noon + 600_000, suggestions };
    this.happens(session, { type: 'permission.asked', ...asked });
  }
}

export class Seat extends Journal {
  model: Model;
  readonly effects: Effect[] = [];

  constructor(columns = 80, rows = 24, wanted?: string) {
    super();
    this.model = newModel({ columns, rows }, noon, wanted);
    this.news({ kind: 'link', link: { name: 'live' } });
    this.news({ kind: 'snapshot', snapshot: { seq: 0, sessions: [] } });
  }

  get rows(): string[] {
    return screenText(this.model).map((row) => row.trimEnd());
  }

  get screen(): string {
    return this.rows.join('\n');
  }

  /** The row with this text in it; '' without one. */
  row(text: string): string {
    return this.rows.find((row) => row.includes(text)) ?? '';
  }

  /** Effects since the last time, besides what the screen does to itself. */
  taken(): Effect[] {
    return this.effects.splice(0);
  }

  act(message: Message): void {
    const { model, effects } = update(this.model, message);
    this.model = model;
    this.effects.push(...effects);
  }

  news(news: BridgeNews): void {
    if (news.kind === 'snapshot') this.seq = Math.max(this.seq, news.snapshot.seq);
    this.act({ type: 'news', news });
  }

  /** @param names as `keysOf` has them */
  press(...names: string[]): void {
    for (const message of keysOf(names)) this.act(message);
  }

  resize(columns: number, rows: number): void {
    this.act({ type: 'resize', size: { columns, rows } });
  }
}
