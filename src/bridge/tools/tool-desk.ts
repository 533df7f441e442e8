// Runs the calls that Claude makes of providers' tools, and answers each with an envelope. Says meanwhile how far they are.
import type { CallerCommand } from '../../domain/commands.ts';
import type { ToolCall } from '../../domain/state/session.ts';
import type { ToolRegistry } from './registry.ts';

export type TellSession = (
  key: string,
  news: Extract<CallerCommand, { type: 'tool.answer' | 'tool.progress' }>,
) => void;

export class ToolDesk {
  readonly #registry: Pick<ToolRegistry, 'call'>;
  readonly #tell: TellSession;
  readonly #running = new Map<string, AbortController>();

  constructor(registry: Pick<ToolRegistry, 'call'>, tell: TellSession) {
    this.#registry = registry;
    this.#tell = tell;
  }

  run(key: string, { call, provider = '', tool, args }: ToolCall): void {
    const stop = new AbortController();
    this.#running.set(call, stop);
    const progressed = (text: string) => {
      // What is said between the cancelling and its end nobody wants to know.
      if (this.#running.has(call)) this.#tell(key, { type: 'tool.progress', call, text });
    };
    void this.#registry.call(provider, tool, args, stop.signal, progressed).then((envelope) => {
      // Whoever cancelled it is not waiting any more, and the call is closed.
      if (!this.#running.delete(call)) return;
      const ok = envelope.error === null || envelope.data !== null;
      this.#tell(key, { type: 'tool.answer', call, ok, content: JSON.stringify(envelope), envelope: true });
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
