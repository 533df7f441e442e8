// The seven invariants of docs/architecture.md, over random histories of commands and reports.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Command } from '../../src/domain/commands.ts';
import { decide } from '../../src/domain/decide/decide.ts';
import { effectsOf } from '../../src/domain/effects.ts';
import { digestOf } from '../../src/domain/question/picture.ts';
import { evolve } from '../../src/domain/state/evolve.ts';
import { currentTurn, emptySession, type Session, unsettledAsks } from '../../src/domain/state/session.ts';
import { isSettled } from '../../src/domain/state/turn.ts';
import { sessionRow } from '../../src/domain/views/session/session-row.ts';
import { SessionEvent } from '../../src/protocol/events/events.ts';
import { letThrough } from '../support/rulings.ts';
import { runs } from '../support/runs.ts';

const limits = { queued: 3 };
const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;

const id = fc.integer({ min: 1, max: 6 });
const turn = id.map((n) => `t${n}`);
const code = fc.constantFrom('abcde', 'fghij', 'kmnop');
const call = fc.constantFrom('c1', 'c2', 'c3');
const toolUse = fc.constantFrom('u1', 'u2', 'u3');
/** Calls that the policy asks about, or denies. */
const gated = fc.constantFrom('g1', 'g2', 'g3');
/** One of each is of a provider's tool. */
const whose = (id: string) => (id.endsWith('3') ? { provider: 'notes' } : {});
const needs = fc.constantFrom('ask' as const, 'operator' as const, { quorum: 2 }, 'deny' as const);

