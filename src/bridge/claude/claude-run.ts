// One process of Claude Code and everything known about it. It reports what hooks (see hook-reader.ts) and the channel
// say; when to type, to wait or to stop is decided by the procedures around it.

import type { Log } from '../../base/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import { Watch } from '../../base/waiting/watch.ts';
import type { AgentReport } from '../../domain/commands.ts';
import { type Call, claudeCall } from '../../domain/policy/call.ts';
import { isOver } from '../../domain/state/session.ts';
import { mcpEvent } from '../../protocol/wire/host.ts';
import type { ChannelLink } from './channel/channel-link.ts';
import { DialogDesk } from './dialog/dialog-desk.ts';
import { HookFeed } from './hooks/hook-feed.ts';
import { HookReader } from './hooks/hook-reader.ts';
import type { Host, HostedHook } from './host-port.ts';
import type { AgentLimits } from './options.ts';
import type { HookClient } from './permission/permission-ask.ts';
import { PermissionDesk } from './permission/permission-desk.ts';
import type { RunIdentity } from './run-identity.ts';
import type { RunOptions } from './run-options.ts';
import type { BoxLayout } from './screen/box-layout.ts';
import type { Dialog } from './screen/dialogs.ts';
import { readScreen, type ScreenView, titleState } from './screen/screen-reader.ts';
import { StandingDialog } from './screen/standing-dialog.ts';
import type { Terminal, TerminalExit } from './terminal-port.ts';
import { unreadMessage } from './tools/host-transport.ts';
import { RunTools } from './tools/run-tools.ts';
import type { LentTools } from './tools/tool-catalog.ts';
import type { Expected, PromptFate } from './turn/translate.ts';
import { Turns } from './turn/turns.ts';

/** How long a title may say that nothing works before agents are believed to have been stopped by hand, ms. */
const restMs = 60_000;
/** How long Claude Code may take to go by a settings file that has changed: 1.5 s measured on 2.1.332, ms. */
const settingsMs = 2000;

export class ClaudeRun {
  readonly terminal: Terminal;
  readonly watch: Watch;
  readonly turns: Turns;
  readonly desk: PermissionDesk;
  /** What no hook tells. */
  readonly dialogs: DialogDesk;
  readonly limits: AgentLimits;
  readonly clock: Clock;
  readonly log: Log;
  readonly digest: string;
  /** What the environment of all that it starts says of it. */
  readonly mark: string;
  readonly editorDir: string | undefined;
  readonly identity: RunIdentity;
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
  /** The prompt that was handed over last, until Claude Code tells of it. */
  expected: Expected | undefined;
  /** The turn whose text stands in the box behind a dialog that nobody answers, its key pressed. */
  covered: string | undefined;
  /** What became of the keys sent last. */
  fate: PromptFate | undefined;
  /** `claude auth status` said so. */
  signedOut = false;
  /** Channel messages that reached Claude's input. */
  readonly written = new Set<string>();
  /** Text of ours that may still be in the box. */
  lastTyped: string | undefined;
  /** When a turn was stopped with Ctrl+C last, monotonic ms. */
  interruptedAt?: number;
  /** How often it has drawn. What is drawn behind a key is a later picture than the one the key was meant for. */
  drawn = 0;
  /** What `drawn` was when it was asked to draw and did not. */
  silentAt: number | undefined;
  /** What `drawn` was when it was found to stand still in its work. */
  stalledAt: number | undefined;
  /** It is asked to draw, by so many at once: rows of its own, and those that it has meanwhile. */
  asked?: { own: number; rows: number; by: number } | undefined;
  /** Monotonic ms of the last sign of work. */
  activeAt: number;
  /** The title showed work since the current turn began. */
  worked = false;
  takenAt = 0;
  /** What keeps its hooks from us, as was seen last. */
  hooksOff: string | undefined;
  /** How often the channel server was started again. */
  channelRepairs = 0;

  /** How many turns were over when no work was drawn last. */
  #restedAfter = 0;
  #view: ScreenView | undefined;
  #layout: BoxLayout | undefined;
  readonly #host: Host;
  readonly #feed: HookFeed;
  readonly #tools: RunTools;
  readonly #hooks: HookReader;
  readonly #dialog: StandingDialog;
  readonly #report: (report: AgentReport) => void;
  readonly #reported: () => Promise<void>;
  readonly #readHooksOff: RunOptions['hooksOff'];
  readonly #learned: RunOptions['learned'];
  readonly #unproven: RunOptions['unproven'];
  #looking: Promise<void> = Promise.resolve();
  readonly keys: RunOptions['keys'];
  readonly health: RunOptions['health'];
  /** What may be handed into the turn that runs, oldest first. */
  readonly joins: RunOptions['joins'];

