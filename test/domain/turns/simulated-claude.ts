// A Claude Code that does what it is told to do, in the orders that were measured on 2.1.332, and knows what it did.
// An instruction that makes no sense at its time changes nothing.
import { type History, HistoryWriter, type InventedTurn, notification } from './history.ts';
import { SimulatedCalls, type Verdict } from './simulated-calls.ts';
import { SimulatedTasks } from './simulated-tasks.ts';

type Queued = { kind: 'typed' } | { kind: 'notification'; task: string; text: string };

export class SimulatedClaude {
  readonly #out = new HistoryWriter();
  readonly #turns: InventedTurn[] = [];
  /** The tool use that began a task. */
  readonly #uses = new Map<string, string>();
  readonly #calls = new SimulatedCalls(this.#out);
  readonly #tasks = new SimulatedTasks(this.#out);
  #queue: Queued[] = [];
  #turn: InventedTurn | undefined;
  /** Stopped, and its Stop hook is not answered yet. */
  #isResting = false;
  /** What the main thread said last, in whichever turn. */
  #words = '';
  #isKilled = false;

  constructor() {
    this.#out.process({ k: 'start' });
    this.#out.hook('SessionStart', { source: 'startup' });
  }

  set gap(ms: number) {
    this.#out.gap = ms;
  }

  history(): History {
    return {
      lines: this.#out.lines,
      turns: this.#turns,
      questions: this.#calls.questions,
      agents: this.#tasks.agents,
      wasKilled: this.#isKilled,
    };
  }

