// What a hook of Claude Code says of its run, and what it is answered.
import { newId } from '../../../base/ids.ts';
import { modeName } from '../../../domain/permission-mode.ts';
import { type Call, claudeCall } from '../../../domain/policy/call.ts';
import type { Ruling } from '../../../domain/policy/ruling.ts';
import type { PermissionMode } from '../../../protocol/settings/permission-mode.ts';
import type { ClaudeRun } from '../claude-run.ts';
import type { HostedHook } from '../host-port.ts';
import type { KnownRun } from '../known-run.ts';
import type { HookClient } from '../permission/permission-ask.ts';
import { permissionRequest, preToolUse, unreadAnswer } from '../permission/policy-answer.ts';
import { OpenTools } from '../turn/open-tools.ts';
import { type PromptFate, translate } from '../turn/translate.ts';
import type { Turns } from '../turn/turns.ts';
import { AgentStatus } from './agent-status.ts';
import { foreignMessage } from './foreign-message.ts';
import { HookEvent, type SessionStartHook } from './hook-schema.ts';
import { joinRunning } from './join-running.ts';

export interface HookReaderOptions {
  /** Permission mode that Claude Code is started with. */
  mode: PermissionMode;
  /** What the policy says to a call. */
  judge(call: Call): Ruling;
  /** What a bridge before knew of it. */
  known?: KnownRun | undefined;
}

/** How long batches of the last message may come after Stop: 0–4 ms measured. */
const lateBatchMs = 250;
/** How long another Stop hook may take to send Claude on before what it says then is a message of its own, ms. */
const sentOnMs = 1500;

const newTurn = () => newId('t');

/** A main thread's hook under a prompt that nobody has told of. */
const isNews = (turns: Turns, hook: HookEvent): hook is HookEvent & { prompt_id: string } =>
  isOfTurn.has(hook.hook_event_name) &&
  hook.agent_id === undefined &&
  hook.prompt_id !== undefined &&
  turns.isNews(hook.prompt_id);

const isOfTurn: ReadonlySet<HookEvent['hook_event_name']> = new Set([
  'MessageDisplay',
  'PreToolUse',
  'Stop',
  'StopFailure',
]);

type PreToolUseHook = Extract<HookEvent, { hook_event_name: 'PreToolUse' }>;

