// One process of Claude Code and everything known about it. It reports what hooks and the channel say; when to type,
// to wait or to stop is decided by the procedures around it.

import type { Clock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import type { AgentReport } from '../../domain/commands.ts';
import { modeName } from '../../domain/permission-mode.ts';
import { type Call, claudeCall } from '../../domain/policy/call.ts';
import { asks, type Ruling } from '../../domain/policy/ruling.ts';
import type { PermissionMode } from '../../protocol/events.ts';
import type { ToolSpec } from '../../protocol/tool-spec.ts';
import { AgentStatus } from './agent-status.ts';
import { ChannelLink, type LentCall } from './channel-link.ts';
import type { Dialog } from './dialogs.ts';
import { HookEvent, type SessionStartHook } from './hook-schema.ts';
import { OpenTools } from './open-tools.ts';
import type { AgentLimits } from './options.ts';
import type { HookClient } from './permission-ask.ts';
import { PermissionDesk } from './permission-desk.ts';
import { permissionRequest, preToolUse, unreadAnswer } from './policy-answer.ts';
import type { RunIdentity } from './run-identity.ts';
import { readScreen, type ScreenView, titleState } from './screen-reader.ts';
import { StandingDialog } from './standing-dialog.ts';
import type { Terminal, TerminalExit } from './terminal-port.ts';
import { type PromptFate, TurnTrace } from './turn-trace.ts';
import { Watch } from './watch.ts';

export interface RunOptions {
  clock: Clock;
  log: Log;
  limits: AgentLimits;
  terminal: Terminal;
  token: string;
  /** Where its editor looks for a long text; without one everything is typed. */
  editorDir?: string;
  identity: RunIdentity;
  tools: ToolSpec[];
  /** Permission mode it is started with. */
  mode: PermissionMode;
  /** Claude Code was asked to load our channel. */
  relays: boolean;
  claimCode(wanted?: string): string;
  /** What the policy says to a call. */
  judge(call: Call): Ruling;
  report(report: AgentReport): void;
  /** Resolves when everything reported so far is on disk. */
  reported(): Promise<void>;
  /** A question was denied, because too many are open. */
  questionRefused(): void;
}

/** How long batches of the last message may come after Stop: 0–4 ms measured. */
const lateBatchMs = 250;

const quietHooks = new Set(['MessageDisplay', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure']);

export class ClaudeRun {
  readonly terminal: Terminal;
  readonly watch: Watch;
  readonly trace: TurnTrace;
  readonly desk: PermissionDesk;
  readonly link: ChannelLink;
  readonly limits: AgentLimits;
  readonly clock: Clock;
  readonly log: Log;
  readonly token: string;
  readonly editorDir: string | undefined;
  /** Hooks under way. */
  readonly hooks = new Set<object>();
  readonly identity: RunIdentity;
  /** Permission mode, as its hooks last told it; before that the one it is started with. */
  #mode: string;
  /** SessionStart was seen. */
  sessionStarted = false;
  /** Claude Code has our tools. */
  toolsListed = false;
  /** Set once, after the last output was drawn. */
  exit: TerminalExit | undefined;
  /** Resolves with the exit. */
  readonly ended: Promise<TerminalExit>;
  /** A turn ran when it ended. */
  endedBusy = false;
  /** Somebody of ours ends it; the exit is no surprise then. */
  stopping: string | undefined;
  /** What became of the keys sent last. */
  fate: PromptFate | undefined;
  /** Channel messages that reached Claude's input. */
  readonly written = new Set<string>();
  /** Text of ours that may still be in the box. */
  lastTyped: string | undefined;
  /** Monotonic ms of the last sign of work. */
  activeAt: number;
  /** The title showed work since the current turn began. */
  worked = false;
  takenAt = 0;
  /** How often the channel server was started again. */
  channelRepairs = 0;

  #view: ScreenView | undefined;
  readonly #status = new AgentStatus();
  readonly #tools = new OpenTools();
  readonly #dialog: StandingDialog;
  readonly #judge: RunOptions['judge'];
  readonly #claimCode: RunOptions['claimCode'];
  readonly #report: (report: AgentReport) => void;
  readonly #reported: () => Promise<void>;

  constructor(options: RunOptions) {
    const { clock, log, limits, terminal } = options;
    this.clock = clock;
    this.log = log;
    this.limits = limits;
    this.terminal = terminal;
    this.token = options.token;
    this.editorDir = options.editorDir;
    this.identity = options.identity;
    this.#mode = modeName(options.mode);
    this.#judge = options.judge;
    this.#claimCode = options.claimCode;
    this.#report = options.report;
    this.#reported = options.reported;
    this.activeAt = clock.now();
    this.watch = new Watch(clock);
    this.#dialog = new StandingDialog({ clock, rows: () => terminal.rows(), due: () => this.watch.poke() });
    this.trace = new TurnTrace(() => newId('t'));
    this.link = this.#newLink(options);
    this.desk = new PermissionDesk({
      clock,
      permissionMs: limits.permissionMs,
      openQuestions: limits.openQuestions,
      refused: options.questionRefused,
      report: this.#report,
      claimCode: options.claimCode,
      judge: (tool, input) => this.#judge(claudeCall(tool, input)),
      relays: options.relays,
      relay: (code, verdict, sent) => this.link.relayVerdict(code, verdict, sent),
      dialogShown: () => this.view.box === undefined,
      forget: (code) => this.link.forgetVerdict(code),
    });
    terminal.onChange(() => this.#redrawn());
    this.ended = new Promise((resolve) => {
      terminal.onExit((exit) => {
        this.#exited(exit);
        resolve(exit);
      });
    });
  }

  /** Read once per picture: reading takes 0.1 ms, and every waiting condition asks. */
  get view(): ScreenView {
    this.#view ??= readScreen(this.terminal.rows(), this.terminal.rows({ bright: true }));
    return this.#view;
  }

  /** Claude Code waits for a prompt: nothing runs, the box is drawn, no question is open. */
  get idle(): boolean {
    return (
      !this.trace.busy &&
      this.desk.open === 0 &&
      titleState(this.terminal.title) !== 'working' &&
      this.view.box !== undefined
    );
  }

  /** A dialog that no question of ours explains keeps everybody waiting. */
  get blocked(): boolean {
    return (
      !this.trace.busy && this.desk.open === 0 && this.view.box === undefined && this.dialog !== undefined
    );
  }

  /** The dialog that has been on the screen long enough to be believed. */
  get dialog(): Dialog | undefined {
    return this.#dialog.believed;
  }

  /** The prompt of this turn is about to be handed over. A bridge that dies from here on does not do it again. */
  async handing(turn: string): Promise<void> {
    this.#report({ type: 'prompt.handing', turn });
    await this.#reported();
  }

  emit(reports: readonly AgentReport[]): void {
    for (const report of reports) this.#report(report);
  }

  /**
   * A hook of this run.
   * @returns the hook's response; for PermissionRequest only when somebody answered
   */
  async hook(event: string, body: unknown, client: HookClient): Promise<object> {
    this.activeAt = this.clock.now();
    if (event === 'StatusLine') {
      const status = this.#status.news(body);
      if (status) this.#report({ type: 'agent.status', status });
      return {};
    }
    const parsed = HookEvent.safeParse(body);
    if (!parsed.success || parsed.data.hook_event_name !== event) {
      this.log.debug('hook ignored', { event });
      return unreadAnswer(event);
    }
    const answer = this.#hooked(parsed.data, client);
    this.watch.poke();
    return answer;
  }

  /** A turn begins without a hook that says so. */
  taken(turn: string): void {
    this.emit(this.trace.taken(turn));
    this.#began();
  }

  /** A turn ended without a hook that says so. */
  turnIdle(interrupted: boolean): void {
    this.trace.reset();
    this.#tools.clear();
    this.desk.turnEnded('the turn was interrupted');
    this.emit([{ type: 'turn.idle', interrupted }]);
    this.watch.poke();
  }

  /** Lets go of everything. Idempotent; the process itself is ended elsewhere. */
  close(): void {
    this.watch.close();
    this.#dialog.close();
    this.desk.close();
    this.link.close();
  }

  #follow(hook: SessionStartHook): object {
    const claude = this.identity.follow(hook);
    if (claude !== undefined) this.emit([{ type: 'agent.session', claude }]);
    return {};
  }

  /** Shift+Tab, a dialog or an accepted plan leads to another mode, which only the hooks tell. */
  #inMode(mode: string | undefined): void {
    if (mode === undefined || modeName(mode) === this.#mode) return;
    this.#mode = modeName(mode);
    this.emit([{ type: 'agent.mode', mode: this.#mode }]);
  }

  #hooked(hook: HookEvent, client: HookClient): object | Promise<object> {
    if (!quietHooks.has(hook.hook_event_name)) this.log.debug('hook', { event: hook.hook_event_name });
    // A subagent may be in a mode of its own.
    if (!hook.agent_id) this.#inMode(hook.permission_mode);
    const wasBusy = this.trace.busy;
    const { reports, fate } = this.trace.handle(hook);
    this.emit(reports);
    if (fate) this.fate = fate;
    if (this.trace.busy && !wasBusy) this.#began();
    if (this.trace.closing) this.clock.after(lateBatchMs, () => this.#flush());
    switch (hook.hook_event_name) {
      case 'SessionStart':
        this.sessionStarted = true;
        return this.#follow(hook);
      case 'UserPromptSubmit':
        return fate === 'garbled'
          ? { decision: 'block', reason: 'The text did not arrive as it was sent.' }
          : {};
      case 'PreToolUse':
        if (hook.tool_use_id) this.#tools.started(hook.tool_use_id, hook.tool_name, hook.tool_input);
        return this.#ruled(hook, hook.tool_use_id, preToolUse);
      case 'PermissionRequest': {
        const toolUse = hook.tool_use_id ?? this.#tools.find(hook.tool_name, hook.tool_input);
        const denied = this.#ruled(hook, toolUse, permissionRequest);
        return denied ?? this.desk.hold(hook, toolUse, client);
      }
      case 'PostToolUse':
      case 'PostToolUseFailure':
        if (hook.tool_use_id) this.#tools.ended(hook.tool_use_id);
        this.desk.toolRan(hook.tool_use_id, hook.tool_name);
        return {};
      case 'Stop':
      case 'StopFailure':
        if (!hook.agent_id) this.desk.turnEnded('the turn ended');
        return {};
      case 'Notification':
        if (hook.notification_type === 'idle_prompt' && this.trace.busy) this.turnIdle(false);
        return {};
      default:
        return {};
    }
  }

  /** The policy's answer to a hook, and a report of what it decided. */
  #ruled<T>(
    { tool_name: tool, tool_input: input }: { tool_name: string; tool_input?: unknown },
    toolUse: string | undefined,
    answer: (call: Call, ruling: Ruling) => { answer: T; decided: boolean },
  ): T {
    const call = claudeCall(tool, input);
    const ruling = this.#judge(call);
    const said = answer(call, ruling);
    const joined = toolUse === undefined ? {} : { tool_use: toolUse };
    if (said.decided) this.#report({ type: 'tool.ruled', tool, input, ...joined, ruling });
    return said.answer;
  }

  #called(call: LentCall): void {
    const ruling = this.#judge({ tool: call.tool, input: call.args, lent: true });
    const expires_at = this.clock.wall() + this.limits.permissionMs;
    const question = asks(ruling) ? { question: { code: this.#claimCode(), expires_at } } : {};
    this.#report({ type: 'tool.call', ...call, ruling, ...question });
    this.desk.toolRan(call.tool_use);
  }

  #flush(): void {
    if (!this.trace.closing) return;
    this.emit(this.trace.flush());
    this.watch.poke();
  }

  #began(): void {
    this.worked = titleState(this.terminal.title) === 'working';
    this.takenAt = this.clock.now();
    this.activeAt = this.takenAt;
  }

  #redrawn(): void {
    this.#view = undefined;
    if (titleState(this.terminal.title) === 'working') {
      this.worked = true;
      this.activeAt = this.clock.now();
    }
    this.#dialog.redrawn(this.view.box !== undefined);
    this.watch.poke();
  }

  #exited(exit: TerminalExit): void {
    this.exit = exit;
    this.emit(this.trace.flush());
    this.endedBusy = this.trace.busy;
    this.watch.poke();
  }

  #newLink({ clock, log, limits, tools }: RunOptions): ChannelLink {
    return new ChannelLink(tools, {
      clock,
      log,
      inboundLimit: limits.inboundLimit,
      events: {
        report: this.#report,
        called: (call) => this.#called(call),
        toolsListed: () => {
          this.toolsListed = true;
          this.watch.poke();
        },
        written: (turn) => {
          this.written.add(turn);
          this.watch.poke();
        },
        asked: (frame, again) => {
          this.desk.relayed(frame, again);
          this.watch.poke();
        },
        changed: () => this.watch.poke(),
      },
    });
  }
}
