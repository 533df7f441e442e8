// What becomes of a permission question: each command against each state it can be in.
import { describe, expect, test } from 'vitest';
import type { CallerCommand } from '../../src/domain/commands.ts';
import { decidePermission, ranEvent } from '../../src/domain/decide/decide-permission.ts';
import { digestOf } from '../../src/domain/question/picture.ts';
import { type Ask, type AskState, emptySession, type Session } from '../../src/domain/state/session.ts';
import { evolved } from './evolved.ts';
import { askOf } from './question/ask-of.ts';

const withAsks = (...asks: Ask[]): Session => ({ ...emptySession('k'), asks });
const inState = (state: AskState, fields: Partial<Ask> = {}) => withAsks(askOf({ ...fields, state }));

const decided = (verdict: 'allow' | 'deny'): AskState => ({ name: 'decided', verdict, by: 'chat', who: 'a' });
const sent = (verdict: 'allow' | 'deny'): AskState => ({ name: 'sent', verdict, by: 'chat', who: 'a' });
const settled: AskState = { name: 'settled', outcome: 'superseded' };

type Verdict = Extract<CallerCommand, { type: 'permission.decide' }>;
const say = (fields: Partial<Verdict> = {}): Verdict => ({
  type: 'permission.decide',
  code: 'abcde',
  verdict: 'deny',
  by: 'chat',
  ...fields,
});

const applied = { events: [{ type: 'permission.settled', code: 'abcde', outcome: 'applied' }] };
const code = 'abcde';

test.each([
  say(),
  { type: 'permission.expire', code } as const,
  { type: 'permission.show', code, part: 2 } as const,
  { type: 'permission.tell', code, what: 'question' } as const,
  { type: 'permission.sent', code } as const,
  { type: 'permission.ran', code } as const,
  { type: 'permission.withdrawn', code, detail: 'x' } as const,
])('$type about a code that no question has is refused', (command) => {
  expect(decidePermission(withAsks(askOf({ code: 'fghij' })), command)).toStrictEqual({
    rejection: { code: 'unknown_code' },
  });
});

describe('a new question', () => {
  const asking = {
    type: 'permission.ask',
    code,
    tool: 'Bash',
    input: { command: 'ls' },
    expires_at: 7,
  } as const;
  const asked = { type: 'permission.asked', code, tool: 'Bash', input: { command: 'ls' }, expires_at: 7 };

  test('is stored with what is known of it and nothing else', () => {
    expect(decidePermission(emptySession('k'), asking)).toStrictEqual({ events: [asked] });
    expect(decidePermission(emptySession('k'), { ...asking, cut: false, suggestions: [] })).toStrictEqual({
      events: [asked],
    });
    const policy = { needs: { quorum: 2 }, rule: 'rule 3: ask both' };
    const all = { rationale: 'why', tool_use: 'toolu_1', cut: true, suggestions: [{ type: 'x' }], ...policy };
    expect(decidePermission(emptySession('k'), { ...asking, ...all })).toStrictEqual({
      events: [{ ...asked, ...all }],
    });
  });

  test('with a code that another one has is refused', () => {
    expect(decidePermission(inState(settled), asking)).toStrictEqual({ rejection: { code: 'code_in_use' } });
    expect(decidePermission(withAsks(askOf({ code: 'fghij' }), askOf()), asking)).toStrictEqual({
      rejection: { code: 'code_in_use' },
    });
    expect(decidePermission(withAsks(askOf({ code: 'fghij' })), asking)).toStrictEqual({ events: [asked] });
  });

  test('of a run that nobody watches is denied at once, and says why', () => {
    expect(decidePermission(evolved({ unattended: 'cron' }), asking)).toStrictEqual({
      events: [
        { ...asked, turn: 't' },
        {
          type: 'permission.decided',
          code,
          verdict: 'deny',
          by: 'bridge',
          reason: 'this is an unattended run (cron): nobody can be asked; go on without it',
          scope: 'once',
        },
      ],
    });
    expect(decidePermission(evolved({}), asking)).toStrictEqual({ events: [{ ...asked, turn: 't' }] });
  });
});

