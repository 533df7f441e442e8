// Every event that the fold of a session knows, about few turns, codes and names, so that they meet. Not all of what comes
// out can happen: the fold takes it nevertheless.
import fc from 'fast-check';
import type { SessionEvent } from '../../src/protocol/events/events.ts';

type Type = Exclude<
  SessionEvent['type'],
  `bridge.${string}` | 'session.restored' | 'row.forgotten' | 'session.forgotten'
>;
type Fields<T extends Type> = Omit<Extract<SessionEvent, { type: T }>, 'type'>;

const few = (name: string, most: number) => fc.integer({ min: 1, max: most }).map((n) => `${name}${n}`);
const maybe = <T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;
const both = <A, B>(one: fc.Arbitrary<A>, other: fc.Arbitrary<B>): fc.Arbitrary<A & B> =>
  fc.tuple(one, other).map(([left, right]) => ({ ...left, ...right }));

const turn = few('turn', 12);
const code = few('code', 6);
const call = few('call', 6);
const provider = few('provider', 2);
const response = few('response', 6);
const reply = few('reply', 8);
const truth = fc.constant(true as const);
/** Some are longer than a block of a text, some than none. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 5 }),
  fc.integer({ min: 10_000, max: 40_000 }).map((length) => 'ä😀'.repeat(length / 3)),
  fc.constantFrom('', '\n', 'the answer', '\ud83d', '\u0000'),
);
const meta = fc.dictionary(fc.constantFrom('chat', '__proto__', 'unattended'), text, {
  maxKeys: 2,
});
const json = fc.jsonValue({ maxDepth: 2 });
const fields = fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), json, {
  maxKeys: 2,
});
const sender = maybe({ id: few('sender', 3), name: text });
const ingress = fc.constantFrom('openai' as const, 'agp' as const, 'operator' as const);
const verdict = fc.constantFrom('allow' as const, 'deny' as const);
const failure = fc.constantFrom('exited' as const, 'expired' as const);
/** A running total; what is no number of JSON comes as null. */
const usd = fc.oneof(
  fc.nat(9),
  fc.double({ min: 0, max: 5, noNaN: true }),
  fc.constantFrom(null, -1, 1e300, '2'),
);
const errand = fc.record({ by: fc.constantFrom('task' as const, 'wakeup' as const), name: few('errand', 4) });
const launch = both(
  fc.record({
    cwd: fc.constant('/w'),
    permissionMode: fc.constantFrom('manual' as const, 'plan' as const),
    delivery: fc.constant('auto' as const),
  }),
  maybe({ model: few('model', 2), permissionProfile: few('profile', 2) }),
);
const health = fc.array(both(fc.record({ code: text, words: text }), maybe({ info: truth })), {
  maxLength: 2,
});
const delivery = fc.constantFrom('channel' as const, 'terminal' as const);
const tools = fc.array(fc.record({ name: few('tool', 3), description: text, parameters: fields }), {
  maxLength: 2,
});
const parts = fc.array(text, { maxLength: 2 });

