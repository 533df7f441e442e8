// Rows of the journal, folded into one trace for each turn. Holds what is open; no text of anybody comes in.
import type { Session } from '../../domain/state/session.ts';
import { isSettled } from '../../domain/state/turn.ts';
import type { JournalRow, SessionEvent } from '../../protocol/events/events.ts';
import type { Span, Trace } from './spans.ts';

/** Spans of one turn: a turn of hours may run thousands of tools. */
export const mostSpans = 500;

type EventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>;

interface OpenTurn {
  parent?: string;
  request: Span;
  /** Where it is: one of queue, delivery, turn. */
  phase: Span;
  spans: number;
  /** Tools, calls and questions that are open. */
  open: Map<string, Span>;
}

export class TurnTraces {
  /** @param idOf the id that stands for a session: its key may hold names */
  constructor(idOf: (session: string) => string, sessions: readonly Session[] = []) {
    this.#idOf = idOf;
    for (const { key, turns } of sessions)
      for (const turn of turns)
        if (!isSettled(turn)) {
          const { id, ingress, acceptedAt, trace, phase } = turn;
          this.#begin(
            key,
            { turn: id, ingress, ...(trace !== undefined && { trace }) },
            acceptedAt,
            phase.name,
          );
        }
  }

  readonly #idOf: (session: string) => string;
  readonly #turns = new Map<string, OpenTurn>();
  /** Call or code → its turn: what ends them does not name it. */
  readonly #turnOf = new Map<string, string>();

  /** Give it every row. @returns the trace that is complete with this one */
  observe({ session, at, event }: JournalRow): Trace | undefined {
    switch (event.type) {
      case 'turn.queued':
        this.#begin(session, event, at, 'queued');
        return undefined;
      case 'turn.adopted':
        this.#begin(
          session,
          { turn: event.turn, ingress: event.origin?.ingress ?? 'operator' },
          at,
          'running',
        );
        return undefined;
      case 'turn.delivering':
      case 'turn.running':
      case 'turn.requeued':
      case 'turn.held':
      case 'turn.parted':
      case 'turn.joining':
        this.#enter(event.turn, event.type.slice('turn.'.length), at);
        return undefined;
      case 'turn.withdrawn':
        this.#close(event.turn, at);
        return undefined;
      case 'turn.settled':
        return this.#settle(event, at);
      default:
        this.#inside(event, at);
        return undefined;
    }
  }

  #begin(
    session: string,
    { turn, ingress, trace }: { turn: string; ingress: string; trace?: string | undefined },
    at: number,
    phase: string,
  ): void {
    const attributes = {
      'synthesis.session': this.#idOf(session),
      'synthesis.turn': turn,
      'synthesis.ingress': ingress,
    };
    const first = spanOf(phaseNames[phase] ?? 'turn', at);
    const request = { ...spanOf('request', at), attributes, children: [first] };
    this.#turns.set(turn, {
      request,
      phase: first,
      spans: 2,
      open: new Map(),
      ...(trace !== undefined && { parent: trace }),
    });
  }

  #enter(id: string, phase: string, at: number): void {
    const turn = this.#turns.get(id);
    const name = phaseNames[phase];
    if (!turn || name === undefined || turn.phase.name === name) return;
    turn.phase.ended = at;
    turn.phase = spanOf(name, at);
    turn.spans += 1;
    turn.request.children.push(turn.phase);
  }

  #inside(event: SessionEvent, at: number): void {
    switch (event.type) {
      case 'activity':
        if (event.phase === 'started') this.#opened(event.turn, event.tool_use, `tool ${event.tool}`, at);
        else this.#ended(event.tool_use, at, event.phase === 'failed' ? 'failed' : undefined);
        break;
      case 'tool.called':
        this.#opened(event.turn, event.call, `call ${event.tool}`, at, {
          'synthesis.provider': event.provider ?? 'hub',
        });
        break;
      case 'tool.answered':
        this.#ended(event.call, at, event.ok ? undefined : 'failed');
        break;
      case 'tool.dropped':
        this.#ended(event.call, at, event.denied ? 'denied' : 'dropped');
        break;
      case 'permission.asked':
        this.#opened(event.turn, event.code, 'ask', at, { 'synthesis.tool': event.tool });
        break;
      case 'permission.decided':
        this.#ended(event.code, at, undefined, {
          'synthesis.verdict': event.verdict,
          'synthesis.door': event.by,
        });
        break;
    }
  }

  #opened(
    id: string | undefined,
    name: string,
    title: string,
    at: number,
    attributes: Span['attributes'] = {},
  ): void {
    const turn = id === undefined ? undefined : this.#turns.get(id);
    if (id === undefined || !turn || turn.spans >= mostSpans || turn.open.has(name)) return;
    const span = { ...spanOf(title, at), attributes };
    turn.spans += 1;
    turn.open.set(name, span);
    turn.phase.children.push(span);
    this.#turnOf.set(name, id);
  }

  #ended(name: string, at: number, failed?: string, attributes: Span['attributes'] = {}): void {
    const turn = this.#turns.get(this.#turnOf.get(name) ?? '');
    const span = turn?.open.get(name);
    if (!turn || !span) return;
    turn.open.delete(name);
    this.#turnOf.delete(name);
    span.ended = at;
    Object.assign(span.attributes, attributes);
    if (failed !== undefined) span.failed = failed;
  }

  #settle({ turn: id, outcome, code }: EventOf<'turn.settled'>, at: number): Trace | undefined {
    const turn = this.#close(id, at);
    if (!turn) return undefined;
    const { request: span, parent } = turn;
    span.attributes['synthesis.outcome'] = outcome;
    if (code) span.attributes['synthesis.code'] = code;
    if (outcome === 'failed' || outcome === 'expired') span.failed = code ?? outcome;
    return { span, ...(parent !== undefined && { parent }) };
  }

  /** What is still open in it ends with it. */
  #close(id: string, at: number): OpenTurn | undefined {
    const turn = this.#turns.get(id);
    if (!turn) return undefined;
    this.#turns.delete(id);
    for (const [name, span] of turn.open) {
      this.#turnOf.delete(name);
      span.ended = at;
      span.attributes['synthesis.unfinished'] = true;
    }
    turn.phase.ended = at;
    turn.request.ended = at;
    return turn;
  }
}

const phaseNames: Readonly<Record<string, string>> = {
  queued: 'queue',
  requeued: 'queue',
  held: 'queue',
  parted: 'queue',
  delivering: 'delivery',
  joining: 'joining',
  running: 'turn',
};

const spanOf = (name: string, at: number): Span => ({
  name,
  began: at,
  ended: at,
  attributes: {},
  children: [],
});
