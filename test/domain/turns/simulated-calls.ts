import type { HistoryWriter, InventedQuestion } from './history.ts';

/** `yes` and `no` are pressed in Claude Code's dialog, after the hook was answered with nothing. */
export type Verdict = 'allow' | 'deny' | 'yes' | 'no';

interface Call {
  tool: string;
  input: unknown;
  agent: string | undefined;
}

/** The tool calls of the main thread and of the agents, and the questions about them. */
export class SimulatedCalls {
  readonly questions: InventedQuestion[] = [];
  readonly #out: HistoryWriter;
  /** Calls of a batch that is not over, by tool use. */
  readonly #calls = new Map<string, Call>();

  constructor(out: HistoryWriter) {
    this.#out = out;
  }

  get open(): InventedQuestion[] {
    return this.questions.filter(({ outcome }) => outcome === 'open');
  }

  /** A question of this thread waits. */
  isOpen(agent: string | undefined): boolean {
    return this.open.some((each) => each.agent === agent);
  }

  /** @returns its tool use */
  begin(tool: string, input: unknown, agent?: string): string {
    const use = this.#out.id('u');
    this.#calls.set(use, { tool, input, agent });
    this.#out.hook('PreToolUse', this.#fields(use));
    return use;
  }

  ran(use: string, response: unknown = {}): void {
    this.#out.hook('PostToolUse', { ...this.#fields(use), tool_response: response });
  }

  ask(use: string): void {
    const { tool_use_id, ...fields } = this.#fields(use);
    const n = this.#out.hook('PermissionRequest', fields);
    const agent = this.#calls.get(use)?.agent;
    this.questions.push({ n, use, outcome: 'open', ...(agent !== undefined && { agent }) });
  }

  decide(question: InventedQuestion, verdict: Verdict): void {
    const { n, use } = question;
    if (verdict === 'allow' || verdict === 'deny') {
      const decision = { hookEventName: 'PermissionRequest', decision: { behavior: verdict } };
      this.#out.answer(n, 'PermissionRequest', { hookSpecificOutput: decision });
      question.outcome = verdict === 'allow' ? 'allowed' : 'denied';
    } else {
      this.#out.answer(n, 'PermissionRequest', {});
      this.#out.key(verdict === 'yes' ? '1' : '3');
      question.outcome = verdict === 'yes' ? 'allowed in the terminal' : 'refused in the terminal';
    }
    // A call that was refused has no hook of its own: the end of its batch lists it.
    if (verdict === 'allow' || verdict === 'yes') this.ran(use);
  }

  endBatch(agent: string | undefined): void {
    const uses = [...this.#calls].filter(([, call]) => call.agent === agent).map(([use]) => use);
    for (const use of uses) this.#calls.delete(use);
    this.#out.hook('PostToolBatch', {
      ...(agent !== undefined && { agent_id: agent }),
      tool_calls: uses.map((tool_use_id) => ({ tool_use_id })),
    });
  }

  /** Esc at the main thread: its held hooks are aborted, its calls say nothing more. Agents go on. */
  interrupt(): void {
    this.#close((each) => each.agent === undefined, 'refused in the terminal');
    for (const [use, call] of this.#calls) if (call.agent === undefined) this.#calls.delete(use);
  }

  exit(): void {
    this.#close(() => true, 'closed with the process');
  }

  #close(which: (question: InventedQuestion) => boolean, outcome: InventedQuestion['outcome']): void {
    for (const question of this.open.filter(which)) {
      this.#out.abort(question.n);
      question.outcome = outcome;
    }
  }

  #fields(use: string) {
    const call = this.#calls.get(use);
    if (!call) throw new Error(`No call has the tool use ${use}.`);
    const { tool, input, agent } = call;
    return {
      ...(agent !== undefined && { agent_id: agent }),
      tool_name: tool,
      tool_input: input,
      tool_use_id: use,
    };
  }
}
