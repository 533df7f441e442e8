import { join } from 'node:path';
import { Hooks } from './hooks/hooks.ts';
import { channelNotices } from './mcp/channel.ts';
import { McpServers } from './mcp/mcp-servers.ts';
import { type Policy, readMode } from './permission/permission-rules.ts';
import { InputLine } from './screen/input-line.ts';
import { Offers } from './screen/offers.ts';
import { Screen } from './screen/screen.ts';
import { type StartEffect, startDialogs } from './screen/start-dialogs.ts';
import { StatusLine } from './screen/status-line.ts';
import { Terminal } from './screen/terminal.ts';
import { Session } from './session.ts';
import type { Flags } from './settings/flags.ts';
import type { Identity } from './settings/identity.ts';
import type { Knobs } from './settings/knobs.ts';
import { LiveEntry } from './settings/live-sessions.ts';
import { localRules } from './settings/local-settings.ts';
import type { McpServerEntry, Settings } from './settings/settings.ts';
import { editText } from './tools/edit-text.ts';
import { ToolBox } from './tools/tool-box.ts';
import type { Rule } from './turn/brain.ts';
import { Conversation } from './turn/conversation.ts';
import { configDir } from './turn/transcript.ts';

/** Everything that was read before the terminal is taken over. */
export interface Launch {
  flags: Flags;
  knobs: Knobs;
  env: NodeJS.ProcessEnv;
  cwd: string;
  settings: Settings;
  mcpEntries: Map<string, McpServerEntry>;
  identity: Extract<Identity, { ok: true }>;
  rules: Rule[];
  version: string;
  offersCompletion(path: string): boolean;
}

/**
 * Runs a session until it ends. Order as measured on Claude Code 2.1.329: dialogs, SessionStart, screen and title,
 * prompt row, then the MCP servers.
 * @returns the exit code.
 */
export function runInteractive(launch: Launch): Promise<number> {
  return new Program(launch).run();
}

/** Names every concrete part of one process and owns its end. */
class Program {
  readonly #launch: Launch;
  readonly #terminal: Terminal;
  readonly #screen: Screen;
  readonly #servers: McpServers;
  readonly #session: Session;
  readonly #input: InputLine;
  readonly #live: LiveEntry;
  readonly #statusLine: StatusLine;
  readonly #ended = Promise.withResolvers<number>();
  /** The dialogs are passed. */
  #began = false;
  #leaving = false;
  /** Turns that ended. */
  #turns = 0;