const command: fc.Arbitrary<Command> = fc.oneof(
  turn.map(
    (t): Command => ({
      type: 'turn.submit',
      turn: t,
      claude: 'uuid',
      launch,
      ingress: 'openai',
      text: `text of ${t}`,
      dedup: { key: t, repeat: 'always' },
    }),
  ),
  fc.tuple(turn, fc.constantFrom('queue' as const, 'steer' as const, 'interrupt' as const)).map(
    ([t, mode]): Command => ({
      type: 'turn.submit',
      turn: t,
      claude: 'uuid',
      launch,
      ingress: 'openai',
      text: `text of ${t}`,
      mode,
      dedup: { key: t, repeat: 'always' },
    }),
  ),
  turn.map((t): Command => ({ type: 'prompt.joining', turn: t })),
  turn.map((t): Command => ({ type: 'prompt.joined', turn: t })),
  turn.map((t): Command => ({ type: 'prompt.parted', turn: t })),
  turn.map((t): Command => ({ type: 'prompt.handing', turn: t })),
  turn.map((t): Command => ({ type: 'prompt.taken', turn: t, prompt: `p-${t}` })),
  fc.tuple(turn, fc.boolean()).map(
    ([t, retry]): Command => ({
      type: 'prompt.failed',
      turn: t,
      code: 'delivery_failed',
      detail: 'x',
      retry,
    }),
  ),
  fc.tuple(turn, fc.nat(3), fc.boolean()).map(
    ([t, index, final]): Command => ({
      type: 'message.delta',
      prompt: `p-${t}`,
      message: 'm',
      index,
      text: `d${index}`,
      final,
    }),
  ),
  fc
    .tuple(turn, fc.constantFrom({}, { last: 'done' }))
    .map(([t, last]): Command => ({ type: 'turn.rest', prompt: `p-${t}`, ...last })),
  fc.constant<Command>({ type: 'turn.stopped' }),
  turn.map((t): Command => ({ type: 'turn.failed', prompt: `p-${t}`, code: 'rate_limited', detail: '429' })),
  fc.boolean().map((interrupted): Command => ({ type: 'turn.idle', interrupted })),
  turn.map((t): Command => ({ type: 'turn.cancel', turn: t, by: 'test' })),
  turn.map((t): Command => ({ type: 'turn.expire', turn: t, code: 'expired' })),
  fc.constant<Command>({ type: 'prompt.foreign', turn: 't9', prompt: 'p-t9', text: 'typed' }),
  fc.tuple(call, toolUse).map(
    ([c, u]): Command => ({
      type: 'tool.call',
      call: c,
      tool: 'exec',
      args: {},
      tool_use: u,
      ...whose(c),
      ruling: letThrough,
    }),
  ),
  fc.tuple(gated, toolUse, code, needs).map(
    ([c, u, q, decision]): Command => ({
      type: 'tool.call',
      call: c,
      tool: 'exec',
      args: {},
      tool_use: u,
      ...whose(c),
      ruling: { decision, why: 'a rule' },
      question: { code: q, expires_at: 0 },
    }),
  ),
  gated.map((c): Command => ({ type: 'tool.cancel', call: c })),
  gated.map((c): Command => ({ type: 'tool.answer', call: c, ok: true, content: 'ok' })),
  call.map((c): Command => ({ type: 'tool.answer', call: c, ok: true, content: 'ok' })),
  call.map((c): Command => ({ type: 'tool.cancel', call: c })),
  fc
    .tuple(fc.oneof(call, gated), fc.constantFrom('1 of 3', '2 of 3'))
    .map(([c, text]): Command => ({ type: 'tool.progress', call: c, text })),
  fc
    .tuple(toolUse, fc.constantFrom('started' as const, 'succeeded' as const))
    .map(([u, phase]): Command => ({ type: 'tool.activity', tool_use: u, tool: 'Bash', phase })),
  fc.tuple(code, toolUse).map(
    ([c, u]): Command => ({
      type: 'permission.ask',
      code: c,
      tool: 'Bash',
      input: {},
      expires_at: 0,
      tool_use: u,
    }),
  ),
  fc
    .tuple(
      code,
      fc.constantFrom('allow' as const, 'deny' as const),
      fc.constantFrom('chat' as const, 'gateway' as const, 'cli' as const),
      fc.constantFrom('telegram:1', 'telegram:2', undefined),
    )
    .map(
      ([c, verdict, by, voter]): Command => ({
        type: 'permission.decide',
        code: c,
        verdict,
        by,
        ...(voter && { voter }),
        shown: digestOf({ tool: 'Bash', input: {}, cut: false }),
      }),
    ),
  code.map((c): Command => ({ type: 'permission.expire', code: c })),
  code.map((c): Command => ({ type: 'permission.sent', code: c })),
  code.map((c): Command => ({ type: 'permission.withdrawn', code: c, detail: 'terminal' })),
  fc.constantFrom<Command>({ type: 'agent.starting' }, { type: 'agent.starting', run: 'r' }),
  fc.constant<Command>({ type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] }),
  fc.constant<Command>({ type: 'agent.dialog', dialog: 'trust', screen: '', failure: 'folder_untrusted' }),
  fc.constant<Command>({ type: 'agent.exited', detail: 'code 1' }),
  fc.constant<Command>({ type: 'session.stop', reason: 'test' }),
  fc.constantFrom<Command>({ type: 'session.recover' }, { type: 'session.recover', lost: 'box' }),
  fc.constantFrom<Command>(
    { type: 'session.hold', node: 'mac' },
    { type: 'session.hold', node: 'mac', ends: true },
  ),
  fc.constantFrom<Command>({ type: 'session.house', held: true }, { type: 'session.house' }),
  fc.boolean().map((typed): Command => ({ type: 'session.adopt', run: 'r', pid: 2, typed })),
  fc.constant<Command>({ type: 'agent.mode', mode: 'plan' }),
  fc
    .tuple(
      fc.constantFrom('plan' as const, 'auto' as const),
      fc.constantFrom('safe' as const, 'all' as const),
    )
    .map(
      ([permissionMode, take]): Command => ({
        type: 'session.configure',
        launch: { ...launch, permissionMode },
        take,
      }),
    ),
  fc.constant<Command>({ type: 'session.renew', claude: 'uuid2', launch }),
);

interface Run {
  session: Session;
  events: SessionEvent[];
}

function step(run: Run, next: Command): Run {
  const after = one(run, next);
  // As the bridge does: what waits goes on with that.
  return next.type === 'session.house' ? one(after, { type: 'session.proceed' }) : after;
}

function one(run: Run, next: Command): Run {
  const decision = decide(run.session, next, limits);
  if ('rejection' in decision) return run;
  return {
    session: decision.events.reduce((session, event) => evolve(session, event, 7), run.session),
    events: [...run.events, ...decision.events],
  };
}

const start: Run = { session: emptySession('k'), events: [] };

function forEachHistory(check: (before: Run, after: Run, next: Command) => void): void {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
      let run = start;
      for (const next of commands) {
        const after = step(run, next);
        check(run, after, next);
        run = after;
      }
    }),
    { numRuns: runs(2_000) },
  );
}

const inFlight = (session: Session, name: 'delivering' | 'running') =>
  session.turns.filter((t) => t.phase.name === name).length;

