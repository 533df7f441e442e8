// Calls that Claude waits for. They outlive the connection: sent again after every handshake until answered,
// given up with words when the bridge stays away.
import { newId } from '../base/ids.ts';
import type { Cancel, Clock } from '../base/time/clock.ts';
import { Pending } from '../base/waiting/pending.ts';
import { argumentsTooLarge, type CallOutcome, type CallRequest } from '../mcp/call.ts';
import { FrameError } from '../protocol/wire/codec.ts';
import { MAX_HELLO_IDS, type ToolCall, type ToolCancel, type ToolResult } from '../protocol/wire/wire.ts';

export interface OpenCallsOptions {
  clock: Clock;
  /** @returns false while the bridge is away. @throws FrameError when the frame cannot travel at all. */
  send(frame: ToolCall | ToolCancel): boolean;
  /** Milliseconds that a call waits for a bridge that is away. */
  offlineMs: number;
}

/** Upper bound of one call, milliseconds. Claude Code gives up after about 28 h by itself (documented). */
const longestCallMs = 24 * 3_600_000;

interface OpenCall {
  frame: ToolCall;
  sent: boolean;
  cancelOffline: Cancel;
}

type Reach = { kind: 'online' } | { kind: 'offline' } | { kind: 'stopped'; reason: string };

export class OpenCalls {
  readonly #options: OpenCallsOptions;
  readonly #pending: Pending<CallOutcome>;
  readonly #calls = new Map<string, OpenCall>();
  #reach: Reach = { kind: 'offline' };

  constructor(options: OpenCallsOptions) {
    this.#options = options;
    this.#pending = new Pending(options.clock);
  }

  /** Call ids that still wait, oldest first. */
  ids(): string[] {
    return [...this.#calls.keys()];
  }

  /** Never rejects: every end of a call is an outcome with words for Claude. */
  async call({ tool, args, toolUseId, signal }: Omit<CallRequest, 'id'>): Promise<CallOutcome> {
    if (this.#reach.kind === 'stopped') return { ok: false, error: this.#reach.reason };
    if (signal.aborted) return cancelled;
    if (this.#calls.size >= MAX_HELLO_IDS) return { ok: false, error: tooManyCalls };
    const call_id = newId('tc');
    const frame: ToolCall = { type: 'tool_call', call_id, tool, args };
    if (toolUseId) frame.tool_use_id = toolUseId;
    const outcome = this.#pending.open(call_id, longestCallMs);
    const call: OpenCall = { frame, sent: false, cancelOffline: () => {} };
    this.#calls.set(call_id, call);
    const onAbort = () => this.#abort(call_id);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#post(call);
    if (this.#reach.kind === 'offline') this.#startOffline(call);
    try {
      return await outcome;
    } catch (error) {
      return {
        ok: false,
        error: `No answer came: ${error instanceof Error ? error.message : String(error)}.`,
      };
    } finally {
      signal.removeEventListener('abort', onAbort);
      call.cancelOffline();
      this.#calls.delete(call_id);
    }
  }

  /** @returns false for a call that nobody waits for: late and repeated results are normal. */
  result(frame: ToolResult): boolean {
    const envelope = frame.envelope ? { envelope: true as const } : {};
    const outcome: CallOutcome = frame.ok
      ? { ok: true, result: frame.result, ...envelope }
      : { ok: false, error: frame.error, ...envelope };
    return this.#settle(frame.call_id, outcome);
  }

  /** The bridge took our hello. */
  online(): void {
    this.#reach = { kind: 'online' };
    for (const call of [...this.#calls.values()]) {
      call.cancelOffline();
      this.#post(call);
    }
  }

  /** The connection is gone; it may come back. */
  offline(): void {
    if (this.#reach.kind !== 'online') return;
    this.#reach = { kind: 'offline' };
    for (const call of this.#calls.values()) this.#startOffline(call);
  }

  /** The bridge will not come back to this process. Open and later calls end with `reason`. */
  stop(reason: string): void {
    this.#reach = { kind: 'stopped', reason };
    for (const id of this.ids()) this.#settle(id, { ok: false, error: reason });
  }

  #post(call: OpenCall): void {
    try {
      if (this.#options.send(call.frame)) call.sent = true;
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.#settle(call.frame.call_id, { ok: false, error: cannotTravel(error) });
    }
  }

  #abort(callId: string): void {
    if (!this.#settle(callId, cancelled)) return;
    // While the bridge is away, the missing id in the next hello.open_calls says the same.
    this.#options.send({ type: 'tool_cancel', call_id: callId });
  }

  #startOffline(call: OpenCall): void {
    const { clock, offlineMs } = this.#options;
    call.cancelOffline = clock.after(offlineMs, () => {
      this.#settle(call.frame.call_id, { ok: false, error: unreachable(call, offlineMs) });
    });
  }

  #settle(callId: string, outcome: CallOutcome): boolean {
    this.#calls.get(callId)?.cancelOffline();
    this.#calls.delete(callId);
    return this.#pending.settle(callId, outcome);
  }
}

const cancelled: CallOutcome = { ok: false, error: 'The call was cancelled.' };
const tooManyCalls = `${MAX_HELLO_IDS} calls are open already. Wait for some of them, then try again.`;

const cannotTravel = (error: FrameError): string =>
  error.code === 'too_large'
    ? argumentsTooLarge(error.message)
    : `The arguments cannot be sent (${error.message}). Nothing was run; correct them and try again.`;

function unreachable(call: OpenCall, ms: number): string {
  const span = ms >= 120_000 ? `${Math.round(ms / 60_000)} minutes` : `${Math.round(ms / 1000)} seconds`;
  const fate = call.sent
    ? 'The call was sent before that and may have run: check before you repeat it.'
    : 'The call was not sent and did not run.';
  return (
    `The synthesis bridge has not been reachable for ${span}. ${fate} ` +
    'The operator can start it with `synthesis up` and check it with `synthesis doctor`; this session reconnects by itself.'
  );
}
