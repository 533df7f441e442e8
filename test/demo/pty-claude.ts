// Runs the simulated Claude in a real terminal, with a hook server and a screen that a test can read.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pty } from '../support/pty.ts';
import { until } from '../support/until.ts';

const program = resolve(import.meta.dirname, '../../dist/demo/claude.js');
const mcpFixture = fileURLToPath(new URL('./fixtures/mcp-server.ts', import.meta.url));

interface HookPost {
  event: string;
  body: Record<string, unknown>;
  headers: http.IncomingHttpHeaders;
  /** The client closed the connection before it was answered. */
  aborted: boolean;
  answer(body: unknown, status?: number): void;
}

/** Records every hook; answers `{}` at once, except for events in `held`. */
class HookServer {
  readonly posts: HookPost[] = [];
  readonly held = new Set<string>();
  readonly #server = http.createServer((request, response) => {
    this.#serve(request, response).catch(() => response.destroy()); // an interrupted client
  });

  async listen(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  }

  of(event: string): HookPost[] {
    return this.posts.filter((post) => post.event === event);
  }

  /** Waits for the `count`-th post of an event. */
  async next(event: string, count = 1): Promise<HookPost> {
    return until(`${event} #${count}`, () => this.of(event)[count - 1]);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const body = JSON.parse(text) as Record<string, unknown>;
    const post: HookPost = {
      event: String(body.hook_event_name),
      body,
      headers: request.headers,
      aborted: false,
      answer: (answer, status = 200) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
    };
    response.on('close', () => {
      post.aborted = !response.writableFinished;
    });
    this.posts.push(post);
    if (!this.held.has(post.event)) post.answer({});
  }
}

/** One home folder with a project in it, a hook server, and the sessions started there. */
export class Lab {
  readonly hooks = new HookServer();
  readonly root = mkdtempSync(join(tmpdir(), 'sim-claude-'));
  readonly cwd = join(this.root, 'work.space');
  readonly #runs: Run[] = [];
  #url = '';

  static async open(): Promise<Lab> {
    const lab = new Lab();
    mkdirSync(lab.cwd);
    lab.#url = await lab.hooks.listen();
    return lab;
  }

  /** Settings as a bridge writes them: SessionStart by a command, everything else over HTTP. */
  settings(more: Record<string, unknown> = {}): string {
    const events = [
      'UserPromptSubmit',
      'MessageDisplay',
      'PreToolUse',
      'PermissionRequest',
      'PostToolUse',
      'PostToolUseFailure',
      'PostToolBatch',
      'SubagentStart',
      'SubagentStop',
      'Notification',
      'Stop',
      'StopFailure',
      'SessionEnd',
    ];
    const http = {
      type: 'http',
      url: `${this.#url}/hooks`,
      headers: { authorization: 'Bearer $LAB_TOKEN', 'x-other': 'a$HOME-b' },
      allowedEnvVars: ['LAB_TOKEN'],
      timeout: 60,
    };
    const start = { type: 'command', command: `cat >> "${this.file('session-start')}"` };
    const hooks = Object.fromEntries(events.map((event) => [event, [{ hooks: [http] }]]));
    return JSON.stringify({ hooks: { ...hooks, SessionStart: [{ hooks: [start, http] }] }, ...more });
  }

  mcpConfig(env: Record<string, string> = {}): string {
    const entry = {
      command: process.execPath,
      args: [mcpFixture],
      env: { MCP_LOG: this.file('mcp.log'), ...env },
    };
    return JSON.stringify({ mcpServers: { synthesis: entry } });
  }

  file(name: string): string {
    return join(this.root, name);
  }

  write(name: string, text: string): string {
    writeFileSync(this.file(name), text);
    return this.file(name);
  }

  /** Settings that are the user's own. */
  writeUserSettings(text: string): void {
    mkdirSync(this.file('.claude'), { recursive: true });
    this.write('.claude/settings.json', text);
  }

  start(args: string[], env: Record<string, string> = {}): Run {
    const run = new Run([program, ...args], this.cwd, {
      HOME: this.root,
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      TERM: 'xterm-256color',
      LAB_TOKEN: 'lab-secret',
      SIM_LINE_MS: '2',
      SIM_LATENCY_MS: '5',
      ...env,
    });
    this.#runs.push(run);
    return run;
  }

  /** A session with hooks, manual mode, and its prompt row on the screen. */
  async ready(args: string[] = [], env: Record<string, string> = {}): Promise<Run> {
    const run = this.start(['--permission-mode', 'manual', '--settings', this.settings(), ...args], env);
    await run.shows('❯');
    return run;
  }

  async close(): Promise<void> {
    await Promise.all(this.#runs.map((run) => run[Symbol.asyncDispose]()));
    this.hooks.close();
    // An MCP server that loses its parent still writes its last line.
    rmSync(this.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  }
}

/** One process in a terminal of 120 × 40. */
export class Run extends Pty {
  constructor(args: string[], cwd: string, env: Record<string, string>) {
    super([process.execPath, ...args], { cols: 120, rows: 40, cwd, env });
  }

  /** What stands on the prompt row; undefined while a dialog is open. */
  get box(): string | undefined {
    return this.rows.at(-3)?.startsWith('❯') ? this.rows.at(-3)?.slice(1).trim() : undefined;
  }

  /** The newest window title. */
  get title(): string {
    return [...this.raw.matchAll(/\x1b\]0;([^\x07]*)\x07/g)].at(-1)?.[1] ?? '';
  }

  say(text: string): void {
    this.paste(text);
    this.type('\r');
  }
}