test('at most one turn runs and one is on its way, and none waits while neither is, unless it is held', () => {
  forEachHistory((_, { session }) => {
    const [delivering, running] = [inFlight(session, 'delivering'), inFlight(session, 'running')];
    expect(Math.max(delivering, running)).toBeLessThanOrEqual(1);
    if (!session.move && session.turns.some((t) => t.phase.name === 'queued'))
      expect(
        delivering + running + session.turns.filter(({ phase }) => phase.name === 'joining').length,
      ).toBeGreaterThan(0);
  });
});

test('every wait closes exactly once, and a settled turn leaves none open but calls, if it ended well', () => {
  forEachHistory((_, { session, events }) => {
    for (const closed of ['c1', 'c2', 'c3']) {
      const opened = events.filter((e) => e.type === 'tool.called' && e.call === closed).length;
      const ended = events.filter(
        (e) => (e.type === 'tool.answered' || e.type === 'tool.dropped') && e.call === closed,
      );
      const open = session.calls.filter((c) => c.call === closed).length;
      expect(opened).toBe(ended.length + open);
    }
    for (const closed of ['abcde', 'fghij', 'kmnop']) {
      const ends = events.filter((e) => e.type === 'permission.settled' && e.code === closed).length;
      const open = unsettledAsks(session).filter((ask) => ask.code === closed).length;
      const asked = events.filter((e) => e.type === 'permission.asked' && e.code === closed).length;
      expect(asked).toBe(ends + open);
    }
    for (const wait of [...session.calls, ...unsettledAsks(session)]) {
      const owner = session.turns.find((t) => t.id === wait.turn);
      const mayStay = 'args' in wait || wait.call !== undefined;
      const endedWell = owner?.phase.name === 'settled' && owner.phase.outcome === 'completed';
      expect(owner === undefined || !isSettled(owner) || (mayStay && endedWell)).toBe(true);
    }
  });
});

test('when Claude Code is gone nothing waits for it', () => {
  forEachHistory((before, { session, events }) => {
    const gone = events.slice(before.events.length).some((e) => e.type === 'agent.exited');
    if (gone) expect([session.calls, unsettledAsks(session)]).toEqual([[], []]);
  });
});

test('a turn settles exactly once', () => {
  forEachHistory((_, { events }) => {
    const queued = events.filter((e) => e.type === 'turn.queued').map((e) => e.turn);
    const settled = events.filter((e) => e.type === 'turn.settled').map((e) => e.turn);
    for (const one of new Set(settled)) {
      expect(settled.filter((t) => t === one).length).toBeLessThanOrEqual(
        Math.max(1, queued.filter((t) => t === one).length),
      );
    }
  });
});

test('the first verdict wins: no code is decided twice, and nothing is allowed without an allow', () => {
  forEachHistory((_, { events }) => {
    for (const one of ['abcde', 'fghij', 'kmnop']) {
      const asked = events.filter((e) => e.type === 'permission.asked' && e.code === one).length;
      const decided = events.filter((e) => e.type === 'permission.decided' && e.code === one);
      expect(decided.length).toBeLessThanOrEqual(asked);
      for (const verdict of decided) {
        const expiry = verdict.type === 'permission.decided' && verdict.by === 'expiry';
        if (expiry) expect(verdict).toMatchObject({ verdict: 'deny' });
      }
    }
  });
});

test('a call that the policy asks about goes to the hub only after a yes of those who have to say it, and once', () => {
  forEachHistory(({ session: before, events }, after) => {
    for (const event of after.events.slice(events.length)) {
      if (event.type !== 'tool.called' || !event.call.startsWith('g')) continue;
      const ask = before.asks.find((each) => each.call === event.call && each.state.name === 'asked');
      const verdict = after.events.find(
        (each) => each.type === 'permission.decided' && each.code === ask?.code,
      );
      expect(verdict).toMatchObject({ verdict: 'allow' });
      const shared = verdict?.type === 'permission.decided' && verdict.by !== 'cli';
      if (ask?.needs === 'operator') expect(shared).toBe(false);
      const voters = after.events.flatMap((each) =>
        each.type === 'permission.voted' && each.code === ask?.code ? [each.voter] : [],
      );
      if (typeof ask?.needs === 'object' && shared) expect(new Set(voters).size).toBe(2);
    }
  });
});

test('effects come from stored events only, and each of them can be stored and read back', () => {
  forEachHistory((before, after) => {
    const fresh = after.events.slice(before.events.length);
    for (const event of fresh) expect(SessionEvent.parse(JSON.parse(JSON.stringify(event)))).toEqual(event);
    const deliveries = fresh.flatMap(effectsOf).filter((effect) => effect.type === 'deliver');
    expect(deliveries.length).toBeLessThanOrEqual(1);
  });
});