const quietHooks = new Set(['MessageDisplay', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure']);

export class HookReader {
  readonly #run: ClaudeRun;
  readonly #judge: HookReaderOptions['judge'];
  readonly #status: AgentStatus;
  readonly #known: Pick<KnownRun, 'heard' | 'joining' | 'asks'>;
  readonly #tools = new OpenTools();
  /** Permission mode, as hooks last told it; before that the one it is started with. */
  #mode: string;

  constructor(run: ClaudeRun, { mode, judge, known }: HookReaderOptions) {
    this.#run = run;
    this.#judge = judge;
    this.#known = known ?? { heard: 0, joining: [], asks: [] };
    this.#status = new AgentStatus(known?.status);
    this.#mode = known?.mode ?? modeName(mode);
    if (known) this.#restsUntil();
  }

  /**
   * A hook of this run.
   * @returns the hook's response; for PermissionRequest only when somebody answered
   */
  async read({ n, event, request }: HostedHook, body: unknown, client: HookClient): Promise<object> {
    if (event === 'StatusLine') {
      const status = this.#status.news(body);
      if (status) this.#run.emit([{ type: 'agent.status', status }]);
      return {};
    }
    const parsed = HookEvent.safeParse(body);
    if (!parsed.success || parsed.data.hook_event_name !== event) {
      this.#run.log.debug('hook ignored', { event });
      return unreadAnswer(event);
    }
    const isKnown = n <= this.#known.heard;
    const answer = isKnown
      ? this.#again(n, parsed.data, request, client)
      : this.#hooked(n, parsed.data, client);
    this.#run.watch.poke();
    return answer;
  }

  /** The turn is over, and its Stop was lost. @param last Claude's last message */
  stopLost(last: string | undefined): void {
    const { turns } = this.#run;
    const prompt = turns.running?.phase.prompt;
    const report = { type: 'turn.rest' as const, ...(last !== undefined && { last: last.trimEnd() }) };
    this.#run.emit([prompt === undefined ? report : { ...report, prompt }]);
    this.#restsUntil();
    this.#over(undefined);
  }

  /** No tool of the main thread is under way any more. */
  turnOver(): void {
    this.#tools.over();
  }

  /** The agent that uses a tool under this name. */
  ownerOf(toolUse: string): string | undefined {
    return this.#tools.ownerOf(toolUse);
  }

  #follow(hook: SessionStartHook): object {
    const claude = this.#run.identity.follow(hook);
    if (claude !== undefined) this.#run.emit([{ type: 'agent.session', claude }]);
    return {};
  }

  /** Shift+Tab, a dialog or an accepted plan leads to another mode, which only the hooks tell. */
  #inMode(mode: string | undefined): void {
    if (mode === undefined || modeName(mode) === this.#mode) return;
    this.#mode = modeName(mode);
    this.#run.emit([{ type: 'agent.mode', mode: this.#mode }]);
  }

  /** What it said is in the journal; what becomes of its request may not be. */
  #again(
    n: number,
    hook: HookEvent,
    request: HostedHook['request'],
    client: HookClient,
  ): object | Promise<object> {
    switch (hook.hook_event_name) {
      case 'PreToolUse': {
        this.#started(hook);
        const call = claudeCall(hook.tool_name, hook.tool_input);
        return preToolUse(call, this.#ruling(call)).answer;
      }
      case 'PermissionRequest': {
        const isAsked = this.#known.asks.some((ask) => ask.hook === n);
        return isAsked || request === 'open' ? this.#asked(n, hook, client) : {};
      }
      case 'PostToolUse':
      case 'PostToolUseFailure': {
        const turns = this.#known.joining.filter((each) => each.hook === n);
        const type = request === 'written' ? 'prompt.joined' : 'prompt.parted';
        this.#run.emit(turns.map(({ turn }) => ({ type, turn })));
        return {};
      }
      default:
        return {};
    }
  }

  #asked(
    n: number,
    hook: Extract<HookEvent, { hook_event_name: 'PermissionRequest' }>,
    client: HookClient,
  ): object | Promise<object> {
    const toolUse = hook.tool_use_id ?? this.#tools.find(hook.tool_name, hook.tool_input, hook.agent_id);
    const denied = this.#ruled(hook, toolUse, permissionRequest);
    return denied ?? this.#run.desk.hold(n, hook, toolUse, client);
  }

  #hooked(n: number, hook: HookEvent, client: HookClient): object | Promise<object> {
    if (!quietHooks.has(hook.hook_event_name)) this.#run.log.debug('hook', { event: hook.hook_event_name });
    // A subagent may be in a mode of its own.
    if (!hook.agent_id) this.#inMode(hook.permission_mode);
    // Of a tool that is asked about, two come.
    const isAgain = hook.hook_event_name === 'PreToolUse' && this.#tools.isOpen(hook.tool_use_id ?? '');
    const fate = isAgain ? undefined : this.#report(n, hook);
    switch (hook.hook_event_name) {
      case 'SessionStart':
        this.#run.sessionStarted = true;
        return this.#follow(hook);
      case 'UserPromptSubmit':
        return fate === 'garbled'
          ? { decision: 'block', reason: 'The text did not arrive as it was sent.' }
          : {};
      case 'PreToolUse':
        this.#started(hook);
        return this.#ruled(hook, hook.tool_use_id, preToolUse);
      case 'PermissionRequest':
        return this.#asked(n, hook, client);
      case 'PostToolUse':
      case 'PostToolUseFailure':
        if (hook.tool_use_id) this.#tools.ended(hook.tool_use_id);
        this.#run.desk.toolRan(hook.tool_use_id, hook.tool_name);
        return joinRunning(this.#run, n, hook, client);
      case 'PostToolBatch':
        for (const { tool_use_id } of hook.tool_calls) this.#tools.ended(tool_use_id);
        this.#run.desk.batchOver(hook.tool_calls.map(({ tool_use_id }) => tool_use_id));
        return {};
      case 'Stop':
        this.#restsUntil();
        return this.#over(hook.agent_id);
      case 'StopFailure':
      case 'SubagentStop':
        return this.#over(hook.agent_id);
      case 'ConfigChange':
        void this.#run.lookAtHooks();
        return {};
      case 'Notification':
        if (hook.notification_type === 'idle_prompt' && this.#run.turns.busy) this.#run.turnIdle(false);
        return {};
      default:
        return {};
    }
  }

  /** What holds without a policy, too, and what the policy says. */
  #ruling(call: Call): Ruling {
    const isOwn = (agent: string) => this.#run.turns.hasStarted(agent);
    return foreignMessage(call.tool, call.input, isOwn) ?? this.#judge(call);
  }

  /** The policy's answer to a hook, and a report of what it decided. */
  #ruled<T>(
    { tool_name: tool, tool_input: input }: { tool_name: string; tool_input?: unknown },
    toolUse: string | undefined,
    answer: (call: Call, ruling: Ruling) => { answer: T; decided: boolean },
  ): T {
    const call = claudeCall(tool, input);
    const ruling = this.#ruling(call);
    const said = answer(call, ruling);
    const joined = toolUse === undefined ? {} : { tool_use: toolUse };
    if (said.decided) this.#run.emit([{ type: 'tool.ruled', tool, input, ...joined, ruling }]);
    return said.answer;
  }

  /** Reports what the hook says, and what became of the text that was typed. */
  #report(n: number, hook: HookEvent): PromptFate | undefined {
    const run = this.#run;
    const { turns, expected, signedOut } = run;
    const before = turns.running?.id;
    // The hook that told of our prompt was lost, what it began was not.
    if (expected?.road === 'keys' && isNews(turns, hook)) {
      run.emit([{ type: 'prompt.taken', turn: expected.turn, prompt: hook.prompt_id }]);
      run.fate = 'ours';
    }
    const { reports, fate } = translate(hook, { n, expected, signedOut, newTurn });
    run.emit(reports);
    if (fate) run.fate = fate;
    if (run.fate === 'ours' || fate === 'foreign') run.expected = undefined;
    const now = turns.running?.id;
    if (now !== undefined && now !== before) run.began();
    return fate;
  }

  #started({ tool_use_id: id, tool_name, tool_input, agent_id }: PreToolUseHook): void {
    if (id !== undefined && !this.#tools.isOpen(id)) this.#tools.started(id, tool_name, tool_input, agent_id);
  }

  /** @param agent the one that has ended; without one, the turn of the main thread */
  #over(agent: string | undefined): object {
    this.#tools.over(agent);
    this.#run.desk.turnEnded(agent === undefined ? 'the turn ended' : 'its agent has ended', agent);
    return {};
  }

  /** A turn that rests is over when nothing more has come by then. */
  #restsUntil(): void {
    const { clock, turns, watch } = this.#run;
    const rested = turns.running?.phase.rested;
    if (!rested) return;
    clock.after(turns.sentOn ? sentOnMs : lateBatchMs, () => {
      if (turns.running?.phase.rested !== rested) return;
      this.#run.emit([{ type: 'turn.stopped' }]);
      watch.poke();
    });
  }
}
