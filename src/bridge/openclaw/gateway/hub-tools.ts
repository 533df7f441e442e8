// Claude's tool calls that no response will carry: its own `reply`, and OpenClaw's tools while nobody waits for an answer.
import { z } from 'zod';
import type { Log } from '../../../base/log.ts';
import type { Cancel, Clock } from '../../../base/time/clock.ts';
import { findTurn, type Session, type ToolCall } from '../../../domain/state/session.ts';
import type { Turn } from '../../../domain/state/turn.ts';
import { isOutOfTurn, isOwnTool } from '../../../domain/tools/own-tool.ts';
import { failed, succeeded, ToolFailure } from '../../../domain/tools/tool-envelope.ts';
import type { Envelope } from '../../../protocol/envelope.ts';
import { GatewayCallError } from './gateway-call-error.ts';
import type { CallGateway, Conversations } from './hub-ports.ts';
import type { Invocation } from './invoke-tool.ts';
import { unheardMs } from './out-of-turn.ts';
import { fileParams } from './reply-files.ts';
import { nearestChat, sendParams, sourceChat } from './source-chat.ts';
import { mayInvoke } from './tool-authority.ts';

export interface HubToolOptions {
  clock: Clock;
  log: Log;
  conversations: Pick<Conversations, 'session' | 'dispatch' | 'isRead' | 'approversFor'>;
  /** Files, and folders with all that is in them, that no `reply` sends. */
  neverSent: readonly string[];
  /** Undefined when no gateway is configured. */
  gateway: { call: CallGateway; invoke(invocation: Invocation): Promise<string> } | undefined;
}

const sendMs = 60_000;

const ReplyArgs = z.object({ text: z.string().default(''), files: z.array(z.string()).default([]) });

export class HubTools {
  readonly #options: HubToolOptions;
  /** Calls that may still go out in a response → their timer. */
  readonly #waiting = new Map<string, { turn: string; cancel: Cancel }>();

  constructor(options: HubToolOptions) {
    this.#options = options;
  }