test('who has to run a call is known from the call to its end, and a provider hears of each once', () => {
  forEachHistory((before, { session, events }) => {
    const fresh = events.slice(before.events.length);
    for (const { call, provider } of session.calls) expect({ provider }).toMatchObject(whose(call));
    for (const event of fresh) {
      if (event.type === 'tool.called')
        expect(effectsOf(event)).toEqual(
          event.provider === undefined ? [] : [{ type: 'run_tool', call: event.call }],
        );
      if (event.type === 'tool.dropped')
        expect(effectsOf(event)).toContainEqual({ type: 'cancel_tool', call: event.call });
    }
    const ran = fresh.flatMap(effectsOf).flatMap((each) => (each.type === 'run_tool' ? each.call : []));
    expect(ran).toEqual(
      fresh.flatMap((e) => (e.type === 'tool.called' && e.call.endsWith('3') ? e.call : [])),
    );
  });
});

test('how far a call is, is told of an open one alone, and never twice the same', () => {
  const openBefore = (session: Session, id: string) => session.calls.find(({ call: c }) => c === id);
  forEachHistory((before, { session, events }) => {
    for (const event of events.slice(before.events.length)) {
      if (event.type !== 'tool.progressed') continue;
      expect(openBefore(before.session, event.call)).toBeDefined();
      expect(openBefore(before.session, event.call)?.progress).not.toBe(event.text);
      expect(openBefore(session, event.call)?.progress).toBe(event.text);
    }
  });
});

test('replaying the events gives the live state', () => {
  forEachHistory((_, { session, events }) => {
    expect(events.reduce((state, event) => evolve(state, event, 7), emptySession('k'))).toEqual(session);
  });
});

test('a conversation that was cleared in the terminal is resumed under its new id', () => {
  const run = [
    { type: 'turn.submit', turn: 't1', claude: 'uuid', launch, ingress: 'openai', text: 'x' },
    { type: 'prompt.taken', turn: 't1', prompt: 'p' },
    { type: 'turn.rest', prompt: 'p' },
    { type: 'agent.session', claude: 'uuid-2' },
  ].reduce((run, next) => step(run, next as Command), start);
  expect(run.session.claude).toMatchObject({ id: 'uuid-2', prompted: false, launch });
});

test('a conversation that is told apart by something else is linked anew, and keeps its key and its Claude', () => {
  const link = (source: 'cache_key' | 'plugin'): Command => ({
    type: 'session.link',
    link: { id: 'hub', generation: 1, source },
  });
  let session = emptySession('k');
  const linked = ['cache_key', 'cache_key', 'plugin', 'plugin'] as const;
  const changes = linked.map((source) => {
    const decision = decide(session, link(source), limits);
    const events = 'events' in decision ? decision.events : [];
    for (const event of events) session = evolve(session, event, 0);
    return events.length;
  });
  expect(changes).toEqual([1, 0, 1, 0]);
  expect(sessionRow(session, 'id')).toMatchObject({ key: 'k', identity: 'plugin', guessed: false });
});

test('deciding and evolving leave what they were given untouched', () => {
  forEachHistory((before, _, next) => {
    const copy = structuredClone(before.session);
    const given = structuredClone(next);
    step(before, next);
    expect(before.session).toEqual(copy);
    expect(next).toEqual(given);
  });
});

test('after a restart no turn is half done: what Claude may have seen ends in words, the rest is handed over again', () => {
  forEachHistory((before) => {
    const after = step(before, { type: 'session.recover' });
    const was = currentTurn(before.session);
    const now = after.session.turns.find((t) => t.id === was?.id);
    const phase = was?.phase;
    if (phase?.name === 'running' || (phase?.name === 'delivering' && phase.handed))
      expect(now?.phase).toMatchObject({ name: 'settled', outcome: 'failed', code: 'bridge_restarted' });
    else if (phase?.name === 'delivering' && was?.cancelledBy !== undefined)
      expect(now?.phase).toEqual({ name: 'settled', outcome: 'cancelled', detail: was.cancelledBy });
    else if (phase?.name === 'delivering' && before.session.move)
      expect(now?.phase).toEqual({ name: 'queued' });
    else if (phase?.name === 'delivering')
      expect(now?.phase).toEqual({ name: 'delivering', attempt: phase.attempt + 1 });
    expect([after.session.calls, unsettledAsks(after.session)]).toEqual([[], []]);
  });
});
