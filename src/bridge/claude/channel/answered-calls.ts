// Results of Claude's calls as frames, kept for a channel that missed one.
import { failed } from '../../../domain/tools/tool-envelope.ts';
import type { ToolResult } from '../../../protocol/wire/wire.ts';

/** Answered calls that are remembered. */
const keptResults = 100;

export class AnsweredCalls {
  readonly #results = new Map<string, ToolResult>();

  get(call: string): ToolResult | undefined {
    return this.#results.get(call);
  }

  keep(result: ToolResult): ToolResult {
    this.#results.set(result.call_id, result);
    const oldest = this.#results.keys().next().value;
    if (this.#results.size > keptResults && oldest !== undefined) this.#results.delete(oldest);
    return result;
  }
}

/** @param envelope the content is the JSON of one */
export function toolResult(call: string, ok: boolean, content: string, envelope: boolean): ToolResult {
  const head = { type: 'tool_result' as const, call_id: call, ...(envelope && { envelope: true as const }) };
  return ok ? { ...head, ok, result: content } : { ...head, ok: false, error: content };
}

/** Instead of a result that no frame can carry: Claude's waiting has to end. */
export const tooLarge = (call: string): ToolResult =>
  toolResult(call, false, JSON.stringify(failed('RESULT_TOO_LARGE', tooLargeWords)), true);

const tooLargeWords = 'The result could not be handed over: it is larger than 1 MiB.';
