// What holds after each step of a history in which everything happens: see deep-history.ts.
import { expect, test } from 'vitest';
import { effectsOf } from '../../src/domain/effects.ts';
import { evolve } from '../../src/domain/state/evolve.ts';
import { isForgotten } from '../../src/domain/state/removal.ts';
import {
  currentTurn,
  deliveringTurn,
  emptySession,
  findTurn,
  keptTurns,
  openAsks,
  owedReplies,
  queuedInClaude,
  queuedTurns,
  type Session,
  unsettledAsks,
} from '../../src/domain/state/session.ts';
import { holdOf, isSettled } from '../../src/domain/state/turn.ts';
import { emptyView, turnsOf, viewRow } from '../../src/domain/views/session/session-view.ts';
import type { SessionEvent } from '../../src/protocol/events/events.ts';
import { forEachDeepHistory } from './deep-history.ts';

const phaseOf = (session: Session, turn: string) => findTurn(session, turn)?.phase.name ?? 'unknown';
const stateOf = (session: Session, code: string) =>
  session.asks.find((ask) => ask.code === code)?.state.name ?? 'unknown';
const waits = (session: Session) => [...session.calls, ...unsettledAsks(session)];

/** In which states of what it is about an event may happen, and in which one it did. */
function ruleOf(session: Session, event: SessionEvent): { may: string[]; did: string } | undefined {
  switch (event.type) {
    case 'turn.queued':
    case 'turn.adopted':
      return { may: ['unknown'], did: phaseOf(session, event.turn) };
    case 'turn.delivering':
      return { may: ['queued', 'delivering'], did: phaseOf(session, event.turn) };
    case 'turn.withdrawn':
      return { may: ['queued', 'delivering'], did: phaseOf(session, event.turn) };
    case 'turn.handed':
    case 'turn.held':
    case 'turn.requeued':
      return { may: ['delivering'], did: phaseOf(session, event.turn) };
    case 'turn.joining':
      return {
        may: event.queued ? ['delivering', 'running'] : ['queued'],
        did: phaseOf(session, event.turn),
      };
    case 'turn.parted':
      return { may: ['joining'], did: phaseOf(session, event.turn) };
    case 'turn.running':
      // Claude Code takes what it had in its own queue.
      return { may: ['delivering', 'joining', 'running'], did: phaseOf(session, event.turn) };
    case 'turn.cancelling':
      return { may: ['delivering', 'running'], did: phaseOf(session, event.turn) };
    case 'turn.settled':
      return { may: ['queued', 'joining', 'delivering', 'running'], did: phaseOf(session, event.turn) };
    case 'answer.delta':
    case 'answer.repaired':
      return { may: ['delivering', 'running'], did: phaseOf(session, event.turn) };
    case 'permission.asked':
      return { may: ['unknown'], did: stateOf(session, event.code) };
    case 'permission.decided':
      return { may: ['asked'], did: stateOf(session, event.code) };
    case 'permission.sent':
      return { may: ['decided'], did: stateOf(session, event.code) };
    case 'permission.settled':
      return { may: ['asked', 'decided', 'sent'], did: stateOf(session, event.code) };
    case 'tool.progressed':
    case 'tool.answered':
    case 'tool.dropped':
      return {
        may: ['open'],
        did: session.calls.some(({ call }) => call === event.call) ? 'open' : 'closed',
      };
    default:
      return undefined;
  }
}

test('no event is about something that is unknown, over, or not that far', () => {
  forEachDeepHistory(() => ({ command, panic, each }) => {
    for (const { before, event } of each) {
      // While everything is stopped a call is answered without ever being open.
      if (panic && command.type === 'tool.call' && event.type === 'tool.dropped') continue;
      const { may, did } = ruleOf(before, event) ?? { may: [''], did: '' };
      if (!may.includes(did)) expect([event.type, did]).toEqual([event.type, may]);
    }
  });
});

test('a message that is given up in the queue closes nothing that Claude waits for', () => {
  forEachDeepHistory(() => ({ command, before, after }) => {
    const given = command.type === 'turn.cancel' || command.type === 'turn.expire' ? command.turn : undefined;
    if (given !== undefined && phaseOf(before, given) === 'queued')
      expect(waits(after)).toEqual(waits(before));
  });
});

test('a session that is removed has nothing that goes on or waits', () => {
  forEachDeepHistory(() => ({ command, after }) => {
    if (command.type !== 'session.remove') return;
    expect([after.turns.filter((turn) => !isSettled(turn)), waits(after)]).toEqual([[], []]);
  });
});

test('a session that was removed starts nothing before it gets a message', () => {
  forEachDeepHistory(() => ({ command, before, events }) => {
    if (!before.removed || command.type === 'turn.submit') return;
    const starts = events.flatMap(effectsOf).filter(({ type }) => type === 'deliver' || type === 'start');
    expect(starts).toEqual([]);
  });
});

