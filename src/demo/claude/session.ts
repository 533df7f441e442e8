import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { blockOf, contextOf, type HookAnswer } from './hooks/hook-answer.ts';
import { IdleNotice } from './hooks/idle-notice.ts';
import type { ChannelPrompt } from './mcp/channel.ts';
import { PermissionDesk } from './permission/permission-desk.ts';
import type { Policy } from './permission/permission-rules.ts';
import { Rulebook } from './permission/rulebook.ts';
import type { SessionPorts } from './session-ports.ts';
import { slashAction } from './slash.ts';
import { runSlash } from './slash-run.ts';
import { Agents } from './tasks/agents.ts';
import { stoppedByUser, waitingFor } from './tasks/task.ts';
import { Tasks } from './tasks/tasks.ts';
import { planAnswer } from './turn/brain.ts';
import type { Conversation } from './turn/conversation.ts';
import { PromptQueue, type Waiting } from './turn/prompt-queue.ts';
import { Turn, type TurnEnd } from './turn/turn.ts';
import type { TurnPorts } from './turn/turn-ports.ts';

/** Where a prompt comes from, as the transcript has it. */
type Source = Parameters<Conversation['accept']>[2];

/** The running conversation: what is typed or pushed in becomes turns, one at a time; the rest queues up. */
export class Session {
  readonly #ports: SessionPorts;
  readonly #desk: PermissionDesk;
  readonly #queue: PromptQueue;
  readonly #rulebook: Rulebook;
  #conversation: Conversation;
  #turn: Turn | undefined;
  #began = 0;
  #context: string[] = [];
  readonly #tasks: Tasks;
  readonly #agents: Agents;
  readonly #idle: IdleNotice;