describe('a verdict', () => {
  test('that denies needs nothing else', () => {
    expect(decidePermission(inState({ name: 'asked' }), say())).toStrictEqual({
      events: [{ type: 'permission.decided', code, verdict: 'deny', by: 'chat', scope: 'once' }],
    });
  });

  test('is stored with who gave it, why, for how long and what was shown', () => {
    const all = { who: 'a', reason: 'b', scope: 'session', shown: digestOf(askOf()) } as const;
    expect(decidePermission(inState({ name: 'asked' }), say({ verdict: 'allow', ...all }))).toStrictEqual({
      events: [{ type: 'permission.decided', code, verdict: 'allow', by: 'chat', ...all }],
    });
  });

  test('that allows what was not shown is refused', () => {
    const notShown = { rejection: { code: 'not_shown' } };
    for (const shown of [undefined, '', digestOf(askOf({ input: { command: 'rm' } }))])
      expect(
        decidePermission(
          inState({ name: 'asked' }),
          say({ verdict: 'allow', by: 'cli', ...(shown !== undefined && { shown }) }),
        ),
      ).toStrictEqual(notShown);
  });

  test('of a chat allows what is longer than a message when all of it was shown there; a terminal shows it whole', () => {
    const input = { command: 'x'.repeat(2_000) };
    const allow = say({ verdict: 'allow', shown: digestOf(askOf({ input })) });
    expect(decidePermission(inState({ name: 'asked' }, { input }), allow)).toStrictEqual({
      rejection: { code: 'not_shown' },
    });
    const shownParts = [2];
    expect(decidePermission(inState({ name: 'asked' }, { input, shownParts }), allow)).toHaveProperty(
      'events',
    );
    expect(decidePermission(inState({ name: 'asked' }, { input }), { ...allow, by: 'cli' })).toHaveProperty(
      'events',
    );
  });

  test.each([decided('allow'), sent('deny')])('after another one hears which, and by whom: %j', (state) => {
    const verdict = 'verdict' in state ? state.verdict : undefined;
    expect(decidePermission(inState(state), say())).toStrictEqual({
      rejection: { code: 'already_answered', verdict, by: 'chat', who: 'a' },
    });
  });

  test('on a question that was settled without one hears what became of it, and of no answer', () => {
    expect(decidePermission(inState(settled), say())).toStrictEqual({
      rejection: { code: 'question_over', detail: 'it is not open any more' },
    });
  });

  test('is no when nobody gave one in time', () => {
    expect(decidePermission(inState({ name: 'asked' }), { type: 'permission.expire', code })).toStrictEqual({
      events: [
        {
          type: 'permission.decided',
          code,
          verdict: 'deny',
          by: 'expiry',
          scope: 'once',
          reason: 'nobody answered in time',
        },
      ],
    });
  });
});

describe('a verdict where the policy says whose', () => {
  const shown = digestOf(askOf());
  const yes = (fields: Partial<Verdict> = {}) => say({ verdict: 'allow', shown, ...fields });
  const needing = (needs: Ask['needs'], votes: string[] = []) =>
    inState({ name: 'asked' }, { ...(needs && { needs }), votes });
  const two = { quorum: 2 };

  test.each(['chat', 'gateway'] as const)('of the operator: no %s can give one', (by) => {
    for (const verdict of ['allow', 'deny'] as const)
      expect(decidePermission(needing('operator'), yes({ by, verdict, voter: 'a:1' }))).toStrictEqual({
        rejection: { code: 'operator_only' },
      });
  });

  test('that does not count is refused for that, also where not all was shown', () => {
    const blind = (needs: Ask['needs']) => decidePermission(needing(needs), say({ verdict: 'allow' }));
    expect([blind('operator'), blind(two)]).toStrictEqual([
      { rejection: { code: 'operator_only' } },
      { rejection: { code: 'not_proven' } },
    ]);
  });

  test('the operator’s own is enough for whatever needs several', () => {
    for (const needs of ['operator', two] as const)
      expect(decidePermission(needing(needs), yes({ by: 'cli' }))).toStrictEqual({
        events: [{ type: 'permission.decided', code, verdict: 'allow', by: 'cli', scope: 'once', shown }],
      });
  });

  test('of several people counts only who proves a name, and each once', () => {
    expect(decidePermission(needing(two), yes())).toStrictEqual({ rejection: { code: 'not_proven' } });
    expect(decidePermission(needing(two, ['a:1']), yes({ voter: 'a:1' }))).toStrictEqual({
      rejection: { code: 'voted' },
    });
  });

  test('of several people is stored with who gave it and what was shown, and the last one decides', () => {
    const voted = { type: 'permission.voted', code, voter: 'a:2' };
    expect(decidePermission(needing(two), yes({ voter: 'a:2', who: 'b' }))).toMatchObject({
      events: [{ ...voted, who: 'b', shown }],
    });
    expect(decidePermission(needing(two, ['a:1']), yes({ voter: 'a:2' }))).toStrictEqual({
      events: [
        { ...voted, shown },
        { type: 'permission.decided', code, verdict: 'allow', by: 'chat', scope: 'once', shown },
      ],
    });
  });

  test('of several people allows nothing that was not shown, and one no is enough', () => {
    expect(decidePermission(needing(two), yes({ voter: 'a:1', shown: 'x' }))).toStrictEqual({
      rejection: { code: 'not_shown' },
    });
    expect(decidePermission(needing(two), say())).toHaveProperty('events.0.verdict', 'deny');
  });
});

