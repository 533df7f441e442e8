// What Claude is told that it can call: the tools that the bridge runs, and then what the hub lends.
import { hashId } from '../../../base/digest.ts';
import type { Log } from '../../../base/log.ts';
import type { Call } from '../../../domain/policy/call.ts';
import type { ToolSpec } from '../../../protocol/tool-spec.ts';
import type { LocalTools } from '../options.ts';

/** Claude's call of a tool that the hub or the bridge lends. */
export interface LentCall {
  call: string;
  tool: string;
  args: Record<string, unknown>;
  tool_use?: string;
}

/** How Claude is lent tools, whichever way it is told of them. */
export interface LentTools {
  /** @param tools what the hub lends */
  setTools(tools: readonly ToolSpec[]): void;
  /** What there is may have changed: Claude Code is told, if it has asked before. */
  toolsChanged(): void;
  /** Claude Code was told of a change, and does not have the new list yet. */
  readonly isStale: boolean;
  /** It does not ask: nobody is to wait for that any more. */
  giveUp(): void;
  /** @param envelope the content is the JSON of one */
  answerTool(call: string, ok: boolean, content: string, envelope?: boolean): void;
}

/** Equal for equal lists. */
export const markOf = (tools: readonly ToolSpec[]): string => hashId(JSON.stringify(tools));

export class ToolCatalog {
  readonly #local: LocalTools | undefined;
  readonly #log: Log;
  #lent: readonly ToolSpec[];
  /** Names of lent tools that ours hide, as they were logged last. */
  #hidden = '';

  constructor(lent: readonly ToolSpec[], local: LocalTools | undefined, log: Log) {
    this.#lent = lent;
    this.#local = local;
    this.#log = log;
  }

  lend(tools: readonly ToolSpec[]): void {
    this.#lent = tools;
  }

  /** As they are now. A name is one tool's: the policy and the bridge take it for ours, so Claude must, too. */
  all(): ToolSpec[] {
    const local = this.#local?.specs() ?? [];
    const names = new Set(local.map(({ name }) => name));
    const hidden = this.#lent.filter(({ name }) => names.has(name)).map(({ name }) => name);
    this.#tell(hidden);
    return [...local, ...this.#lent.filter(({ name }) => !names.has(name))];
  }

  #tell(hidden: string[]): void {
    const before = this.#hidden;
    this.#hidden = hidden.join(' ');
    if (hidden.length > 0 && this.#hidden !== before)
      this.#log.warn('a provider has a tool of the same name: the hub’s is not offered', { tools: hidden });
  }
}

/** A call with the provider whose tool it is, as the policy has to see it. */
export function withProvider(call: Call, local: LocalTools | undefined): Call {
  const found = call.lent ? local?.find(call.tool) : undefined;
  return found ? { ...call, ...found } : call;
}