  /** Claude called a tool. */
  called(session: Session, id: string): void {
    const call = session.calls.find((each) => each.call === id);
    // The bridge runs what is a provider's.
    if (!call || call.provider !== undefined) return;
    if (isOwnTool(session, call)) return this.#run(session.key, call, () => this.#reply(session, call));
    const turn = turnOf(session, call);
    if (!turn || isOutOfTurn(session, call))
      return this.#run(session.key, call, () => this.#invoke(session, call));
    // Without a gateway the next request takes it along; so it does for whom nothing may be run out of turn.
    if (!this.#options.gateway || !sourceChat(session.key, turn)) return;
    if (mayInvoke(session, call, this.#options.conversations.approversFor(session.key)))
      this.#later(session.key, call, turn);
  }

  /** The bridge has started: what waits for a response may wait in vain. */
  again(session: Session): void {
    for (const { call, handed } of session.calls) if (!handed) this.called(session, call);
  }

  /** A response carried the calls of this turn. */
  handedOut(turn: string): void {
    for (const [id, waiting] of this.#waiting) if (waiting.turn === turn) this.settled(id);
  }

  settled(id: string): void {
    this.#waiting.get(id)?.cancel();
    this.#waiting.delete(id);
  }

  close(): void {
    for (const id of [...this.#waiting.keys()]) this.settled(id);
  }

  #later(key: string, call: ToolCall, turn: Turn): void {
    const { clock, conversations } = this.#options;
    const ms = unheardMs(conversations.session(key), turn);
    const cancel = clock.after(ms, () => {
      this.#waiting.delete(call.call);
      const session = conversations.session(key);
      const now = session && findTurn(session, turn.id);
      if (!session || !now || !session.calls.some((open) => open.call === call.call)) return;
      if (conversations.isRead(turn.id)) this.#later(key, call, now);
      else this.#run(key, call, () => this.#invoke(session, call));
    });
    this.#waiting.set(call.call, { turn: turn.id, cancel });
  }

  async #invoke(session: Session, call: ToolCall): Promise<string> {
    const { gateway, conversations } = this.#options;
    if (!session.tools.some(({ name }) => name === call.tool))
      throw new ToolFailure('NOT_OFFERED', 'It is not offered any more.');
    if (!gateway)
      throw new ToolFailure(
        'NO_ROUTE',
        'No message is being answered, and OpenClaw’s gateway is not configured.',
      );
    const source = nearestChat(session, turnOf(session, call));
    if (!source) throw new ToolFailure('NO_CHAT', 'This conversation did not come from OpenClaw.');
    if (!mayInvoke(session, call, conversations.approversFor(session.key)))
      throw new ToolFailure(
        'NOT_PERMITTED',
        'Outside of an answer OpenClaw would run it with its owner’s rights, and others write in this conversation.',
      );
    return gateway.invoke({ ...meant(call), source, call: call.call });
  }

  async #reply(session: Session, call: ToolCall): Promise<{ data: 'sent' }> {
    const { gateway, neverSent } = this.#options;
    const read = ReplyArgs.safeParse(call.args);
    if (!read.success) throw new ToolFailure('INVALID_ARGUMENTS', z.prettifyError(read.error));
    const { text, files } = read.data;
    if (text.trim() === '' && files.length === 0)
      throw new ToolFailure('INVALID_ARGUMENTS', 'There is nothing to send.');
    if (!gateway)
      throw new ToolFailure(
        'NO_ROUTE',
        'This chat can only be reached by your answer: no gateway is configured.',
      );
    const source = nearestChat(session, turnOf(session, call));
    const params = source && sendParams(source, text, `synthesis-${call.call}`);
    if (!params) throw new ToolFailure('NO_CHAT', 'This conversation has no chat to send to.');
    // Read before anything is sent: a call that failed half-way would be repeated whole.
    const folder = session.claude?.launch.cwd ?? '/';
    const contents = await Promise.all(files.map((path) => fileParams(path, folder, neverSent)));
    if (text.trim() !== '') await gateway.call('send', params, sendMs);
    for (const [at, file] of contents.entries()) {
      const idempotencyKey = `synthesis-${call.call}-${at + 1}`;
      await gateway.call('send', { ...params, message: '', ...file, idempotencyKey }, sendMs);
    }
    return { data: 'sent' };
  }

  /** @param work gives the text of a tool of OpenClaw's, which is handed on as it is, or what our own has to say */
  #run(
    key: string,
    { call, tool }: ToolCall,
    work: () => Promise<string | { data: Envelope['data'] }>,
  ): void {
    const { clock, conversations, log } = this.#options;
    const begun = clock.now();
    const meta = () => ({ query_time_ms: Math.round(clock.now() - begun) });
    const answer = (envelope: Envelope) => {
      const content = JSON.stringify(envelope);
      const ok = envelope.error === null;
      conversations.dispatch(key, { type: 'tool.answer', call, ok, content, envelope: true });
    };
    work().then(
      (result) => {
        if (typeof result !== 'string') return answer(succeeded(result.data, meta()));
        conversations.dispatch(key, { type: 'tool.answer', call, ok: true, content: result });
      },
      (error: unknown) => {
        const failure = asFailure(error);
        log.warn('a tool was not run out of turn', { session: key, tool, code: failure.code, error });
        answer(failed(failure.code, failure.message, { meta: meta() }));
      },
    );
  }
}

/** Every error ends as one that Claude can read. */
function asFailure(error: unknown): ToolFailure {
  if (error instanceof ToolFailure) return error;
  const words = error instanceof Error ? error.message : String(error);
  if (!(error instanceof GatewayCallError)) return new ToolFailure('TOOL_FAILED', words);
  switch (error.code) {
    case 'down':
      return new ToolFailure('GATEWAY_UNREACHABLE', words);
    case 'busy':
      return new ToolFailure('BUSY', words);
    case 'refused':
      return new ToolFailure('GATEWAY_REFUSED', words);
    case 'lost':
    case 'timeout':
      return new ToolFailure('NO_ANSWER', words);
  }
}

const Deferred = z.object({ id: z.string(), args: z.record(z.string(), z.unknown()).default({}) });

/** OpenClaw lends most of its tools through one that calls them by name. */
function meant({ tool, args }: ToolCall): { tool: string; args: Record<string, unknown> } {
  const deferred = tool === 'tool_call' ? Deferred.safeParse(args).data : undefined;
  return deferred ? { tool: deferred.id, args: deferred.args } : { tool, args };
}

const turnOf = (session: Session, call: ToolCall): Turn | undefined =>
  call.turn === undefined ? undefined : findTurn(session, call.turn);