test('a conversation leaves with nothing that runs or waits, and nothing is asked of it on its way', () => {
  const seen = new Set<string>();
  forEachDeepHistory(() => ({ command, before, events, after }) => {
    if (!before.move && after.move) {
      seen.add(after.move.as);
      if (after.move.as !== 'held') expect(after.turns.filter((turn) => !isSettled(turn))).toEqual([]);
    }
    if (!before.move) return;
    if (command.type === 'turn.submit' || command.type === 'session.start') expect(events).toEqual([]);
    if (command.type === 'session.house' && (before.move.as !== 'held' || command.held))
      expect([after.move, after.removed]).toEqual([undefined, false]);
  });
  expect(seen).toEqual(new Set(['leaving', 'arriving', 'held']));
});

test('a message that was cancelled is not handed over any more, not even after a restart', () => {
  forEachDeepHistory(() => ({ each }) => {
    for (const { before, event } of each)
      if (event.type === 'turn.delivering') expect(findTurn(before, event.turn)?.cancelledBy).toBeUndefined();
  });
});

test('what is open or owed is never forgotten, and what ended only after enough has ended since', () => {
  forEachDeepHistory(() => {
    const ended: string[] = [];
    return ({ each }) => {
      for (const { before, event, after } of each) {
        if (event.type === 'turn.settled') ended.push(event.turn);
        // What was read back is another conversation's now.
        if (event.type === 'session.opened' && before.removed) ended.length = 0;
        const owed = before.forget
          ? []
          : owedReplies(after).flatMap(({ turn }) => (turn === undefined ? [] : turn));
        const open = before.turns.filter((turn) => !isSettled(turn)).map(({ id }) => id);
        const due = [...open, ...owed.filter((id) => findTurn(before, id)), ...ended.slice(-keptTurns)];
        expect(after.turns.map(({ id }) => id)).toEqual(expect.arrayContaining(due));
        const asks = unsettledAsks(before).map((ask) => ask.code);
        expect(after.asks.map((ask) => ask.code)).toEqual(expect.arrayContaining(asks));
      }
    };
  });
});

test('a key that is used again begins with nothing of the conversation that was removed but what a hub is owed', () => {
  forEachDeepHistory(() => ({ each }) => {
    for (const { before, event, after } of each) {
      if (event.type !== 'session.opened' || !before.removed) continue;
      const { key, ingress, openedAt, touchedAt, agent, health, tools, replies, turns } = after;
      const { run, heard, mode, lease, claude, link } = after;
      const process = { agent, run, heard, health, mode, lease, claude };
      const said = { link, tools, replies, turns, key, ingress, openedAt, touchedAt };
      expect(after).toEqual({ ...emptySession('k'), ...process, ...said });
      const owed = new Set(before.forget ? [] : owedReplies(before).map(({ turn }) => turn));
      expect(turns).toEqual(before.turns.filter(({ id }) => owed.has(id)));
    }
  });
});

test('a removal that forgets leaves nothing owed, nothing lent and no link to the hub', () => {
  forEachDeepHistory(() => ({ each }) => {
    for (const { event, after } of each) {
      if (event.type !== 'session.removed' || !event.forget) continue;
      const { replies, tools, link, responses, errands, status } = after;
      const left = [replies, tools, link, responses, errands, status];
      expect(left).toEqual([[], [], undefined, [], [], undefined]);
    }
  });
});

test('a fold of the rows that are not forgotten is where the session is', () => {
  forEachDeepHistory(() => {
    let rows: { event: SessionEvent; seq: number }[] = [];
    let last = 0;
    let removed = 0;
    return ({ command, each, after }) => {
      for (const { before, event } of each) {
        last += 1;
        rows.push({ event, seq: last });
        if (event.type === 'session.removed' && event.forget) removed = last;
        if (event.type !== 'session.opened' || !before.forget) continue;
        const past = { removed, upTo: last - 1 };
        rows = rows.filter((row) => !isForgotten(past, row.seq, row.event.type));
      }
      if (command.type !== 'turn.submit') return;
      const folded = rows.reduce((now, { event, seq }) => evolve(now, event, seq), emptySession('k'));
      const conversation = ({ agent: _, run: __, heard: ___, health, mode, lease, ...rest }: Session) => ({
        ...rest,
        openedAt: 0,
        touchedAt: 0,
        turns: rest.turns.map((turn) => ({ ...turn, acceptedAt: 0, ended: 0 })),
      });
      expect(conversation(folded)).toEqual(conversation(after));
    };
  });
});