  constructor(conversation: Conversation, policy: Policy, ports: SessionPorts) {
    this.#conversation = conversation;
    this.#ports = ports;
    this.#rulebook = new Rulebook(policy, ports.place.cwd, (mode) => ports.screen.setMode(mode));
    this.#queue = new PromptQueue((texts) => ports.screen.setQueued(texts));
    this.#desk = new PermissionDesk({
      hooks: ports.hooks,
      cwd: ports.place.cwd,
      notifyMs: ports.knobs.notifyMs,
      openDialog: (dialog, onChoice) => ports.screen.openDialog(dialog, onChoice),
      relay: (method, params) => ports.servers.relay(method, params),
    });
    this.#idle = new IdleNotice(ports.hooks, ports.knobs.idleMs);
    this.#tasks = new Tasks({
      tell: (text) => this.#tell(text),
      outputFile: (id) => this.#conversation.outputFile(id),
      onAgents: (count) => ports.screen.setAgents(count),
    });
    this.#agents = new Agents({
      turn: this.#turnPorts(),
      promptId: () => this.#conversation.promptId,
      transcriptOf: (agentId) => this.#conversation.transcript.ofAgent(agentId),
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

  /** Aborts the running turn and fires SessionEnd. Agents and tasks live on when the conversation is only cleared. */
  async end(reason: string): Promise<void> {
    this.#idle.disarm();
    if (reason !== 'clear') this.#tasks.close();
    this.#turn?.interrupt();
    const payload = { ...this.#conversation.fields(this.#turn?.promptId), reason };
    await this.#ports.hooks.run({ event: 'SessionEnd', subject: reason, payload });
  }

  /** Esc and Ctrl+C. @returns false when no turn runs. */
  interrupt(): boolean {
    this.#turn?.interrupt();
    return this.#turn !== undefined;
  }

  /** A person stops all agents. By keys that are made for it Claude is told; by Ctrl+C it is not (measured on 2.1.332). */
  stopAgents(how: 'said' | 'unsaid'): void {
    const stopped = this.#agents.stopAll();
    if (how === 'said' && stopped.length > 0) this.#tell(stoppedByUser(stopped));
  }

  cycleMode(): void {
    this.#rulebook.cycleMode();
  }

  /** A prompt that was typed and sent. @param now it ends the turn that runs */
  prompt(text: string, now: boolean): void {
    const running = this.#turn;
    const queued = this.#prompt({ text, shown: text, source: 'typed' });
    // Its hook comes first, under the prompt_id of that turn, of which no end is told (measured on 2.1.332).
    if (now && running) void queued.then(() => this.#turn === running && running.interrupt());
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
    const answers = await this.#submitHook(waiting.text, turn.promptId, turn.signal);
    const block = blockOf(answers);
    if (block !== undefined || turn.signal.aborted) {
      this.#giveBack(waiting);
      if (block !== undefined) {
        this.#ports.screen.log(`  ⎿  UserPromptSubmit operation blocked by hook: ${block}`);
        this.#conversation.transcript.refused(waiting.text, block);
      }
      this.#finish();
      return;
    }
    this.#context = contextOf(answers);
    await this.#run(turn, [waiting], waiting.source === 'task' ? 'system' : waiting.source);
  }

  /** The hook fires at once, under the running turn's prompt_id (measured on 2.1.329). */
  async #enqueue(waiting: Waiting, turn: Turn): Promise<void> {
    this.#queue.add(waiting);
    const block = blockOf(await this.#submitHook(waiting.text, turn.promptId, turn.signal));
    if (block !== undefined && this.#queue.remove(waiting)) this.#giveBack(waiting);
  }

  /** News of the background: a turn by itself, or behind the one that runs. */
  #tell(text: string): void {
    this.#queue.add({ text, shown: 'Background task ended', source: 'task' });
    if (!this.#turn) this.#next();
  }

  /** Each has a UserPromptSubmit under an id of its own; all are one turn, under the last (measured on 2.1.332). */
  async #runTold(waiting: Waiting[]): Promise<void> {
    const ids = waiting.map(() => randomUUID());
    const turn = this.#newTurn(ids.at(-1));
    const told: Waiting[] = [];
    for (const [at, each] of waiting.entries()) {
      const answers = await this.#submitHook(each.text, ids[at], turn.signal);
      if (blockOf(answers) === undefined) told.push(each);
      this.#context.push(...contextOf(answers));
    }
    if (told.length === 0 || turn.signal.aborted) this.#finish();
    else await this.#run(turn, told, 'system');
  }

  async #run(turn: Turn, waiting: Waiting[], source: Source): Promise<void> {
    const { screen } = this.#ports;
    for (const { shown, source: from } of waiting)
      screen.log('', from === 'channel' ? shown : `❯ ${shown}`, '');
    const text = waiting.map((each) => each.text).join('\n\n');
    const withdraw = this.#accept(text, turn.promptId, source);
    const end = await turn.run(text, withdraw);
    if (end.kind === 'withdrawn') for (const each of waiting) this.#giveBack(each);
    if (end.kind === 'stopped') {
      this.#conversation.lastText = turn.lastText;
      this.#conversation.transcript.turnDuration(Math.round(performance.now() - this.#began));
    }
    this.#finish(end);
  }

  /** @returns how to take it out again */
  #accept(text: string, promptId: string, source: Source): () => void {
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
    if (end?.kind === 'stopped' && this.#tasks.agents > 0) screen.log(waitingFor(this.#tasks.agents));
    if (end) this.#tasks.endLeft(knobs.backgroundMs);
    if (!this.#next()) this.#idle.arm(() => this.#conversation.fields());
  }

  /** Begins the turn that waits. @returns false when none does */
  #next(): boolean {
    const waiting = this.#queue.takeTurn();
    if (waiting.length === 0) return false;
    if (waiting[0]?.source === 'task') void this.#runTold(waiting);
    // Prompts that a person sent are one turn, under a new prompt_id and without UserPromptSubmit.
    else void this.#run(this.#newTurn(), waiting, 'queued');
    return true;
  }

  #newTurn(promptId: string = randomUUID()): Turn {
    this.#idle.disarm();
    this.#conversation.promptId = promptId;
    this.#began = performance.now();
    this.#turn = new Turn(promptId, this.#turnPorts());
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
      rules,
      plan: (prompt) => planAnswer(prompt, this.#conversation.memory(this.#context), rules),
      missingTool: (name) => tools.missing(name),
      mcpServerOf: (name) => tools.serverOf(name),
      gate: (call) => this.#rulebook.gate(call),
      ask: (request) => this.#desk.ask(request),
      apply: (call, updates) => this.#rulebook.apply(call.name, updates),
      runTool: async (call, toolUseId, signal) =>
        this.#agents.use(call, toolUseId) ?? tools.run(call, toolUseId, signal, this.#tasks),
      takeQueued: () => this.#takeQueued(),
      tasks: this.#tasks,
      lastText: () => this.#conversation.lastText,
      exit: (code) => this.#ports.crash(code),
    };
  }

  /** The whole queue joins the running turn. Only now a task's end is submitted, under the id of this turn. */
  async #takeQueued(): Promise<string[]> {
    const turn = this.#turn;
    const texts: string[] = [];
    if (!turn) return texts;
    for (const { text, shown, source } of this.#queue.takeAll()) {
      if (source === 'task') {
        const answers = await this.#submitHook(text, turn.promptId, turn.signal);
        if (blockOf(answers) !== undefined) continue;
      }
      this.#ports.screen.log('', `❯ ${shown}`, '');
      this.#accept(text, turn.promptId, source === 'task' ? 'system' : 'queued');
      texts.push(text);
    }
    return texts;
  }

  #fields(promptId: string | undefined, full: boolean): Record<string, unknown> {
    const mode = full ? { permission_mode: this.#rulebook.mode, effort: { level: 'medium' } } : {};
    return { ...this.#conversation.fields(promptId), ...mode };
  }

  #submitHook(prompt: string, promptId: string | undefined, signal: AbortSignal): Promise<HookAnswer[]> {
    const payload = {
      ...this.#conversation.fields(promptId),
      permission_mode: this.#rulebook.mode,
      prompt,
    };
    return this.#ports.hooks.run({ event: 'UserPromptSubmit', payload, signal });
  }

  /** The prompt stands in the box again. Only what was typed can go back there. */
  #giveBack({ text, source }: Waiting): void {
    const { screen } = this.#ports;
    if (source === 'typed') screen.setBox({ ...screen.box, text: text + screen.box.text });
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

  command(name: string, argument: string): Promise<void> {
    return runSlash(slashAction(name, argument), argument, {
      ...this.#ports,
      fields: () => this.#conversation.fields(),
      announce: (source) => this.announce(source),
      clear: () => this.#clear(),
    });
  }

  async #clear(): Promise<void> {
    await this.end('clear');
    this.#conversation = this.#conversation.cleared(this.#ports.place);
    await this.announce('clear');
  }
}