const events: { [T in Type]: fc.Arbitrary<Fields<T>> } = {
  'session.opened': both(fc.record({ ingress }), maybe({ guessed: fc.boolean() })),
  'session.claude': fc.record({ claude: few('claude', 3), launch }),
  'session.configured': both(fc.record({ launch }), maybe({ waiting: launch })),
  'session.linked': fc.record({ link: maybe({ id: few('hub', 2), generation: fc.nat(3) }) }),
  'session.labelled': maybe({ label: text }),
  'session.removed': maybe({ forget: truth }),
  'session.housed': maybe({ node: few('node', 2) }),
  'session.held': fc.record({ node: few('node', 2) }),
  'catalog.changed': fc.record({ tools }),
  'agent.wanted': fc.record({ by: text }),
  'agent.starting': maybe({ run: few('run', 2) }),
  'agent.dialog': fc.record(
    { dialog: text, screen: text, failure, asked: fc.boolean() },
    { requiredKeys: ['dialog', 'screen', 'failure'] },
  ),
  'agent.ready': fc.record({ pid: fc.nat(), delivery, health }),
  'agent.adopted': fc.record({ pid: fc.nat() }),
  'agent.stopping': fc.record({ reason: text }),
  'agent.exited': both(fc.record({ detail: text }), maybe({ failure })),
  'agent.mode': fc.record({ mode: few('mode', 3) }),
  'agent.status': fc.record({ status: fc.oneof(fields, fc.record({ cost_usd: usd })) }),
  'turn.queued': both(
    fc.record({ turn, ingress, text, meta }),
    maybe({
      trace: fc.constant('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'),
      sender,
      dedup: few('dedup', 4),
      parts,
      quotes: fc.array(fc.record({ kind: fc.constant('forwarded' as const) }), { maxLength: 1 }),
      steer: truth,
    }),
  ),
  'turn.adopted': both(
    fc.record({ turn, text }),
    maybe({
      prompt: few('prompt', 4),
      origin: both(
        fc.record({ by: fc.constantFrom('task' as const, 'continued' as const), ingress, meta }),
        maybe({ sender }),
      ),
      told: truth,
    }),
  ),
  'turn.delivering': fc.record({ turn, attempt: fc.nat(3) }),
  'turn.handed': fc.record({ turn }),
  'turn.running': both(fc.record({ turn }), maybe({ prompt: few('prompt', 4) })),
  'turn.rested': both(fc.record({ turn }), maybe({ last: text })),
  'turn.resumed': fc.record({ turn }),
  'session.broken': fc.record({ rule: text, reports: fc.array(text, { maxLength: 3 }) }),
  'prompt.held': fc.record({ text }),
  'task.began': both(
    fc.record({
      task: few('task', 3),
      kind: fc.constantFrom('agent' as const, 'shell' as const, 'call' as const),
      hook: fc.nat(9),
    }),
    maybe({ title: text, turn }),
  ),
  'task.ended': both(
    fc.record({ task: few('task', 3), status: fc.constantFrom('completed', 'unlisted') }),
    maybe({ told: truth }),
  ),
  'turn.cancelling': both(fc.record({ turn, by: text }), maybe({ panic: fc.nat() })),
  'turn.requeued': fc.record({ turn }),
  'turn.held': fc.record({ turn, code: failure, detail: text }),
  'turn.withdrawn': fc.record({ turn }),
  'turn.joining': both(fc.record({ turn, into: turn }), maybe({ hook: fc.nat(9), queued: truth })),
  'turn.parted': fc.record({ turn }),
  'turn.settled': both(
    fc.record({ turn, outcome: fc.constantFrom('completed' as const, 'failed' as const) }),
    maybe({ code: failure, detail: text, into: turn }),
  ),
  'answer.delta': both(
    fc.record({
      turn,
      message: few('message', 3),
      index: fc.nat(6),
      text,
      final: fc.nat(5).map((n) => n === 0),
    }),
    maybe({ straight: fc.constant(true as const) }),
  ),
  'answer.repaired': fc.record({ turn, text }),
  activity: both(
    fc.record({
      tool_use: few('use', 4),
      tool: few('tool', 3),
      phase: fc.constantFrom('started' as const, 'succeeded' as const),
    }),
    maybe({ turn, errand, input: json, agent: few('task', 3) }),
  ),
  'tool.called': both(
    fc.record({ call, tool: few('tool', 3), args: fields }),
    maybe({ turn, tool_use: few('use', 4), provider }),
  ),
  'tool.progressed': fc.record({ call, text }),
  'tool.answered': both(fc.record({ call, ok: fc.boolean(), content: text }), maybe({ envelope: truth })),
  'tool.dropped': both(fc.record({ call, reason: text }), maybe({ denied: truth })),
  'policy.ruled': fc.record({ tool: few('tool', 3), input: json, verdict, rule: text }),
  'permission.asked': both(
    fc.record({ code, tool: few('tool', 3), input: json, expires_at: fc.nat() }),
    maybe({
      turn,
      rationale: text,
      tool_use: few('use', 4),
      cut: fc.boolean(),
      suggestions: fc.array(fields, { maxLength: 2 }),
      needs: fc.constantFrom('operator' as const, { quorum: 2 }),
      rule: text,
      call,
      provider,
      hook: fc.nat(9),
    }),
  ),
  'permission.voted': fc.record({ code, voter: few('voter', 3) }),
  'permission.decided': both(
    fc.record({
      code,
      verdict,
      by: fc.constantFrom('chat' as const, 'cli' as const),
      scope: fc.constant('once' as const),
    }),
    maybe({ who: text, reason: text }),
  ),
  'permission.guessed': fc.record({ code }),
  'permission.told': fc.record({ code, what: fc.constantFrom('question' as const, 'outcome' as const) }),
  'permission.shown': fc.record({ code, part: fc.integer({ min: 1, max: 4 }) }),
  'permission.sent': fc.record({ code }),
  'permission.settled': both(
    fc.record({ code, outcome: fc.constantFrom('applied' as const, 'superseded' as const) }),
    maybe({ detail: text }),
  ),
  'lease.taken': fc.record({ lease: few('lease', 2), by: text }),
  'lease.released': fc.record({ lease: few('lease', 2), why: text }),
  'reader.closed': fc.record({
    turn,
    request: few('request', 4),
    start: fc.nat(9),
    offset: fc.nat(99),
    why: fc.constantFrom('finished' as const, 'tool_calls' as const),
  }),
  'response.opened': both(
    fc.record({
      response,
      turn,
      model: few('model', 2),
      input: fc.array(fc.record({ text }), { maxLength: 2 }),
    }),
    maybe({ previous: response, aside: fc.boolean() }),
  ),
  'response.closed': fc.record({
    response,
    text,
    calls: fc.array(fc.record({ id: call, name: few('tool', 3), args: fields }), { maxLength: 2 }),
  }),
  'response.deleted': fc.record({ response }),
  'reply.owed': both(fc.record({ reply, meta }), maybe({ turn, words: text })),
  'reply.sent': fc.record({ reply }),
};

/** A removal and a new conversation take a lot away: they are rare. */
const weightOf = (type: string): number => {
  if (type === 'answer.delta') return 20;
  if (type === 'permission.sent' || type === 'permission.decided') return 9;
  if (type === 'session.removed' || type === 'session.claude' || type === 'turn.withdrawn') return 1;
  return type.startsWith('turn.') || type.startsWith('permission.') ? 6 : 4;
};

const anyEvent: fc.Arbitrary<SessionEvent> = fc.oneof(
  ...Object.entries(events).map(([type, made]) => ({
    weight: weightOf(type),
    // As it comes from the journal.
    arbitrary: both(made as fc.Arbitrary<object>, maybe({ heard: fc.nat(9) })).map(
      (each): SessionEvent => JSON.parse(JSON.stringify({ type, ...each })),
    ),
  })),
);

export const anyHistory: fc.Arbitrary<SessionEvent[]> = fc.array(anyEvent, { maxLength: 200, size: 'max' });
