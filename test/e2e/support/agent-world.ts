// The agent with everything around it that is real but Claude Code itself: host, terminal, hooks over HTTP, `/bridge`, the
// channel server as a process, and the simulated Claude in front of it.
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WebSocket } from 'ws';
import { newToken } from '../../../src/base/ids.ts';
import { silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { ClaudeIds } from '../../../src/bridge/app/claude-ids.ts';
import { Codes } from '../../../src/bridge/app/desks/codes.ts';
import type { AgentSession, Prompt } from '../../../src/bridge/app/ports.ts';
import { ClaudeAgent, type Viewer } from '../../../src/bridge/claude/claude-agent.ts';
import { sessionDir } from '../../../src/bridge/claude/launch/session-files.ts';
import type { AgentOptions } from '../../../src/bridge/claude/options.ts';
import { createHttpServer, type HttpServer } from '../../../src/bridge/http/http-server.ts';
import { OwnedHosts } from '../../../src/bridge/terminal/owned-hosts.ts';
import { channelDoor } from '../../../src/bridge/wiring/serve/channel-door.ts';
import { SessionParts } from '../../../src/bridge/wiring/session-parts.ts';
import type { AgentReport } from '../../../src/domain/commands.ts';
import { findTurn, runningTurn } from '../../../src/domain/state/session.ts';
import { MAX_FRAME_BYTES } from '../../../src/protocol/wire/wire.ts';
import { letThrough, noRule } from '../../support/rulings.ts';
import { SmallCore } from '../../support/small-core.ts';
import { until } from '../../support/until.ts';
import { type HookDoor, hookDoor } from './hook-door.ts';
import { channelProgram, simulatedClaude } from './program.ts';

/** What the agent reported; of a turn that ended well, what it said last. */
type Heard = Exclude<AgentReport, { type: 'turn.stopped' }> | { type: 'turn.stopped'; text: string };
type Report<T extends Heard['type']> = Extract<Heard, { type: T }> & { key: string };

export interface WorldOptions
  extends Partial<
    Pick<AgentOptions, 'channels' | 'limits' | 'claudeCommand' | 'localTools' | 'leaseOf' | 'reported'>
  > {
  /** SIM_* variables. */
  env?: Record<string, string>;
}

type SessionFields = Partial<Omit<AgentSession, 'launch'>> & { launch?: Partial<AgentSession['launch']> };

export class AgentWorld implements AsyncDisposable {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'agent-')));
  /** What may be handed into the running turn. */
  joins: Prompt[] = [];
  readonly reports: (Heard & { key: string })[] = [];
  readonly claude = randomUUID();
  /** Knows the turns, as the agent reports them. */
  readonly core = new SmallCore();
  readonly codes = new Codes();
  readonly claudeIds = new ClaudeIds();
  agent!: ClaudeAgent;
  /** Of the channel server that is connected; 0 while none is. */
  channelPid = 0;
  url = '';
  #http!: HttpServer;
  #turns = 0;

  static async open(options: WorldOptions = {}): Promise<AgentWorld> {
    const world = new AgentWorld();
    for (const name of ['work', 'state', 'home']) mkdirSync(join(world.root, name));
    await world.#listen(options);
    return world;
  }

  get cwd(): string {
    return join(this.root, 'work');
  }

  get stateDir(): string {
    return join(this.root, 'state');
  }

  session(more: SessionFields = {}): AgentSession {
    const launch = { cwd: this.cwd, permissionMode: 'manual' as const, delivery: 'auto' as const };
    const resume = this.of('prompt.taken').length > 0;
    return {
      key: 'k',
      claude: this.claude,
      resume,
      tools: [],
      ...more,
      launch: { ...launch, ...more.launch },
    };
  }

  /** Hands a message over. @returns its turn */
  say(text: string, more: SessionFields & { prompt?: Partial<Prompt> } = {}): string {
    const { prompt, ...session } = more;
    this.#turns += 1;
    const turn = `t${this.#turns}`;
    const writer = 'alice';
    const to = this.session(session);
    this.core.hand(turn, text, to.key);
    this.agent.deliver(to, { turn, text, attempt: 1, meta: {}, writer, ...prompt });
    return turn;
  }

  of<T extends Heard['type']>(type: T): Report<T>[] {
    return this.reports.filter((report) => report.type === type) as Report<T>[];
  }

  /** Waits for the `count`-th report of a type. */
  next<T extends Heard['type']>(type: T, count = 1, ms = 15_000): Promise<Report<T>> {
    return until(
      () => `${type} #${count} in ${this.reports.map((report) => report.type).join(' ')}`,
      () => this.of(type)[count - 1],
      ms,
    ) as Promise<Report<T>>;
  }

  /** Says something and waits for the regular end of its turn. @returns the last message */
  async ask(text: string, more?: Parameters<AgentWorld['say']>[1]): Promise<string> {
    const before = this.of('turn.stopped').length;
    this.say(text, more);
    return (await this.next('turn.stopped', before + 1)).text ?? '';
  }

  /** The token of a session's Claude Code, as its own shell can read it. */
  token(key = 'k'): string {
    return this.door(key).token;
  }

  door(key = 'k'): HookDoor {
    return hookDoor(sessionDir(this.stateDir, key));
  }

  /** Posts a hook as Claude's shell could. */
  forge(event: string, fields: Record<string, unknown>, token?: string): Promise<Response> {
    return this.door().post(event, fields, token);
  }

  /** Types into Claude's terminal, as the operator does. */
  type(keys: string, key = 'k'): void {
    this.#view(key, (viewer) => viewer.write(keys));
  }

  /** Of Claude's terminal. */
  get size(): Viewer['size'] {
    return this.#view('k', ({ size }) => size) ?? { cols: 0, rows: 0 };
  }

  #view<T>(key: string, look: (viewer: Viewer) => T): T | undefined {
    const viewer = this.agent.view(
      key,
      () => {},
      () => {},
    );
    const seen = viewer && look(viewer);
    viewer?.detach();
    return seen;
  }

  get screen(): string {
    return this.agent.screenOf('k')?.join('\n') ?? '';
  }

  shows(text: string): Promise<unknown> {
    return until(`${text} on the screen`, () => this.screen.includes(text));
  }

  get pid(): number {
    return this.agent.sessions()[0]?.pid ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.agent.close();
    await this.#http.close();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  /** A turn that ends well is told as one that stopped, whatever the agent had to say for that. */
  #reported(key: string, report: AgentReport): void {
    if (report.type !== 'turn.stopped') this.reports.push({ key, ...report });
    const before = runningTurn(this.core.session(key));
    for (const event of this.core.dispatch(report, key)) {
      if (event.type !== 'turn.settled' || event.outcome !== 'completed' || event.into !== undefined)
        continue;
      const said = report.type === 'turn.rest' ? report.last : before?.phase.rested?.last;
      const text = said ?? String(findTurn(this.core.session(key), event.turn)?.answer.text ?? '');
      this.reports.push({ key, type: 'turn.stopped', text });
    }
  }

  async #listen({ env, ...options }: WorldOptions): Promise<void> {
    const watched = (socket: WebSocket, proved: () => void) => {
      socket.on('message', (data) => {
        const frame = JSON.parse(String(data)) as { type: string; pid: number };
        if (frame.type === 'hello') this.channelPid = frame.pid;
      });
      socket.on('close', () => {
        this.channelPid = 0;
      });
      channelDoor(() => this.agent)(socket, proved);
    };
    this.#http = createHttpServer({
      frameBytes: MAX_FRAME_BYTES,
      refuse: () => ({ status: 403, body: {} }),
      failed: (error) => {
        throw error;
      },
      sockets: { '/bridge': watched },
    });
    this.url = `http://127.0.0.1:${await this.#http.listen(0)}`;
    this.agent = new ClaudeAgent({
      clock: systemClock,
      log: silentLog,
      report: (key, report) => this.#reported(key, report),
      session: (key) => this.core.session(key),
      reported: async () => {},
      claimCode: (wanted) => this.codes.claim(wanted),
      ownerOf: (claude) => this.claudeIds.ownerOf(claude),
      judge: (_key, call) => (call.lent ? letThrough : noRule),
      joins: () => this.joins,
      policed: false,
      loadHosts: new SessionParts({
        env: {},
        log: silentLog,
        spare: false,
        hosts: new OwnedHosts(),
        stateDir: this.stateDir,
        secret: newToken(),
      }).loadHosts,
      stateDir: this.stateDir,
      baseUrl: this.url,
      claudeCommand: [process.execPath, simulatedClaude],
      channelEntry: channelProgram,
      nodePath: process.execPath,
      env: { PATH: process.env.PATH, HOME: join(this.root, 'home'), LANG: 'C.UTF-8', ...env },
      ...options,
    });
  }
}
