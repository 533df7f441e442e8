import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { never } from '../../base/never.ts';
import { blockOf, contextOf, type HookAnswer, type PermissionUpdate } from './hooks/hook-answer.ts';
import type { Hooks } from './hooks/hooks.ts';
import type { ChannelPrompt } from './mcp/channel.ts';
import type { McpServers } from './mcp/mcp-servers.ts';
import { PermissionDesk } from './permission/permission-desk.ts';
import { applyUpdates, gate, nextMode, type Policy, ruleTexts } from './permission/permission-rules.ts';
import type { Screen } from './screen/screen.ts';
import type { Knobs } from './settings/knobs.ts';
import { storeLocalRules } from './settings/local-settings.ts';
import { slashAction } from './slash.ts';
import { asTask, notification } from './tools/background-task.ts';
import type { ToolBox } from './tools/tool-box.ts';
import { planAnswer, type Rule } from './turn/brain.ts';
import type { Conversation } from './turn/conversation.ts';
import { PromptQueue, type Waiting } from './turn/prompt-queue.ts';
import { Turn, type TurnEnd } from './turn/turn.ts';
import type { BackgroundTask, TurnPorts } from './turn/turn-ports.ts';

export interface SessionPorts {
  knobs: Knobs;
  rules: Rule[];
  place: { env: NodeJS.ProcessEnv; cwd: string; name: string | undefined };
  hooks: Hooks;
  screen: Screen;
  servers: McpServers;
  tools: ToolBox;
  onProgress(): void;
  exit(reason: string, code: number): void;
  crash(code: number): void;
}

/** The running conversation: what is typed or pushed in becomes turns, one at a time; the rest queues up. */
export class Session {
  readonly #ports: SessionPorts;
  readonly #desk: PermissionDesk;
  readonly #queue: PromptQueue;
  #conversation: Conversation;
  #policy: Policy;
  #turn: Turn | undefined;
  #context: string[] = [];
  #background: BackgroundTask[] = [];
  #idle: NodeJS.Timeout | undefined;

