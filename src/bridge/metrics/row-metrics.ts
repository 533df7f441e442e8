// What rows of the journal add to counters and histograms: the one reader that counts. A row costs the same however many
// there were; what is remembered is what is still open.
import { addedUsd, toldUsd } from '../../domain/state/cost.ts';
import type { Session } from '../../domain/state/session.ts';
import { isSettled } from '../../domain/state/turn.ts';
import type { JournalRow, SessionEvent } from '../../protocol/events/events.ts';
import { FailureCode } from '../../protocol/events/failures.ts';
import { Ingress } from '../../protocol/ingress.ts';
import { Samples } from './samples.ts';

interface OpenTurn {
  /** When it was accepted, epoch ms. */
  at: number;
  ingress: string;
  /** It has left the queue once. */
  waited: boolean;
  /** When it was handed over last, epoch ms. */
  handed?: number;
  /** Text of its answer was seen. */
  wrote: boolean;
}

const outcomes = ['completed', 'failed', 'cancelled', 'expired'];

const seconds = (from: number, to: number) => (to - from) / 1000;

export class RowMetrics {
  readonly samples = new Samples();
  readonly #turns = new Map<string, OpenTurn>();
  /** Code → when it was asked, epoch ms. */
  readonly #asks = new Map<string, number>();
  readonly #calls = new Map<string, { at: number; provider: string }>();
  /** Session → when its Claude Code began to start, epoch ms. */
  readonly #starts = new Map<string, number>();
  /** Sessions whose Claude Code is being ended. */
  readonly #stopping = new Set<string>();
  /** Those of them that were removed. */
  readonly #leaving = new Set<string>();

  /** Session → the running total that its Claude Code told last, US dollars. */
  readonly #costs = new Map<string, number>();

