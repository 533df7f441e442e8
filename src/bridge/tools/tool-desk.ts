// Runs the calls that Claude makes of providers' tools, and answers each with an envelope.
import type { CallerCommand } from '../../domain/commands.ts';
import type { ToolCall } from '../../domain/session.ts';
import type { ToolRegistry } from './registry.ts';

export type AnswerTool = (key: string, answer: Extract<CallerCommand, { type: 'tool.answer' }>) => void;

export class ToolDesk {
  readonly #registry: Pick<ToolRegistry, 'call'>;
  readonly #answer: AnswerTool;
  readonly #running = new Map<string, AbortController>();

  constructor(registry: Pick<ToolRegistry, 'call'>, answer: AnswerTool) {
    this.#registry = registry;
    this.#answer = answer;
  }

  run(key: string, { call, provider = '', tool, args }: ToolCall): void {
    const stop = new AbortController();
    this.#running.set(call, stop);
    void this.#registry.call(provider, tool, args, stop.signal).then((envelope) => {
      // Whoever cancelled it is not waiting any more, and the call is closed.
      if (!this.#running.delete(call)) return;
      const ok = envelope.error === null || envelope.data !== null;
      this.#answer(key, { type: 'tool.answer', call, ok, content: JSON.stringify(envelope), envelope: true });
    });
  }

  /** Nobody waits for it any more: its provider is told. */
  cancel(call: string): void {
    const stop = this.#running.get(call);
    this.#running.delete(call);
    stop?.abort();
  }

  close(): void {
    for (const call of [...this.#running.keys()]) this.cancel(call);
  }
}
