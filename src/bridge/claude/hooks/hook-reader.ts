// What a hook of Claude Code says of its run, and what it is answered.
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
import { AgentStatus } from './agent-status.ts';
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

  /** No tool of it is under way any more. */
  turnOver(): void {
    this.#tools.clear();
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
        if (hook.tool_use_id) this.#tools.started(hook.tool_use_id, hook.tool_name, hook.tool_input);
        const call = claudeCall(hook.tool_name, hook.tool_input);
        return preToolUse(call, this.#judge(call)).answer;
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
    const toolUse = hook.tool_use_id ?? this.#tools.find(hook.tool_name, hook.tool_input);
    const denied = this.#ruled(hook, toolUse, permissionRequest);
    return denied ?? this.#run.desk.hold(n, hook, toolUse, client);
  }

  #hooked(n: number, hook: HookEvent, client: HookClient): object | Promise<object> {
    if (!quietHooks.has(hook.hook_event_name)) this.#run.log.debug('hook', { event: hook.hook_event_name });
    // A subagent may be in a mode of its own.
    if (!hook.agent_id) this.#inMode(hook.permission_mode);
    const wasBusy = this.#run.trace.busy;
    const { reports, fate } = this.#run.trace.handle(hook);
    this.#run.emit(reports);
    if (fate) this.#run.fate = fate;
    if (this.#run.trace.busy && !wasBusy) this.#run.began();
    if (this.#run.trace.closing) this.#run.clock.after(lateBatchMs, () => this.#flush());
    switch (hook.hook_event_name) {
      case 'SessionStart':
        this.#run.sessionStarted = true;
        return this.#follow(hook);
      case 'UserPromptSubmit':
        return fate === 'garbled'
          ? { decision: 'block', reason: 'The text did not arrive as it was sent.' }
          : {};
      case 'PreToolUse':
        if (hook.tool_use_id) this.#tools.started(hook.tool_use_id, hook.tool_name, hook.tool_input);
        return this.#ruled(hook, hook.tool_use_id, preToolUse);
      case 'PermissionRequest':
        return this.#asked(n, hook, client);
      case 'PostToolUse':
      case 'PostToolUseFailure':
        if (hook.tool_use_id) this.#tools.ended(hook.tool_use_id);
        this.#run.desk.toolRan(hook.tool_use_id, hook.tool_name);
        return joinRunning(this.#run, n, hook, client);
      case 'Stop':
      case 'StopFailure':
        if (!hook.agent_id) this.#run.desk.turnEnded('the turn ended');
        return {};
      case 'Notification':
        if (hook.notification_type === 'idle_prompt' && this.#run.trace.busy) this.#run.turnIdle(false);
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
    if (said.decided) this.#run.emit([{ type: 'tool.ruled', tool, input, ...joined, ruling }]);
    return said.answer;
  }

  #flush(): void {
    if (!this.#run.trace.closing) return;
    this.#run.emit(this.#run.trace.flush());
    this.#run.watch.poke();
  }
}