test("an operator's transcript has every turn of its conversation, once, in order of its message", () => {
  forEachDeepHistory(() => {
    let view = emptyView('k');
    const accepted: string[] = [];
    let at = 0;
    return ({ each }) => {
      for (const { event, after } of each) {
        at += 1;
        if (event.type === 'turn.queued' || event.type === 'turn.adopted') accepted.push(event.turn);
        if (event.type === 'session.opened' && view.session.removed)
          accepted.splice(0, accepted.length, ...after.turns.map(({ id }) => id));
        if (event.type === 'session.restored')
          accepted.splice(0, accepted.length, ...after.turns.map(({ id }) => id));
        view = viewRow(view, { seq: 0, at, session: 'k', event });
      }
      expect(turnsOf(view).map(({ id }) => id)).toEqual(accepted);
    };
  });
});

test('whoever ends Claude Code takes back the message that is on its way to it', () => {
  forEachDeepHistory(() => ({ command, panic, before, events, after }) => {
    if (!['session.stop', 'session.remove', 'session.renew'].includes(command.type)) return;
    // Refused: while everything is stopped, or on its way, no conversation begins.
    if ((panic || before.move) && command.type === 'session.renew') return;
    const turn = currentTurn(before);
    if (turn?.phase.name !== 'delivering') return;
    const effects = events.flatMap(effectsOf).map(({ type }) => type);
    // What waits for a place has no process that could end, and tell so.
    const ends = before.agent.name === 'stopped' ? ['interrupt'] : ['interrupt', 'stop'];
    expect(effects.filter((type) => type === 'interrupt' || type === 'stop')).toEqual(ends);
    expect(effects[0]).toBe('interrupt');
    expect(phaseOf(after, turn.id)).toBe('settled');
  });
});

test('while everything is stopped nothing begins, and nothing stays open longer than the step in which it came', () => {
  forEachDeepHistory(() => ({ panic, events, after }) => {
    if (!panic) return;
    const effects = events.flatMap(effectsOf).map(({ type }) => type);
    expect(effects.filter((type) => type === 'deliver' || type === 'start')).toEqual([]);
    expect([openAsks(after), after.calls, after.lease]).toEqual([[], [], undefined]);
    const turn = currentTurn(after);
    if (turn) expect(turn.cancelledBy).toBeDefined();
    else expect(['stopped', 'stopping']).toContain(after.agent.name);
  });
});

test('messages are handed over in the order of their coming, and none is left behind when work goes on', () => {
  forEachDeepHistory(() => ({ command, panic, each, after }) => {
    for (const { before, event } of each)
      if (event.type === 'turn.delivering' && findTurn(before, event.turn)?.phase.name === 'queued')
        expect(event.turn).toBe(queuedTurns(before)[0]?.id);
    const [first] = queuedTurns(after);
    // What waits in one that lives here again goes on with the command behind that; what is held, with `agent.open`.
    if (first && !holdOf(first) && !panic && !after.move && command.type !== 'session.house')
      expect(currentTurn(after) ?? queuedInClaude(after)).toBeDefined();
  });
});

test('what is held is first in line, and goes on as soon as there is a way', () => {
  let held = 0;
  forEachDeepHistory(() => ({ command, panic, before, after, events }) => {
    const [first, ...others] = queuedTurns(after);
    expect(others.filter(holdOf)).toEqual([]);
    const delivered = events.flatMap((event) => (event.type === 'turn.delivering' ? [event.turn] : []));
    // No report about Claude Code but that one leads to another try.
    const isReport = command.type.startsWith('agent.') && command.type !== 'agent.open';
    const was = queuedTurns(before)[0];
    if (!was || !holdOf(was)) return;
    held += 1;
    if (isReport) expect(first).toEqual(was);
    const isFree = !deliveringTurn(before) && !queuedInClaude(before) && !panic && !before.move;
    if (command.type === 'agent.open') expect(delivered).toEqual(isFree ? [was.id] : []);
  });
  expect(held).toBeGreaterThan(0);
});

test('while everything is stopped no accepted message is given up but by whoever sent it, or by its age', () => {
  const givers = ['turn.cancel', 'turn.expire', 'session.remove'];
  forEachDeepHistory(() => ({ command, panic, before, after }) => {
    if (!panic || givers.includes(command.type)) return;
    const kept = after.turns.filter(({ phase }) => phase.name === 'queued').map(({ id }) => id);
    expect(kept).toEqual(expect.arrayContaining(queuedTurns(before).map(({ id }) => id)));
  });
});

test('while everything is stopped a conversation that nobody has opened leaves nothing behind', () => {
  forEachDeepHistory(() => ({ command, panic, before, events }) => {
    const comes = ['turn.submit', 'catalog.set', 'session.link', 'session.renew', 'reply.owe'];
    if (panic && !before.ingress && comes.includes(command.type)) expect(events).toEqual([]);
  });
});