  constructor(launch: Launch) {
    const { flags, knobs, env, cwd, settings, identity } = launch;
    const place = { env, cwd, name: flags.name };
    const childEnv = childEnvironment(env, identity.sessionId, cwd);
    this.#launch = launch;
    this.#live = new LiveEntry(env, { cwd, name: flags.name });
    this.#statusLine = new StatusLine(settings.statusLine?.command, { cwd, env: childEnv });
    this.#terminal = new Terminal(process.stdin, process.stdout, knobs);
    const { tellingTitle } = knobs;
    const looks = { name: flags.name ?? 'Claude Code', tellingTitle };
    this.#screen = new Screen(this.#terminal, looks, (status) =>
      this.#live.update(this.#session.conversation.sessionId, status),
    );
    this.#servers = new McpServers(
      launch.mcpEntries,
      { env: childEnv, cwd, flags, channelsAvailable: knobs.channels === 'on' },
      {
        onChannelPrompt: (prompt) => this.#session.push(prompt),
        onVerdict: (verdict) => this.#session.desk.resolve(verdict),
        log: (line) => this.#screen.log(line),
      },
    );
    const notice = (text: string) => this.#screen.log(`  ⎿  ${text}`);
    const { CLAUDE_PROJECT_DIR: _, ...bashEnv } = childEnv;
    this.#session = new Session(new Conversation(place, identity), policyOf(launch), {
      knobs,
      rules: launch.rules,
      place,
      hooks: new Hooks({ groups: settings.hooks ?? {}, cwd, env: childEnv, notice }),
      screen: this.#screen,
      servers: this.#servers,
      tools: new ToolBox(cwd, bashEnv, this.#servers.servers, knobs.mcpBackgroundMs, this.#screen),
      onProgress: () => {
        this.#turns += 1;
        this.#showStatus();
      },
      exit: (reason, code) => this.#exit(reason, code),
      crash: (code) => process.exit(code),
    });
    this.#input = new InputLine({
      screen: this.#screen,
      session: this.#session,
      offersCompletion: launch.offersCompletion,
      edit: (text) => editText(text, env),
      boxMost: knobs.boxMost,
      exit: (reason, code) => this.#exit(reason, code),
    });
  }

  async run(): Promise<number> {
    const { flags, knobs, env, cwd, identity, version } = this.#launch;
    this.#listenToSignals();
    this.#terminal.grab();
    const dialogs = startDialogs(knobs, flags, env, cwd);
    if (dialogs.length > 0) this.#terminal.open();
    const refused = await Promise.race([passDialogs(dialogs, this.#screen), this.#ended.promise]);
    if (refused !== undefined) return this.#close(refused, []);
    this.#began = true;
    await this.#session.announce(identity.source);
    this.#terminal.open();
    this.#screen.setMode(readMode(flags.permissionMode));
    this.#screen.log(` ✻ Claude Code v${version} · simulated`, `   ${cwd}`, '');
    for (const text of channelNotices(flags, knobs.channels)) this.#screen.log(`▎ ${text}`);
    this.#screen.ready(
      (key) => this.#input.onKey(key),
      () => this.#session.stopAgents('said'),
    );
    this.#makeOffers();
    this.#servers.startAll();
    this.#showStatus();
    if (flags.prompt !== undefined) this.#input.send(flags.prompt);
    const code = await this.#ended.promise;
    return this.#close(code, [`claude --resume ${this.#session.conversation.sessionId}`]);
  }

  #makeOffers(): void {
    const { knobs, flags, env } = this.#launch;
    if (knobs.offers === undefined) return;
    const offers = new Offers({
      plan: knobs.offers,
      name: flags.name ?? '',
      log: knobs.offerLog,
      settings: join(configDir(env), 'settings.json'),
      openDialog: (dialog, onChoice) => this.#screen.openDialog(dialog, onChoice),
    });
    this.#screen.beforePrompt((key) => offers.onKey(key, this.#screen.box.text));
    offers.arm();
  }

  /** SessionEnd first, then the MCP servers; both are bounded. In a dialog of the start at once, without (measured on 2.1.330). Idempotent. */
  #exit(reason: string, code: number): void {
    if (this.#leaving) return;
    this.#leaving = true;
    if (!this.#began) return this.#ended.resolve(code);
    void this.#session
      .end(reason)
      .then(() => this.#servers.stopAll())
      .finally(() => this.#ended.resolve(code));
  }

  /** Gives the terminal back. What still runs (a held hook, a shell) ends with the process. */
  #close(code: number, lastLines: string[]): never {
    this.#statusLine.close();
    this.#live.close();
    this.#screen.close(lastLines);
    process.exit(code);
  }

  /** Exit codes as measured on Claude Code 2.1.329. */
  #listenToSignals(): void {
    process.stdout.on('error', () => {}); // the terminal may be gone before we are
    process.stdin.on('error', () => {});
    process.on('SIGINT', () => this.#exit('other', 0));
    process.on('SIGTERM', () => this.#exit('other', 143));
    process.on('SIGHUP', () => this.#exit('other', 129));
  }

  #showStatus(): void {
    const { cwd, version, knobs } = this.#launch;
    const usd = knobs.turnUsd;
    this.#statusLine.update(() => ({
      ...this.#session.conversation.fields(),
      version,
      model: { id: 'simulated', display_name: 'Simulated' },
      workspace: { current_dir: cwd, project_dir: cwd },
      ...(usd !== undefined && {
        cost: { total_cost_usd: usd * this.#turns, total_duration_ms: Math.round(performance.now()) },
      }),
      context_window: {
        context_window_size: 200_000,
        used_percentage: 1,
        remaining_percentage: 99,
        current_usage: { input_tokens: 100, cache_creation_input_tokens: 400, cache_read_input_tokens: 1500 },
      },
    }));
  }
}

function policyOf({ flags, settings, cwd }: Launch): Policy {
  const { allow = [], deny = [] } = settings.permissions ?? {};
  return {
    mode: readMode(flags.permissionMode),
    allow: [...flags.allowedTools, ...allow, ...localRules(cwd)],
    deny,
  };
}

/** Shows one dialog after the other. @returns an exit code when one of them ended the start. */
async function passDialogs(
  dialogs: ReturnType<typeof startDialogs>,
  screen: Screen,
): Promise<number | undefined> {
  for (const dialog of dialogs) {
    const effect = await new Promise<StartEffect>((resolve) => screen.openDialog(dialog, resolve));
    if (effect.kind === 'quit') return effect.code;
  }
  return undefined;
}

/** What hooks and MCP servers get: everything, but for `OTEL_*`, and who they belong to. */
function childEnvironment(env: NodeJS.ProcessEnv, sessionId: string, cwd: string): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('OTEL_'));
  return {
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    ...Object.fromEntries(kept),
    CLAUDECODE: '1',
    CLAUDE_CODE_SESSION_ID: sessionId,
    CLAUDE_PROJECT_DIR: cwd,
  };
}
