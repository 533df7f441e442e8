// Rows of the journal, folded into one entry for each permission question and each deed of an operator. Holds what
// is still open and who asked for the last turns, so that a long history costs no memory.
import type { JournalRow, SessionEvent } from '../../../protocol/events/events.ts';
import { isDialog } from '../../question/dialog-question.ts';
import { Askers } from './askers.ts';
import type { AuditDeed, AuditEntry, AuditQuestion } from './audit-entry.ts';
import { ranState } from './ran-state.ts';
import { type AskedTool, isAbout, type RunEvidence, type RunNews, runNews } from './run-evidence.ts';

/** What {@link AuditTrail} has to see; the rest of the journal is answers and states. */
export const auditEvents = [
  'turn.queued',
  'turn.adopted',
  'turn.cancelling',
  'turn.settled',
  'permission.asked',
  'permission.decided',
  'permission.guessed',
  'permission.settled',
  'activity',
  'tool.called',
  'tool.answered',
  'tool.dropped',
  'lease.taken',
  'lease.released',
  'agent.wanted',
  'agent.stopping',
  'agent.exited',
  'session.removed',
  'session.forgotten',
  'row.forgotten',
] as const satisfies readonly SessionEvent['type'][];

interface Held extends AskedTool {
  entry: AuditEntry;
  /** The call that the bridge held for the answer was dropped. */
  isDropped: boolean;
  done: boolean;
}

interface Conversation {
  askers: Askers;
  /** Turns that are being interrupted: a bridge that is started anew does it once more, for the same person. */
  interrupted: Set<string>;
  open: Set<Held>;
}

/** Who asked and who answered is gone; that somebody did is not. */
const wasVerdict: ReadonlySet<string> = new Set(['permission.asked', 'permission.decided']);

const iso = (at: number) => new Date(at).toISOString();

export class AuditTrail {
  /** @param evidence of every row that is going to be taken */
  constructor(evidence: RunEvidence) {
    this.#evidence = evidence;
  }

  readonly #evidence: RunEvidence;
  readonly #sessions = new Map<string, Conversation>();
  /** In the order of asking; the first ones leave as soon as they are done. */
  #held: Held[] = [];

  /** @returns entries that are complete now, oldest first. */
  take(row: JournalRow): AuditEntry[] {
    this.#fold(row, row.event);
    const open = this.#held.findIndex((held) => !held.done);
    return this.#told(this.#held.splice(0, open === -1 ? this.#held.length : open));
  }

  /** What is still open where the journal ends. */
  rest(): AuditEntry[] {
    return this.#told(this.#held.splice(0));
  }