describe('wrong codes', () => {
  const guessed = (which: string) => ({ type: 'permission.guessed', code: which });
  const denied = (which: string) => ({
    type: 'permission.decided',
    code: which,
    verdict: 'deny',
    by: 'bridge',
    reason: 'too many wrong codes were tried',
    scope: 'once',
  });

  test('count against every open question, and the fifth denies it', () => {
    const session = withAsks(
      askOf({ guesses: 3 }),
      askOf({ code: 'fghij', guesses: 4 }),
      askOf({ code: 'mnopq', guesses: 4, state: settled }),
    );
    expect(decidePermission(session, { type: 'permission.guess' })).toStrictEqual({
      events: [guessed('abcde'), guessed('fghij'), denied('fghij')],
    });
  });
});

describe('what a chat was told', () => {
  const tell = (told: Ask['told'], what: 'question' | 'outcome') =>
    decidePermission(inState({ name: 'asked' }, { told }), { type: 'permission.tell', code, what });
  const toldOf = (what: string) => ({ events: [{ type: 'permission.told', code, what }] });

  test('is stored once, and the outcome is the last of it', () => {
    expect(tell('nothing', 'question')).toStrictEqual(toldOf('question'));
    expect(tell('nothing', 'outcome')).toStrictEqual(toldOf('outcome'));
    expect(tell('question', 'outcome')).toStrictEqual(toldOf('outcome'));
    expect(tell('question', 'question')).toStrictEqual({ events: [] });
    expect(tell('outcome', 'question')).toStrictEqual({ events: [] });
    expect(tell('outcome', 'outcome')).toStrictEqual({ events: [] });
  });
});

describe('a part of a question that is shown', () => {
  const show = (state: AskState, shownParts: number[]) =>
    decidePermission(inState(state, { shownParts }), { type: 'permission.show', code, part: 2 });

  test('is stored once, while the question is open', () => {
    expect(show({ name: 'asked' }, [3])).toStrictEqual({
      events: [{ type: 'permission.shown', code, part: 2 }],
    });
    expect(show({ name: 'asked' }, [2])).toStrictEqual({ events: [] });
    for (const state of [decided('allow'), sent('allow'), settled])
      expect(show(state, [])).toStrictEqual({ events: [] });
  });
});

describe('a verdict that was handed to Claude Code', () => {
  test('is stored when there was one, once', () => {
    expect(decidePermission(inState(decided('allow')), { type: 'permission.sent', code })).toStrictEqual({
      events: [{ type: 'permission.sent', code }],
    });
    for (const state of [{ name: 'asked' } as const, sent('allow'), settled])
      expect(decidePermission(inState(state), { type: 'permission.sent', code })).toStrictEqual({
        events: [],
      });
  });
});

describe('a tool that runs', () => {
  const superseded = {
    type: 'permission.settled',
    code,
    outcome: 'superseded',
    detail: "allowed in Claude's terminal, the tool ran",
  };

  test('proves a yes that was given, and else that the terminal gave one', () => {
    const ran = (state: AskState) => decidePermission(inState(state), { type: 'permission.ran', code });
    expect(ran(decided('allow'))).toStrictEqual(applied);
    expect(ran(sent('allow'))).toStrictEqual(applied);
    for (const state of [decided('deny'), sent('deny'), { name: 'asked' } as const])
      expect(ran(state)).toStrictEqual({ events: [superseded] });
    expect(ran({ name: 'settled', verdict: 'allow', outcome: 'applied' })).toStrictEqual({ events: [] });
    expect(
      ranEvent(askOf({ state: { name: 'settled', verdict: 'allow', outcome: 'expired' } })),
    ).toStrictEqual(superseded);
  });
});

describe('a question that left the screen', () => {
  const leave = (state: AskState) =>
    decidePermission(inState(state), { type: 'permission.withdrawn', code, detail: 'gone' });

  test('was denied when our no had been handed over, and else was answered elsewhere', () => {
    expect(leave(sent('deny'))).toStrictEqual(applied);
    for (const state of [sent('allow'), decided('deny'), decided('allow'), { name: 'asked' } as const])
      expect(leave(state)).toStrictEqual({
        events: [{ type: 'permission.settled', code, outcome: 'superseded', detail: 'gone' }],
      });
    expect(leave({ ...settled, verdict: 'deny' })).toStrictEqual({ events: [] });
  });
});
