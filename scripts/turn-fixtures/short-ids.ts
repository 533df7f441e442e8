/** Fields that hold an id, and the letter of its short name. */
const letters: Readonly<Record<string, string>> = {
  session_id: 's',
  prompt_id: 'p',
  agent_id: 'a',
  tool_use_id: 'u',
  turn_id: 't',
  message_id: 'm',
};

/** Short names of the ids of one scenario, numbered as they first appear. */
export class ShortIds {
  readonly #short = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** Names every id in a line of a recording. */
  learn(line: Record<string, unknown>): void {
    if (line.k !== 'hook') return;
    for (const [field, letter] of Object.entries(letters)) this.#add(line[field], letter);
    for (const { id, type } of (line.background_tasks as { id: string; type: string }[]) ?? []) {
      this.#add(id, type === 'subagent' ? 'a' : 'b');
    }
    for (const { id } of (line.session_crons as { id: string }[]) ?? []) this.#add(id, 'c');
    const { agentId, backgroundTaskId } = (line.tool_response ?? {}) as Record<string, unknown>;
    this.#add(agentId, 'a');
    this.#add(backgroundTaskId, 'b');
    this.#add(/<task-id>([^<]+)</.exec(String(line.prompt))?.[1], 'b');
    this.#add(/as task (\w+)/.exec(JSON.stringify(line.tool_response ?? ''))?.[1], 'b');
  }

  find(id: string): string | undefined {
    return this.#short.get(id);
  }

  /** @throws when no hook has named the id */
  short(id: string): string {
    const short = this.#short.get(id);
    if (short === undefined) throw new Error(`No hook names the id ${id}.`);
    return short;
  }

  #add(id: unknown, letter: string): void {
    if (typeof id !== 'string' || id === '' || this.#short.has(id)) return;
    const count = (this.#counts.get(letter) ?? 0) + 1;
    this.#counts.set(letter, count);
    this.#short.set(id, `${letter}${count}`);
  }
}
