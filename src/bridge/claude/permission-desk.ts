// Where the questions of one Claude Code wait. Each may come in by two roads, the held hook and the channel relay;
// they are one question, and its answer goes out by every road it came in.
import { randomInt } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { AgentReport } from '../../domain/commands.ts';
import type { PermissionRequest } from '../../protocol/wire.ts';
import type { PermissionAnswer } from '../app/ports.ts';
import type { PermissionRequestHook } from './hook-schema.ts';
import { permissionResponse } from './permission-response.ts';

type HookAnswer = object;

interface Ask {
  code: string;
  tool: string;
  /** Claude Code's own code, when the relay brought it. */
  relay?: string;
  toolUse?: string;
  hook?: { request: PermissionRequestHook; finish(answer: HookAnswer): void };
  /** Monotonic ms. */
  at: number;
  answered?: PermissionAnswer;
}

export interface DeskOptions {
  clock: Clock;
  /** How long a question may stay open, ms; only told, the core ends it. */
  permissionMs: number;
  report(report: AgentReport): void;
  /** Sends a verdict through the channel; harmless when it is not connected. */
  relay(code: string, verdict: PermissionAnswer['verdict']): void;
}

/** Both roads report one question within this time, ms. */
const joinMs = 1000;
const keptAnswered = 16;

export class PermissionDesk {
  readonly #options: DeskOptions;
  /** Oldest first. */
  #asks: Ask[] = [];

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  /** Questions that still wait. */
  get open(): number {
    return this.#asks.filter((ask) => !ask.answered).length;
  }

  /** Monotonic ms since when the oldest open question waits. */
  get oldestAt(): number | undefined {
    return this.#asks.find((ask) => !ask.answered)?.at;
  }

  /**
   * Holds a hook until it is answered, withdrawn or closed.
   *
   * @param signal aborts when Claude Code gave up the request: "No" or Esc in its terminal
   */
  hold(
    request: PermissionRequestHook,
    toolUse: string | undefined,
    signal: AbortSignal,
  ): Promise<HookAnswer> {
    return new Promise((resolve) => {
      const known = this.#joinable(request.tool_name, (ask) => !ask.hook);
      const ask = known ?? this.#create(request.tool_name);
      const onAbort = () => this.#withdraw(ask, 'declined in the terminal');
      ask.hook = {
        request,
        finish: (answer) => {
          signal.removeEventListener('abort', onAbort);
          resolve(answer);
        },
      };
      if (toolUse !== undefined) ask.toolUse = toolUse;
      if (ask.answered) ask.hook.finish(permissionResponse(request, ask.answered));
      else if (!known) this.#report(ask, request.tool_input, descriptionOf(request.tool_input));
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** The channel relays a question of Claude Code. */
  relayed(frame: PermissionRequest): void {
    const repeated = this.#asks.find((ask) => ask.relay === frame.request_id);
    if (repeated) {
      // Asked again after a reconnect: it may have missed the verdict, and passes one on only once.
      if (repeated.answered) this.#options.relay(frame.request_id, repeated.answered.verdict);
      return;
    }
    const known = this.#joinable(frame.tool, (ask) => ask.relay === undefined);
    const ask = known ?? this.#create(frame.tool, frame.request_id);
    ask.relay = frame.request_id;
    if (ask.answered) this.#options.relay(ask.relay, ask.answered.verdict);
    else if (!known) this.#report(ask, frame.args, frame.rationale || undefined);
  }

  /** @returns false when the question is not open any more. */
  answer(answer: PermissionAnswer): boolean {
    const ask = this.#asks.find(({ code }) => code === answer.code);
    if (!ask || ask.answered) return false;
    ask.answered = answer;
    ask.hook?.finish(permissionResponse(ask.hook.request, answer));
    if (ask.relay !== undefined) this.#options.relay(ask.relay, answer.verdict);
    this.#options.report({ type: 'permission.sent', code: ask.code });
    this.#trim();
    return true;
  }

  /** A tool ran although its question is open: somebody said yes in the terminal. */
  toolRan(toolUse: string | undefined, tool: string): void {
    const open = this.#asks.filter((ask) => !ask.answered);
    const exact = open.find((ask) => toolUse !== undefined && ask.toolUse === toolUse);
    // Without an id (relay only): questions come one at a time, so the oldest of this tool.
    const ask = exact ?? open.find((other) => other.toolUse === undefined && other.tool === tool);
    if (ask) this.#withdraw(ask, 'answered in the terminal');
  }

  /** Every open question left the screen. */
  withdrawAll(detail: string): void {
    for (const ask of [...this.#asks]) if (!ask.answered) this.#withdraw(ask, detail);
  }

  /** The process is gone: lets go of the held requests without a report of its own. */
  close(): void {
    for (const ask of this.#asks) if (!ask.answered) ask.hook?.finish({});
    this.#asks = [];
  }

  #joinable(tool: string, free: (ask: Ask) => boolean): Ask | undefined {
    const after = this.#options.clock.now() - joinMs;
    return this.#asks.find((ask) => ask.tool === tool && ask.at >= after && free(ask));
  }

  #create(tool: string, relay?: string): Ask {
    const ask: Ask = { code: relay ?? this.#newCode(), tool, at: this.#options.clock.now() };
    this.#asks.push(ask);
    return ask;
  }

  #report(ask: Ask, input: unknown, rationale: string | undefined): void {
    this.#options.report({
      type: 'permission.ask',
      code: ask.code,
      tool: ask.tool,
      input,
      ...(rationale !== undefined && { rationale }),
      expires_at: this.#options.clock.wall() + this.#options.permissionMs,
      ...(ask.toolUse !== undefined && { tool_use: ask.toolUse }),
    });
  }

  #withdraw(ask: Ask, detail: string): void {
    if (!this.#asks.includes(ask)) return;
    if (ask.answered) return;
    this.#asks = this.#asks.filter((other) => other !== ask);
    // No decision: whatever the dialog in the terminal said stays said.
    ask.hook?.finish({});
    this.#options.report({ type: 'permission.withdrawn', code: ask.code, detail });
  }

  /** Answered ones are kept a little, for a second road that comes late. */
  #trim(): void {
    const answered = this.#asks.filter((ask) => ask.answered);
    const old = new Set(answered.slice(0, Math.max(0, answered.length - keptAnswered)));
    this.#asks = this.#asks.filter((ask) => !old.has(ask));
  }

  #newCode(): string {
    for (;;) {
      const code = permissionCode();
      if (!this.#asks.some((ask) => ask.code === code || ask.relay === code)) return code;
    }
  }
}

const letters = 'abcdefghijkmnopqrstuvwxyz';

/** Five letters a–z without l, as Claude Code's own codes: 25^5 = 9,765,625 of them. */
export const permissionCode = (): string =>
  Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');

function descriptionOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('description' in input)) return undefined;
  return typeof input.description === 'string' && input.description ? input.description : undefined;
}