  constructor(conversation: Conversation, policy: Policy, ports: SessionPorts) {
    this.#conversation = conversation;
    this.#policy = policy;
    this.#ports = ports;
    this.#queue = new PromptQueue((texts) => ports.screen.setQueued(texts));
    this.#desk = new PermissionDesk({
      hooks: ports.hooks,
      cwd: ports.place.cwd,
      notifyMs: ports.knobs.notifyMs,
      fields: () => this.#fields(this.#turn?.promptId, true),
      openDialog: (dialog, onChoice) => ports.screen.openDialog(dialog, onChoice),
      relay: (method, params) => ports.servers.relay(method, params),
    });
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  get desk(): PermissionDesk {
    return this.#desk;
  }

  /** Fires SessionStart. It is the first thing that happens after the start dialogs. */
  async announce(source: 'startup' | 'resume' | 'clear' | 'compact'): Promise<void> {
    const more = source === 'resume' ? { context_tokens: 1000, seconds_since_last_response: 1 } : {};
    const payload = { ...this.#conversation.fields(), source, model: 'simulated', ...more };
    await this.#ports.hooks.run({ event: 'SessionStart', subject: source, payload });
  }

  /** Aborts the running turn and fires SessionEnd. */
  async end(reason: string): Promise<void> {
    clearTimeout(this.#idle);
    this.#turn?.interrupt();
    const payload = { ...this.#conversation.fields(this.#turn?.promptId), reason };
    await this.#ports.hooks.run({ event: 'SessionEnd', subject: reason, payload });
  }

  /** Esc and Ctrl+C. @returns false when no turn runs. */
  interrupt(): boolean {
    this.#turn?.interrupt();
    return this.#turn !== undefined;
  }

  cycleMode(): void {
    this.#setPolicy({ ...this.#policy, mode: nextMode(this.#policy.mode) });
  }

  /** A prompt that was typed and sent. */
  prompt(text: string): void {
    void this.#prompt({ text, shown: text, source: 'typed' });
  }

  /** An event of a channel. It is never a command, whatever it starts with. */
  push({ text, shown }: ChannelPrompt): void {
    void this.#prompt({ text, shown, source: 'channel' });
  }

  async #prompt(waiting: Waiting): Promise<void> {
    if (this.#turn) {
      await this.#enqueue(waiting, this.#turn);
      return;
    }
    const turn = this.#newTurn();
    const answers = await this.#submitHook(waiting.text, turn);
    const block = blockOf(answers);
    if (block !== undefined || turn.signal.aborted) {
      this.#giveBack(waiting);
      if (block !== undefined)
        this.#ports.screen.log(`  ⎿  UserPromptSubmit operation blocked by hook: ${block}`);
      this.#finish();
      return;
    }
    this.#context = contextOf(answers);
    await this.#run(turn, [waiting], waiting.source);
  }

  /** The hook fires at once, under the running turn's prompt_id (measured on 2.1.329). */
  async #enqueue(waiting: Waiting, turn: Turn): Promise<void> {
    this.#queue.add(waiting);
    const block = blockOf(await this.#submitHook(waiting.text, turn));
    if (block !== undefined && this.#queue.remove(waiting)) this.#giveBack(waiting);
  }

  async #run(turn: Turn, waiting: Waiting[], source: Waiting['source'] | 'queued'): Promise<void> {
    const { screen } = this.#ports;
    for (const { shown, source: from } of waiting)
      screen.log('', from === 'channel' ? shown : `❯ ${shown}`, '');
    const text = waiting.map((each) => each.text).join('\n\n');
    const withdraw = this.#accept(text, turn.promptId, source);
    const end = await turn.run(text, withdraw);
    if (end.kind === 'withdrawn') for (const each of waiting) this.#giveBack(each);
    this.#finish(end);
  }

  /** @returns how to take it out again */
  #accept(text: string, promptId: string, source: Waiting['source'] | 'queued'): () => void {
    const { promptLog } = this.#ports.knobs;
    if (promptLog) appendFileSync(promptLog, `${JSON.stringify(text)}\n`);
    return this.#conversation.accept(text, promptId, source);
  }

  #finish(end?: TurnEnd): void {
    const { screen, knobs } = this.#ports;
    this.#turn = undefined;
    this.#context = [];
    screen.setWorking(false);
    this.#ports.onProgress();
    if (!this.#queue.isEmpty) {
      // All of the queue is one turn, under a new prompt_id and without UserPromptSubmit.
      const waiting = this.#queue.takeAll();
      void this.#run(this.#newTurn(), waiting, 'queued');
      return;
    }
    if (end) this.#startBackground();
    this.#idle = setTimeout(() => {
      const payload = {
        ...this.#conversation.fields(),
        message: 'Claude is waiting for your input',
        notification_type: 'idle_prompt',
      };
      void this.#ports.hooks.run({ event: 'Notification', subject: 'idle_prompt', payload });
    }, knobs.idleMs);
  }

  #newTurn(): Turn {
    clearTimeout(this.#idle);
    this.#turn = new Turn(randomUUID(), this.#turnPorts());
    this.#ports.screen.setWorking(true);
    return this.#turn;
  }

  #turnPorts(): TurnPorts {
    const { knobs, hooks, screen, tools, rules } = this.#ports;
    return {
      knobs,
      hook: (run) => hooks.run(run),
      fields: (promptId, full) => this.#fields(promptId, full),
      transcript: () => this.#conversation.transcript,
      log: (line) => screen.log(line),
      plan: (prompt) => planAnswer(prompt, this.#conversation.memory(this.#context), rules),
      missingTool: (name) => tools.missing(name),
      mcpServerOf: (name) => tools.serverOf(name),
      gate: (call) => gate(call, this.#policy),
      ask: (request) => this.#desk.ask(request),
      apply: (call, updates) => this.#apply(call.name, updates),
      runTool: (call, toolUseId, signal) => tools.run(call, toolUseId, signal),
      takeQueued: () =>
        this.#queue.takeAll().map(({ text, shown }) => {
          screen.log('', `❯ ${shown}`, '');
          this.#accept(text, this.#turn?.promptId ?? '', 'queued');
          return text;
        }),
      background: (task) => this.#background.push(task),
      backgroundTasks: () => this.#background.map(asTask),
      exit: (code) => this.#ports.crash(code),
    };
  }

  #fields(promptId: string | undefined, full: boolean): Record<string, unknown> {
    const mode = full ? { permission_mode: this.#policy.mode, effort: { level: 'medium' } } : {};
    return { ...this.#conversation.fields(promptId), ...mode };
  }

  #submitHook(prompt: string, turn: Turn): Promise<HookAnswer[]> {
    const payload = {
      ...this.#conversation.fields(turn.promptId),
      permission_mode: this.#policy.mode,
      prompt,
    };
    return this.#ports.hooks.run({ event: 'UserPromptSubmit', payload, signal: turn.signal });
  }

  /** The prompt stands in the box again. Only what was typed can go back there. */
  #giveBack({ text, source }: Waiting): void {
    const { screen } = this.#ports;
    if (source === 'typed') screen.setBox({ ...screen.box, text: text + screen.box.text });
  }

  #apply(tool: string, updates: PermissionUpdate[]): void {
    for (const update of updates) {
      if (update.type === 'addRules' && update.destination === 'localSettings')
        storeLocalRules(this.#ports.place.cwd, ruleTexts(update));
    }
    const policy = applyUpdates(this.#policy, updates);
    this.#setPolicy(
      tool === 'ExitPlanMode' && policy.mode === 'plan' ? { ...policy, mode: 'default' } : policy,
    );
  }

  #setPolicy(policy: Policy): void {
    this.#policy = policy;
    this.#ports.screen.setMode(policy.mode);
  }

  /** Bash mode asks nobody and fires no UserPromptSubmit. Here it only leaves a mark, then the model answers. */
  bash(command: string): void {
    const { screen, knobs } = this.#ports;
    screen.log('', `! ${command}`, '  ⎿  (bash mode: would run without asking)');
    if (knobs.bashLog) appendFileSync(knobs.bashLog, `${command}\n`);
    if (this.#turn) return;
    const text = `[[say:Noted: ${command}]]`;
    void this.#run(this.#newTurn(), [{ text, shown: `! ${command}`, source: 'system' }], 'system');
  }

  async command(name: string, argument: string): Promise<void> {
    const { screen, hooks, place, servers } = this.#ports;
    const action = slashAction(name, argument);
    switch (action.kind) {
      case 'exit':
        this.#ports.exit('prompt_input_exit', 0);
        return;
      case 'clear':
        await this.end('clear');
        this.#conversation = this.#conversation.cleared(place);
        await this.announce('clear');
        screen.log('● (conversation cleared)');
        return;
      case 'compact': {
        const fields = { ...this.#conversation.fields(), trigger: 'manual' };
        await hooks.run({ event: 'PreCompact', payload: { ...fields, custom_instructions: argument } });
        await this.announce('compact');
        await hooks.run({
          event: 'PostCompact',
          payload: { ...fields, compact_summary: 'Simulated summary.' },
        });
        screen.log('● Compacted');
        return;
      }
      case 'reconnect':
        await servers.reconnect(action.server);
        return;
      case 'say':
        screen.log(`● ${action.text}`);
        return;
      default:
        never(action);
    }
  }

  /** Turns nobody asked for: a background task ended. */
  #startBackground(): void {
    const tasks = this.#background;
    if (tasks.length === 0) return;
    setTimeout(() => {
      this.#background = [];
      for (const task of tasks) {
        const text = notification(task);
        void this.#prompt({ text, shown: 'Background task ended', source: 'system' });
      }
    }, this.#ports.knobs.backgroundMs);
  }
}