  type(): void {
    this.takeQueue();
    const text = `Request ${this.#out.id('')}`;
    this.#out.typed(text);
    // Of a turn that runs or has just stopped: Claude Code announces the text under its id and keeps it.
    if (this.#turn || this.#isResting) this.#queue.push({ kind: 'typed' });
    else this.#begin('typed');
    this.#submit(text);
  }

  /** @param retries the connection breaks in the middle, and the message is said again from its beginning */
  say(lines: number, retries = false): void {
    if (!this.#isFree) return;
    const batches = Array.from({ length: lines }, () => `Line ${this.#out.id('')}\n`);
    if (retries) this.#out.message(batches.slice(0, 1));
    this.#out.message(batches);
    const text = batches.join('');
    this.#turn?.texts.push(text);
    this.#words = text;
    this.#out.transcriptText(text);
  }

  useTool(): void {
    if (!this.#isFree) return;
    this.#calls.ran(this.#calls.begin('Read', { file: 'kite.txt' }));
    this.#batchEnds();
  }

  ask(count: number): void {
    if (!this.#isFree) return;
    const uses = Array.from({ length: count }, () =>
      this.#calls.begin('Bash', { command: `date > ${this.#out.id('kite')}` }),
    );
    for (const use of uses) this.#calls.ask(use);
  }

  /** @param isLate the agent's first hook comes behind the end of the call that starts it */
  startAgent(isLate: boolean): void {
    if (!this.#isFree) return;
    const id = this.#out.id('a');
    const use = this.#calls.begin('Agent', { description: id, prompt: `Look after ${id}.` });
    this.#uses.set(id, use);
    const runs = () => this.#calls.ran(use, { isAsync: true, status: 'async_launched', agentId: id });
    if (isLate) runs();
    this.#tasks.beginAgent(id);
    if (!isLate) runs();
    this.#batchEnds();
  }

  /** The main thread writes to an agent that ended: the same id runs again. */
  wakeAgent(pick: number): void {
    if (!this.#isFree) return;
    const id = pickOf(this.#tasks.agentsThat('completed'), pick);
    if (id === undefined || this.#queue.some((each) => each.kind === 'notification' && each.task === id))
      return;
    const use = this.#calls.begin('SendMessage', { to: id, message: 'Look again.' });
    this.#uses.set(id, use);
    this.#tasks.beginAgent(id);
    this.#calls.ran(use, { resumedAgentId: id });
    this.#batchEnds();
  }

  startShell(): void {
    if (!this.#isFree) return;
    const id = this.#out.id('b');
    const use = this.#calls.begin('Bash', { command: 'date', run_in_background: true });
    this.#uses.set(id, use);
    this.#tasks.shells.add(id);
    this.#calls.ran(use, { backgroundTaskId: id });
    this.#batchEnds();
  }

  endShell(pick: number): void {
    const id = pickOf([...this.#tasks.shells], pick);
    if (id === undefined) return;
    this.#tasks.shells.delete(id);
    this.#tell(id, 'completed');
  }

  agentUsesTool(pick: number): void {
    const agent = this.#freeAgent(pick);
    if (agent === undefined) return;
    this.#calls.ran(this.#calls.begin('Read', { file: 'kite.txt' }, agent));
    this.#calls.endBatch(agent);
  }

  agentAsks(pick: number): void {
    const agent = this.#freeAgent(pick);
    if (agent === undefined) return;
    this.#calls.ask(this.#calls.begin('Bash', { command: `date > ${this.#out.id('kite')}` }, agent));
  }

  endAgent(pick: number, fails: boolean): void {
    const agent_id = this.#freeAgent(pick);
    if (agent_id === undefined) return;
    if (fails) this.#out.hook('StopFailure', { agent_id, error: 'server_error' });
    else this.#out.hook('SubagentStop', { agent_id, agent_type: 'general-purpose', ...this.#tasks.lists() });
    this.#tasks.endAgent(agent_id, fails ? 'failed' : 'completed');
    this.#tell(agent_id, fails ? 'failed' : 'completed');
  }

  /** Somebody answers a question that is open, here or in the terminal. */
  decide(pick: number, verdict: Verdict): void {
    const question = pickOf(this.#calls.open, pick);
    if (question === undefined) return;
    // "No" in a dialog of the main thread is Esc.
    if (verdict === 'no' && question.agent === undefined) return this.interrupt();
    this.#calls.decide(question, verdict);
    if (!this.#calls.isOpen(question.agent)) {
      if (question.agent === undefined) this.#batchEnds();
      else this.#calls.endBatch(question.agent);
    }
  }

  /** @param isSentOn a Stop hook refuses the end: the turn goes on under its own id */
  stop(isSentOn: boolean): void {
    if (!this.#isFree || !this.#turn) return;
    const n = this.#stopHook(false);
    if (isSentOn) {
      this.#out.answer(n, 'Stop', { decision: 'block', reason: 'Say more.' });
      this.say(1);
      this.#stopHook(true);
    }
    this.#settle('completed');
    this.#isResting = true;
  }

  fail(): void {
    if (!this.#isFree) return;
    this.#out.hook('StopFailure', {
      error: 'server_error',
      last_assistant_message: 'API Error: no kites today',
    });
    this.#settle('failed');
  }

  interrupt(): void {
    // Not measured: Esc while a Stop hook is held.
    if (this.#isResting) return;
    this.#out.key('Esc');
    if (!this.#turn) return;
    this.#calls.interrupt();
    this.#out.transcript('interrupted');
    this.#settle('interrupted');
    this.takeQueue();
  }

  /** The Stop hook is answered: Claude Code takes what waits in its queue, or is idle. */
  rest(): void {
    if (this.#isResting) {
      this.#out.transcript('turn_duration');
      this.#isResting = false;
    }
    this.takeQueue();
  }

  kill(): void {
    this.#isKilled = true;
    // The hooks that are held end a few milliseconds before the process is known to be gone.
    this.#out.gap = 5;
    if (this.#isResting) this.#out.transcript('turn_duration');
    this.#out.process({ k: 'kill', signal: 'SIGKILL' });
    this.#calls.exit();
    if (this.#turn) this.#settle('exited');
    for (const id of this.#tasks.agentsThat('working')) this.#tasks.endAgent(id, 'exited');
    this.#out.process({ k: 'exit', code: 137 });
  }

  /** Lets everything come to its end. */
  finish(): void {
    for (;;) {
      if (this.#calls.open.length > 0) this.decide(0, 'allow');
      else if (this.#turn) this.stop(false);
      else if (this.#isResting || this.#queue.length > 0) this.rest();
      else if (this.#tasks.agentsThat('working').length > 0) this.endAgent(0, false);
      else if (this.#tasks.shells.size > 0) this.endShell(0);
      else break;
    }
    this.#out.process({ k: 'end' });
  }

  /** Neighbours of one kind are one turn. Nothing happens while a turn runs or its Stop hook is held. */
  takeQueue(): void {
    const kind = this.#queue[0]?.kind;
    if (kind === undefined || this.#turn || this.#isResting) return;
    const end = this.#queue.findIndex((each) => each.kind !== kind);
    const taken = this.#queue.splice(0, end < 0 ? this.#queue.length : end);
    this.#begin(kind === 'typed' ? 'queue' : 'notification');
    taken.forEach((each, index) => {
      if (each.kind === 'typed') return;
      if (index > 0) this.#newPrompt();
      this.#told(each);
    });
    // Claude Code announces no prompt from the queue: it is known by what the turn does.
    if (kind === 'typed') this.say(1);
  }

  /** The main thread can do something: its turn runs and waits for no tool. */
  get #isFree(): boolean {
    return this.#turn !== undefined && !this.#calls.isOpen(undefined);
  }

  #begin(by: InventedTurn['by']): void {
    this.#turn = { prompts: [], by, outcome: 'running', texts: [], told: [] };
    this.#turns.push(this.#turn);
    this.#newPrompt();
  }

  #newPrompt(): void {
    const prompt = this.#out.id('p');
    this.#out.prompt = prompt;
    this.#turn?.prompts.push(prompt);
  }

  #settle(outcome: InventedTurn['outcome']): void {
    if (this.#turn) this.#turn.outcome = outcome;
    this.#turn = undefined;
  }

  #submit(prompt: string): void {
    this.#out.hook('UserPromptSubmit', { prompt });
  }

  #told({ task, text }: Queued & { kind: 'notification' }): void {
    this.#submit(text);
    this.#turn?.told.push(task);
  }

  #tell(task: string, status: string): void {
    const text = notification(task, this.#uses.get(task), status);
    this.#queue.push({ kind: 'notification', task, text });
  }

  /** The main thread calls its model again: what waits in the queue goes in. */
  #batchEnds(): void {
    this.#calls.endBatch(undefined);
    for (const each of this.#queue.splice(0)) {
      if (each.kind === 'notification') this.#told(each);
    }
  }

  #stopHook(isAgain: boolean): number {
    return this.#out.hook('Stop', {
      stop_hook_active: isAgain,
      last_assistant_message: this.#words.trimEnd(),
      ...this.#tasks.lists(),
    });
  }

  #freeAgent(pick: number): string | undefined {
    return pickOf(
      this.#tasks.agentsThat('working').filter((id) => !this.#calls.isOpen(id)),
      pick,
    );
  }
}

const pickOf = <T>(list: readonly T[], pick: number): T | undefined => list[pick % list.length];
