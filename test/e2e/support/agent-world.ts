// The agent with everything around it that is real but Claude Code itself: terminal, hooks over HTTP, `/bridge`, the
// channel server as a process, and the simulated Claude in front of it.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { WebSocketServer } from 'ws';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { Codes } from '../../../src/bridge/app/codes.ts';
import type { AgentSession, Prompt } from '../../../src/bridge/app/ports.ts';
import { ClaudeAgent } from '../../../src/bridge/claude/claude-agent.ts';
import type { AgentOptions } from '../../../src/bridge/claude/options.ts';
import { openTerminal } from '../../../src/bridge/terminal/live-terminal.ts';
import type { AgentReport } from '../../../src/domain/commands.ts';
import { until } from '../../support/until.ts';

const src = resolve(import.meta.dirname, '../../../src');

type Report<T extends AgentReport['type']> = Extract<AgentReport, { type: T }> & { key: string };

export interface WorldOptions extends Partial<Pick<AgentOptions, 'channels' | 'limits' | 'claudeCommand'>> {
  /** SIM_* variables. */
  env?: Record<string, string>;
}

type SessionFields = Partial<Omit<AgentSession, 'launch'>> & { launch?: Partial<AgentSession['launch']> };

export class AgentWorld implements AsyncDisposable {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'agent-')));
  readonly reports: (AgentReport & { key: string })[] = [];
  readonly claude = randomUUID();
  readonly codes = new Codes();
  agent!: ClaudeAgent;
  /** Pid in the newest hello. */
  channelPid = 0;
  readonly #server = createServer();
  readonly #sockets = new WebSocketServer({ noServer: true });
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
    const sender = { id: '7', name: 'alice' };
    this.agent.deliver(this.session(session), { turn, text, attempt: 1, meta: {}, sender, ...prompt });
    return turn;
  }

  of<T extends AgentReport['type']>(type: T): Report<T>[] {
    return this.reports.filter((report) => report.type === type) as Report<T>[];
  }

  /** Waits for the `count`-th report of a type. */
  next<T extends AgentReport['type']>(type: T, count = 1, ms = 15_000): Promise<Report<T>> {
    return until(
      `${type} #${count} in ${this.reports.map((report) => report.type).join(' ')}`,
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

  /** Types into Claude's terminal, as the operator does. */
  type(keys: string, key = 'k'): void {
    const viewer = this.agent.view(
      key,
      () => {},
      () => {},
    );
    viewer?.write(keys);
    viewer?.detach();
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
    this.#server.closeAllConnections();
    this.#server.close();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  async #listen({ env, ...options }: WorldOptions): Promise<void> {
    this.#server.on('request', async (request, response) => {
      const gone = new AbortController();
      response.on('close', () => gone.abort());
      const answer = await this.agent.handleHook({
        token: /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1],
        event: request.url?.split('/').at(-1) ?? '',
        body: await json(request),
        signal: gone.signal,
        onWritten: (listener) => void response.once('finish', listener),
      });
      response
        .writeHead(answer.status, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer.body));
    });
    this.#server.on('upgrade', (request, socket, head) => {
      this.#sockets.handleUpgrade(request, socket, head, (ws) => {
        ws.on('message', (data) => {
          const frame = JSON.parse(String(data)) as { type: string; pid: number };
          if (frame.type === 'hello') this.channelPid = frame.pid;
        });
        this.agent.channels.accept(ws);
      });
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = this.#server.address() as AddressInfo;
    this.agent = new ClaudeAgent({
      clock: systemClock,
      log: silentLog,
      report: (key, report) => this.reports.push({ key, ...report }),
      reported: async () => {},
      claimCode: (wanted) => this.codes.claim(wanted),
      loadTerminal: async () => openTerminal,
      stateDir: this.stateDir,
      baseUrl: `http://127.0.0.1:${port}`,
      claudeCommand: [process.execPath, join(src, 'demo/claude/main.ts')],
      channelEntry: join(src, 'channel/main.ts'),
      nodePath: process.execPath,
      env: { PATH: process.env.PATH, HOME: join(this.root, 'home'), LANG: 'C.UTF-8', ...env },
      ...options,
    });
  }
}