  #told(held: readonly Held[]): AuditEntry[] {
    for (const each of held) if (each.entry.kind === 'question') this.#judge(each, each.entry);
    return held.map(({ entry }) => entry);
  }

  /** What became of it, by all that the journal says: its run may be told behind the row that closed it. */
  #judge({ heldCall, call, isDropped }: Held, entry: AuditQuestion): void {
    const heard = this.#evidence.of(entry.session, entry.code);
    if (heard && (entry.ran === null || (entry.ran.result === 'started' && heard.result !== 'started')))
      entry.ran = { result: heard.result, output: null, at: iso(heard.at) };
    const facts = {
      ...entry,
      isDialog: isDialog({ tool: entry.tool, call: heldCall }),
      isHeld: heldCall !== undefined,
      isDropped,
      isPassedOn: call !== undefined || heard?.result === 'started',
    };
    Object.assign(entry, ranState(facts));
  }

  #fold({ session, at }: JournalRow, event: SessionEvent): void {
    const here = this.#conversation(session);
    switch (event.type) {
      case 'turn.queued':
        return here.askers.add(event.turn, event.ingress, event.sender);
      case 'turn.adopted':
        // Nobody typed it; whoever asked for what it is about asked for this, too.
        if (event.origin) return here.askers.add(event.turn, event.origin.ingress, event.origin.sender);
        return this.#deed(session, at, 'typed', null, event.text);
      case 'turn.cancelling':
        if (here.interrupted.has(event.turn)) return;
        here.interrupted.add(event.turn);
        return this.#deed(session, at, 'interrupted', event.by);
      case 'turn.settled':
        here.interrupted.delete(event.turn);
        // An agent outlives the turn that began it: its questions go on, and more may come.
        return this.#close(
          here,
          ({ entry }) => entry.kind === 'question' && entry.turn === event.turn && entry.agent === null,
        );
      case 'permission.asked':
        return this.#ask(here, session, at, event);
      case 'permission.decided':
        return this.#question(here, event.code, (question) => {
          const { verdict, by, who = null, reason = null, scope, shown = null } = event;
          question.answer = { verdict, by, who, reason, scope, shown, at: iso(at) };
        });
      case 'permission.guessed':
        return this.#deed(session, at, 'guessed', null, event.code);
      case 'permission.settled':
        return this.#question(here, event.code, (question, held) => {
          question.outcome = { what: event.outcome, detail: event.detail ?? null, at: iso(at) };
          closeIfOver(here, held, question);
        });
      case 'activity':
      case 'tool.called':
      case 'tool.answered':
        return this.#ran(here, at, runNews(event));
      case 'tool.dropped':
        return this.#dropped(here, event.call, event.reason);
      case 'lease.taken':
        return this.#deed(session, at, 'drives', event.by);
      case 'lease.released':
        return this.#deed(session, at, 'drove', null, event.why);
      case 'agent.wanted':
        return this.#deed(session, at, 'wanted', event.by);
      case 'agent.stopping':
        return this.#deed(session, at, 'stopped', null, event.reason);
      case 'agent.exited':
        return this.#close(here, () => true);
      case 'session.removed':
        this.#close(here, () => true);
        this.#sessions.delete(session);
        return this.#deed(session, at, 'removed', null);
      case 'session.forgotten':
        return this.#deed(session, at, 'forgotten', event.by, `${event.rows} rows`);
      case 'row.forgotten':
        // What else it was is nothing that an audit shows.
        if (wasVerdict.has(event.was)) this.#deed(session, at, 'forgotten', null, event.was);
        return;
      default:
        return;
    }
  }

  #conversation(session: string): Conversation {
    const known = this.#sessions.get(session) ?? {
      askers: new Askers(),
      interrupted: new Set(),
      open: new Set(),
    };
    this.#sessions.set(session, known);
    return known;
  }

  #deed(
    session: string,
    at: number,
    what: AuditDeed['what'],
    by: string | null,
    detail: string | null = null,
  ) {
    const entry: AuditDeed = { kind: 'deed', session, at: iso(at), what, by, detail };
    const asked = { toolUse: undefined, heldCall: undefined, call: undefined };
    this.#held.push({ entry, ...asked, isDropped: false, done: true });
  }

  #ask(
    here: Conversation,
    session: string,
    at: number,
    event: Extract<SessionEvent, { type: 'permission.asked' }>,
  ): void {
    const { code, tool, input, rationale = null, cut = false, turn = null, agent, tool_use: toolUse } = event;
    const entry: AuditQuestion = {
      kind: 'question',
      session,
      code,
      asked_at: iso(at),
      tool,
      input,
      rationale,
      cut,
      turn,
      asked_by: here.askers.of(turn),
      agent: agent ? { id: agent.id, title: agent.title ?? null } : null,
      answer: null,
      outcome: null,
      ran: null,
      ran_state: 'unknown',
      ran_evidence: null,
    };
    const held = { entry, toolUse, heldCall: event.call, call: undefined, isDropped: false, done: false };
    this.#held.push(held);
    here.open.add(held);
  }

  #question(here: Conversation, code: string, change: (question: AuditQuestion, held: Held) => void): void {
    for (const held of here.open) {
      if (held.entry.kind === 'question' && held.entry.code === code) return change(held.entry, held);
    }
  }

  #ran(here: Conversation, at: number, news: RunNews | undefined): void {
    if (!news) return;
    const { result, output = null, call } = news;
    for (const held of here.open) {
      const { entry } = held;
      if (entry.kind !== 'question' || !isAbout(news, held)) continue;
      held.call ??= call;
      // Before the answer it has only been announced.
      if (result === 'started' && entry.answer === null && call === undefined) return;
      // An end stays known, whatever is told behind it.
      if (result === 'started' && entry.ran) return;
      entry.ran = { result, output, at: iso(at) };
      closeIfOver(here, held, entry);
      return;
    }
  }

  /** Of a call that was passed on before, nobody says any more how it ended; one that was held goes nowhere. */
  #dropped(here: Conversation, call: string, reason: string): void {
    for (const held of here.open) {
      const { entry } = held;
      if (entry.kind !== 'question' || (held.call !== call && held.heldCall !== call)) continue;
      if (held.call === undefined) held.isDropped = true;
      else if (entry.ran?.result === 'started') entry.ran.output = reason;
      closeIfOver(here, held, entry);
      return;
    }
  }

  #close(here: Conversation, isOver: (held: Held) => boolean): void {
    for (const held of here.open) {
      if (!isOver(held)) continue;
      held.done = true;
      here.open.delete(held);
    }
  }
}

/** Nothing more is to be waited for: it was settled, and either its end is known or none is to come. */
function closeIfOver(here: Conversation, held: Held, { answer, outcome, ran }: AuditQuestion): void {
  const ended = ran !== null && ran.result !== 'started';
  held.done =
    outcome !== null && (ended || held.isDropped || answer?.verdict === 'deny' || outcome.what !== 'applied');
  if (held.done) here.open.delete(held);
}
