/** A tool that Claude started and that has not ended. */
interface OpenTool {
  id: string;
  tool: string;
  input: string;
  /** The agent that uses it; absent: the main thread. */
  agent: string | undefined;
}

const kept = 64;

/**
 * PermissionRequest carries no tool_use_id; it is the one of the PreToolUse just before it by the same agent, with the same
 * tool and input (39 ms earlier, measured on 2.1.329; unambiguous in 119 of 119 questions on 2.1.332).
 */
export class OpenTools {
  #open: OpenTool[] = [];

  started(id: string, tool: string, input: unknown, agent: string | undefined): void {
    this.#open.push({ id, tool, input: JSON.stringify(input) ?? '', agent });
    if (this.#open.length > kept) this.#open.shift();
  }

  isOpen(id: string): boolean {
    return this.#open.some((open) => open.id === id);
  }

  ended(id: string): void {
    this.#open = this.#open.filter((tool) => tool.id !== id);
  }

  find(tool: string, input: unknown, agent: string | undefined): string | undefined {
    const text = JSON.stringify(input) ?? '';
    return this.#open.findLast((open) => open.agent === agent && open.tool === tool && open.input === text)
      ?.id;
  }

  /** The agent whose tool it is. */
  ownerOf(id: string): string | undefined {
    return this.#open.find((open) => open.id === id)?.agent;
  }

  /** This agent has ended; without one, the turn of the main thread. */
  over(agent?: string): void {
    this.#open = this.#open.filter((open) => open.agent !== agent);
  }
}