  /** @param sessions as they are before the first row: of what is open there, the beginning is known */
  constructor(sessions: readonly Session[] = []) {
    this.samples.zero();
    this.#zeroKnown();
    for (const { key, turns, cost } of sessions) {
      if (cost) this.#costs.set(key, cost.told);
      for (const turn of turns)
        if (!isSettled(turn))
          this.#turns.set(turn.id, {
            at: turn.acceptedAt,
            ingress: turn.ingress,
            waited: turn.phase.name !== 'queued',
            wrote: turn.answer.text.length > 0,
          });
    }
  }

  /** The first failure of a kind would be no increase if its series began with it: rules for alerts live by these. */
  #zeroKnown(): void {
    for (const ingress of Ingress.options)
      for (const outcome of outcomes) this.samples.add('synthesis_turns_total', [ingress, outcome], 0);
    for (const code of FailureCode.options) this.samples.add('synthesis_turn_failures_total', [code], 0);
    for (const reason of [...FailureCode.options, 'stopped'])
      this.samples.add('synthesis_claude_exits_total', [reason], 0);
  }

  observe({ session, at, event }: JournalRow): void {
    this.samples.add('synthesis_journal_rows_total');
    if (event.type === 'session.removed') this.#removed(session);
    if (event.type.startsWith('agent.')) this.#agent(session, event, at);
    else if (event.type.startsWith('permission.')) this.#permission(event, at);
    else if (event.type.startsWith('tool.')) this.#tool(event, at);
    else this.#turn(event, at);
  }

  #turn(event: SessionEvent, at: number): void {
    const { samples } = this;
    switch (event.type) {
      case 'turn.queued':
        samples.add('synthesis_messages_total', [event.ingress]);
        this.#turns.set(event.turn, { at, ingress: event.ingress, waited: false, wrote: false });
        break;
      case 'turn.adopted': {
        const { by = 'terminal', ingress = 'operator' } = event.origin ?? {};
        samples.add('synthesis_turns_adopted_total', [by]);
        this.#turns.set(event.turn, { at, ingress, waited: true, wrote: false });
        break;
      }
      case 'turn.delivering':
        if (event.attempt > 1) samples.add('synthesis_turn_redeliveries_total');
        this.#delivering(event.turn, at);
        break;
      case 'turn.running':
        this.#running(event.turn, at);
        break;
      case 'answer.delta':
        this.#wrote(event.turn, event.text, at);
        break;
      case 'turn.withdrawn':
        samples.add('synthesis_messages_withdrawn_total');
        this.#turns.delete(event.turn);
        break;
      case 'turn.settled':
        this.#settled(event, at);
        break;
      case 'activity':
        if (event.phase !== 'started') samples.add('synthesis_claude_tools_total', [event.phase]);
        break;
      case 'policy.ruled':
        samples.add('synthesis_policy_rulings_total', [event.verdict]);
        break;
    }
  }

  #delivering(id: string, at: number): void {
    const turn = this.#turns.get(id);
    if (!turn) return;
    if (!turn.waited) this.samples.observe('synthesis_turn_queue_seconds', seconds(turn.at, at));
    turn.waited = true;
    turn.handed = at;
  }

  #running(id: string, at: number): void {
    const turn = this.#turns.get(id);
    if (turn?.handed === undefined) return;
    this.samples.observe('synthesis_turn_delivery_seconds', seconds(turn.handed, at));
    delete turn.handed;
  }

  #wrote(id: string, text: string, at: number): void {
    const turn = this.#turns.get(id);
    if (!turn || turn.wrote || text.trim() === '') return;
    turn.wrote = true;
    this.samples.observe('synthesis_turn_first_text_seconds', seconds(turn.at, at));
  }

  #settled({ turn: id, outcome, code }: Extract<SessionEvent, { type: 'turn.settled' }>, at: number): void {
    const turn = this.#turns.get(id);
    if (!turn) return;
    this.#turns.delete(id);
    this.samples.add('synthesis_turns_total', [turn.ingress, outcome]);
    this.samples.observe('synthesis_turn_duration_seconds', seconds(turn.at, at), [outcome]);
    if (code) this.samples.add('synthesis_turn_failures_total', [code]);
  }

  #permission(event: SessionEvent, at: number): void {
    switch (event.type) {
      case 'permission.asked':
        this.samples.add('synthesis_asks_total');
        this.#asks.set(event.code, at);
        break;
      case 'permission.decided': {
        const asked = this.#asks.get(event.code);
        if (asked === undefined) break;
        const labels = [event.verdict, event.by];
        this.samples.observe('synthesis_ask_verdict_seconds', seconds(asked, at), labels);
        break;
      }
      case 'permission.settled':
        this.samples.add('synthesis_asks_settled_total', [event.outcome]);
        this.#asks.delete(event.code);
        break;
    }
  }

  #tool(event: SessionEvent, at: number): void {
    switch (event.type) {
      case 'tool.called':
        this.#calls.set(event.call, { at, provider: event.provider ?? 'hub' });
        break;
      case 'tool.answered':
        this.#called(event.call, event.ok ? 'ok' : 'failed', at);
        break;
      case 'tool.dropped':
        this.#called(event.call, event.denied ? 'denied' : 'dropped', at);
        break;
    }
  }

  #called(id: string, outcome: string, at: number): void {
    const call = this.#calls.get(id);
    if (!call) return;
    this.#calls.delete(id);
    this.samples.add('synthesis_tool_calls_total', [call.provider, outcome]);
    this.samples.observe('synthesis_tool_call_seconds', seconds(call.at, at), [call.provider]);
  }

  #cost(session: string, told: unknown): void {
    const total = toldUsd(told);
    if (total === undefined) return;
    this.samples.add('synthesis_cost_usd_total', [], addedUsd(total, this.#costs.get(session)));
    this.#costs.set(session, total);
  }

  /** What is still told of its process belongs to the total before. */
  #removed(session: string): void {
    if (this.#stopping.has(session)) this.#leaving.add(session);
    else this.#costs.delete(session);
  }

  #endOf(session: string): string {
    return this.#stopping.has(session) ? 'stopped' : 'exited';
  }

  #agent(session: string, event: SessionEvent, at: number): void {
    const { samples } = this;
    switch (event.type) {
      case 'agent.starting':
        samples.add('synthesis_claude_starts_total');
        this.#starts.set(session, at);
        break;
      case 'agent.status':
        this.#cost(session, event.status.cost_usd);
        break;
      case 'agent.dialog':
        samples.add('synthesis_claude_dialogs_total', [event.failure]);
        break;
      case 'agent.ready': {
        const began = this.#starts.get(session);
        this.#starts.delete(session);
        if (began !== undefined)
          samples.observe('synthesis_claude_start_seconds', seconds(began, at), [event.delivery]);
        break;
      }
      case 'agent.adopted':
        samples.add('synthesis_claude_adopted_total');
        break;
      case 'agent.stopping':
        this.#stopping.add(session);
        break;
      case 'agent.exited':
        this.#starts.delete(session);
        samples.add('synthesis_claude_exits_total', [event.failure ?? this.#endOf(session)]);
        this.#stopping.delete(session);
        if (this.#leaving.delete(session)) this.#costs.delete(session);
        break;
    }
  }
}