  constructor(options: RunOptions) {
    const { clock, log, limits, terminal } = options;
    this.clock = clock;
    this.log = log;
    this.limits = limits;
    this.#host = options.host;
    this.terminal = terminal;
    this.digest = options.digest;
    this.mark = options.mark;
    this.editorDir = options.editorDir;
    this.identity = options.identity;
    this.#report = (report) => options.report(report, this.#feed.heard);
    this.#reported = options.reported;
    this.#readHooksOff = options.hooksOff;
    this.#layout = options.layout;
    this.#learned = options.learned;
    this.#unproven = options.unproven;
    this.keys = options.keys;
    this.health = options.health;
    this.joins = options.joins;
    this.activeAt = clock.now();
    this.watch = new Watch(clock);
    this.#dialog = new StandingDialog({ clock, rows: () => terminal.rows(), due: () => this.watch.poke() });
    const { known } = options;
    this.#tools = new RunTools(options, {
      report: this.#report,
      listed: () => this.#listed(),
      ran: (toolUse) => this.desk.toolRan(toolUse),
      ownerOf: (toolUse) => this.#hooks.ownerOf(toolUse),
      written: (turn) => {
        this.written.add(turn);
        this.watch.poke();
      },
      asked: (frame, again) => {
        this.desk.relayed(frame, again);
        this.watch.poke();
      },
      changed: () => this.watch.poke(),
    });
    const judge = (call: Call) => this.#tools.judge(call);
    this.turns = new Turns(options.session);
    this.sessionStarted = known !== undefined;
    this.toolsListed = known !== undefined;
    if (this.turns.busy) this.takenAt = this.activeAt;
    this.#hooks = new HookReader(this, { mode: options.mode, judge, known });
    this.#feed = new HookFeed({
      host: options.host,
      log,
      reported: options.reported,
      isClosing: () => this.turns.resting,
      read: (hook, body, client) => this.#hook(hook, body, client),
    });
    this.desk = new PermissionDesk({
      clock,
      permissionMs: limits.permissionMs,
      openQuestions: limits.openQuestions,
      refused: options.questionRefused,
      report: this.#report,
      claimCode: options.claimCode,
      judge: (tool, input) => judge(claudeCall(tool, input)),
      relays: options.relays,
      known: known?.asks,
      askedBefore: known?.askedBefore,
      relay: (code, verdict, sent) => this.link.verdicts.pass(code, verdict, sent),
      dialogShown: () => this.view.box === undefined,
      forget: (code) => this.link.verdicts.forget(code),
    });
    this.dialogs = new DialogDesk({
      clock,
      permissionMs: limits.permissionMs,
      report: this.#report,
      claimCode: options.claimCode,
      judge: (tool, input) => judge(claudeCall(tool, input)),
      isOver: (code) => isOver(options.session(), code),
      known: known?.dialogs,
    });
    terminal.onChange(() => this.#redrawn());
    // Not with the picture, which changes by a change of its size as well.
    terminal.onData(() => {
      this.drawn += 1;
    });
    this.ended = new Promise((resolve) => {
      terminal.onExit((exit) => {
        this.#exited(exit);
        resolve(exit);
      });
    });
  }

  /** Its tools are served through its host: it has no channel server. */
  get isServed(): boolean {
    return this.#tools.served !== undefined;
  }

  /** Of its channel server, if it has one. */
  get link(): ChannelLink {
    return this.#tools.link;
  }

  get tools(): LentTools {
    return this.#tools.lent;
  }

  /** Number of the newest hook that was heard. */
  get heard(): number {
    return this.#feed.heard;
  }

  /** From now on its terminal draws, and its hooks are heard. */
  listen(): void {
    this.#host.attach(this.#feed, this.#unproven);
  }

  /** From now on it stays when the bridge goes, for a while, and the next one goes on with it. */
  outlive(): void {
    this.#host.keep(this.limits.graceMs);
  }

  /** Read once per picture: reading takes 0.1 ms, and every waiting condition asks. */
  get view(): ScreenView {
    const { terminal, lastTyped } = this;
    this.#view ??= readScreen(terminal.rows(), terminal.rows({ bright: true }), this.#layout, lastTyped);
    return this.#view;
  }

  /** Its prompt box is drawn otherwise than is known. */
  learn(layout: BoxLayout): void {
    this.#layout = layout;
    this.#learned(layout);
    this.#redrawn();
  }

  /**
   * Claude Code waits for a prompt: nothing runs, the box is drawn, no question of the main thread is open. Agents may work:
   * the title says so all the time, and a prompt is taken at once (measured on 2.1.332).
   */
  get idle(): boolean {
    const isAtRest = titleState(this.terminal.title) !== 'working' || this.turns.agents > 0;
    return !this.turns.busy && this.desk.open === 0 && isAtRest && this.view.box !== undefined;
  }

  /** Something goes on beside its turns that an orderly end would cut off. */
  get hasTasks(): boolean {
    // The title says so while an agent works, but for moments behind a turn (measured on 2.1.332).
    const isAtWork =
      titleState(this.terminal.title) === 'working' || this.clock.now() - this.activeAt < restMs;
    return this.turns.hasTasks(isAtWork);
  }

  /** A dialog that no question of ours explains keeps everybody waiting. */
  get blocked(): boolean {
    return (
      !this.turns.busy && this.desk.open === 0 && this.view.box === undefined && this.dialog !== undefined
    );
  }

  /** It was found to stand still in its work, and has drawn nothing since. */
  get stalled(): boolean {
    return this.stalledAt === this.drawn;
  }

  /** Something that is no dialog stands in the place of the prompt: a view, an editor, a shell's prompt. */
  get promptHidden(): boolean {
    const { box, shell } = this.view;
    if (this.turns.busy || this.desk.open > 0 || box !== undefined || this.dialog !== undefined) return false;
    return shell !== undefined || this.#dialog.isPromptless;
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

  /** As {@link handing}, for messages that go into the turn that runs, with the answer to this hook. */
  async joining(turns: readonly string[], hook: number): Promise<void> {
    this.emit(turns.map((turn) => ({ type: 'prompt.joining', turn, hook })));
    await this.#reported();
  }

  emit(reports: readonly AgentReport[]): void {
    for (const report of reports) this.#report(report);
  }

  /** A turn begins without a hook that says so. */
  taken(turn: string): void {
    this.emit([{ type: 'prompt.taken', turn }]);
    this.began();
  }

  /** Looks whether its hooks are switched off, or on again. */
  lookAtHooks(): Promise<void> {
    // One behind the other: the newest look counts.
    this.#looking = this.#looking.then(async () => {
      let off = await this.#readHooksOff();
      if (off === undefined && this.hooksOff !== undefined) {
        await this.watch.pause(settingsMs);
        off = await this.#readHooksOff();
      }
      this.hooksOff = off;
      this.watch.poke();
    });
    return this.#looking;
  }

  /** A turn ended without a hook that says so. */
  turnIdle(interrupted: boolean): void {
    this.#hooks.turnOver();
    this.desk.turnEnded('the turn was interrupted');
    // Of one that worked not even the hook came that tells its beginning.
    if (this.turns.busy && this.worked && !this.turns.proven && !interrupted) this.unheard();
    else this.emit([{ type: 'turn.idle', interrupted }]);
    this.watch.poke();
  }

  /** The turn is complete, and its Stop was lost. @param last Claude's last message */
  stopped(last: string | undefined): void {
    this.#hooks.stopLost(last);
    this.watch.poke();
  }

  /** What Claude says in the turn that runs reaches nobody. */
  unheard(): void {
    this.emit([{ type: 'turn.failed', code: 'hooks_off', detail: this.hooksOff ?? '' }]);
  }

  /** Lets go of everything, and ends the host. Resolves when that is gone. Idempotent; the process is ended elsewhere. */
  close(): Promise<void> {
    this.#letGo();
    return this.#host.quit();
  }

  /** Lets go of everything, and leaves process and host to the next bridge. */
  leave(): void {
    this.stopping ??= 'the bridge stops';
    this.#host.leave();
    this.#letGo();
  }

  #letGo(): void {
    this.watch.close();
    this.#dialog.close();
    this.desk.close();
    this.#tools.close();
  }

  async #hook(hook: HostedHook, body: unknown, client: HookClient): Promise<object | undefined> {
    this.activeAt = this.clock.now();
    const { served } = this.#tools;
    if (hook.event === mcpEvent) return served ? served.read(hook.n, body, client) : unreadMessage;
    return this.#hooks.read(hook, body, client);
  }

  #listed(): void {
    this.toolsListed = true;
    this.watch.poke();
  }

  /** A turn of Claude Code begins. */
  began(): void {
    this.worked = this.#working;
    this.takenAt = this.clock.now();
    this.activeAt = this.takenAt;
  }

  /** Pictures come later than hooks: what is drawn right behind a turn may be the work of that one, or that of an agent. */
  get #working(): boolean {
    if (this.turns.agents > 0) return false;
    return titleState(this.terminal.title) === 'working' && this.#restedAfter === this.turns.over;
  }

  #redrawn(): void {
    this.#view = undefined;
    if (titleState(this.terminal.title) === 'working') this.activeAt = this.clock.now();
    else this.#restedAfter = this.turns.over;
    if (this.#working) this.worked = true;
    this.#dialog.redrawn(this.view.box !== undefined || this.view.shell !== undefined);
    this.watch.poke();
  }

  #exited(exit: TerminalExit): void {
    this.exit = exit;
    if (this.turns.resting) this.emit([{ type: 'turn.stopped' }]);
    this.endedBusy = this.turns.busy;
    this.watch.poke();
  }
}
