// Lines with a secret that a person has released to a conversation: there they are shown as they are.
import type { JournalRow } from '../protocol/events/events.ts';
import { vaultTools } from '../protocol/settings/vault.ts';

/** Lines that are kept of a conversation; of more, the oldest are masked again. */
const mostLines = 20;

export class ReleasedSecrets {
  /** Calls that a person is asked about, or has said yes to. */
  readonly #calls = new Set<string>();
  /** By conversation, results of such calls: JSON. */
  readonly #results = new Map<string, string[]>();

  observe({ session, event }: JournalRow): void {
    switch (event.type) {
      case 'tool.called':
        if (event.provider !== undefined && event.tool === vaultTools.release) this.#calls.add(event.call);
        return;
      case 'tool.dropped':
        this.#calls.delete(event.call);
        return;
      case 'tool.answered': {
        if (!this.#calls.delete(event.call) || !event.ok) return;
        const results = [...(this.#results.get(session) ?? []), event.content].slice(-mostLines);
        this.#results.set(session, results);
        return;
      }
      case 'session.removed':
        this.#results.delete(session);
        return;
      default:
        return;
    }
  }

  /** Whether a person has let this conversation see a text. */
  has(key: string, secret: string): boolean {
    const written = JSON.stringify(secret).slice(1, -1);
    // In a result that is JSON in JSON, too.
    const twice = JSON.stringify(written).slice(1, -1);
    const results = this.#results.get(key) ?? [];
    return results.some((result) => result.includes(written) || result.includes(twice));
  }
}
