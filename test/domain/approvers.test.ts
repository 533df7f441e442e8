// Who may answer: the whole matrix of what is known about a voice, and properties over everything that can be made up.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Refused,
  refusedVoice,
  speakerOf,
  unprovenBy,
  type Voice,
  waitsForOperator,
} from '../../src/domain/question/approvers.ts';
import { runs } from '../support/runs.ts';

const asker = '42';
const proven: Voice = { proven: true, sender: asker, channel: 'telegram', group: false };
const holder: Voice = { proven: false, group: false };
const relayed: Voice = { proven: false, relayed: true, sender: asker, channel: 'matrix', group: false };
const nameless: Voice = { proven: true, channel: 'telegram', group: false };

/** What a voice hears without approvers, and with `telegram:42` named. */
const matrix: [string, Voice, string | undefined, Refused | undefined, Refused | undefined][] = [
  ['the asker', proven, asker, undefined, undefined],
  ['the asker in a group', { ...proven, group: true }, asker, 'group_without_approvers', undefined],
  ['somebody else', { ...proven, sender: '666' }, asker, 'not_the_asker', 'not_listed'],
  [
    'somebody else in a group',
    { ...proven, sender: '666', group: true },
    asker,
    'group_without_approvers',
    'not_listed',
  ],
  ['the same id on another channel', { ...proven, channel: 'discord' }, asker, undefined, 'not_listed'],
  [
    'an id made of the channel and the id',
    { ...proven, channel: 'irc', sender: 'telegram:42' },
    asker,
    'not_the_asker',
    'not_listed',
  ],
  ['a proven sender where no chat asked', proven, undefined, 'not_the_asker', undefined],
  ['a client with the token', holder, undefined, undefined, 'unproven'],
  [
    'a client with the token that names a group',
    { ...holder, group: true },
    undefined,
    'group_without_approvers',
    'unproven',
  ],
  ['a client with the token, of a chat’s question', holder, asker, 'no_sender', 'unproven'],
  [
    'a client that claims a sender',
    { ...holder, sender: asker, channel: 'telegram' },
    asker,
    'no_sender',
    'unproven',
  ],
  ['a message of an unknown channel', relayed, asker, 'unproven', 'unproven'],
  ['a message of an unknown channel that nobody asked in', relayed, undefined, 'unproven', 'unproven'],
  ['a message without sender on a proven channel', nameless, asker, 'unproven', 'unproven'],
  ['the asker’s forwarded message', { ...proven, forwarded: true }, asker, 'forwarded', 'forwarded'],
  ['a forwarded message of a client', { ...holder, forwarded: true }, undefined, 'forwarded', 'forwarded'],
  ['the asker’s voice message', { ...proven, spoken: true }, asker, 'spoken', 'spoken'],
  ['the asker’s message that may be forwarded', { ...proven, bare: true }, asker, 'bare', 'bare'],
  ['a bot with the asker’s id', { ...proven, bot: true }, asker, 'bot', 'bot'],
  ['a bot in a group', { ...proven, group: true, bot: true }, asker, 'bot', 'bot'],
];

describe('who may answer (T9)', () => {
  test.each(matrix)('%s', (_, voice, who, without, withApprovers) => {
    expect(refusedVoice(who, voice, [])).toBe(without);
    expect(refusedVoice(who, voice, ['telegram:42'])).toBe(withApprovers);
  });

  test.each<[string, string[], Partial<Voice>, boolean]>([
    ['a bare id holds on every channel', ['42'], { channel: 'discord' }, true],
    ['an id with its channel holds there', ['telegram:42'], {}, true],
    ['another case is another id', ['Alice'], { sender: 'alice' }, false],
    ['another case is another channel', ['Telegram:42'], {}, false],
    ['blanks are no part of an id', [' 42'], {}, false],
    ['a blank behind the id is another id', ['42'], { sender: '42 ' }, false],
    ['a number with zeros in front is another id', ['42'], { sender: '042' }, false],
    ['digits of another script are another id', ['42'], { sender: '４２' }, false],
    ['a homoglyph is another id', ['alice'], { sender: 'аlice' }, false],
    ['a beginning is no id', ['42'], { sender: '421' }, false],
    ['no channel matches no channel', ['undefined:42'], { channel: undefined as never }, false],
    ['an id with a colon holds with its channel', ['agp:wx:1'], { channel: 'agp', sender: 'wx:1' }, true],
    ['an id with a colon does not hold without', ['wx:1'], { channel: 'agp', sender: 'wx:1' }, false],
    [
      'an id that begins with an at sign is a bare one',
      ['@a:example.org'],
      { sender: '@a:example.org' },
      true,
    ],
    ['a room is nobody', ['-100'], { sender: '42', group: true }, false],
    ['one of several entries is enough', ['666', 'telegram:42'], {}, true],
  ])('%s', (_, approvers, voice, may) => {
    expect(refusedVoice(asker, { ...proven, ...voice }, approvers) === undefined).toBe(may);
  });
});

test.each<[string, Voice, string]>([
  ['a proven sender by channel and id', proven, 'telegram:42'],
  ['the same id of no channel apart from it', { proven: true, sender: '42', group: false }, ':42'],
  ['a sender that nobody proves by the conversation', { ...proven, proven: false }, 'session k'],
  ['a message of an unknown channel, too', relayed, 'session k'],
  ['and so a proven channel that names no sender', nameless, 'session k'],
])('wrong codes are counted against %s', (_, voice, name) => expect(speakerOf('k', voice)).toBe(name));

describe('what a turn keeps of who asked', () => {
  test.each<[string, Voice, ReturnType<typeof unprovenBy>, boolean, boolean]>([
    ['of a proven sender nothing', proven, undefined, false, false],
    ['of the holder of the token that', holder, 'token', false, true],
    ['of a message passed on from an unknown channel that', relayed, 'relayed', true, true],
    ['that a proven channel names nobody', nameless, 'nameless', true, false],
  ])('%s, which tells whether the operator is waited for', (_, voice, unproven, alone, withApprovers) => {
    expect(unprovenBy(voice)).toBe(unproven);
    const meta: Record<string, string> = unproven ? { unproven } : {};
    expect(waitsForOperator(meta, [])).toBe(alone);
    expect(waitsForOperator(meta, ['telegram:42'])).toBe(withApprovers);
  });

  test('in a group the operator is waited for until approvers are named', () => {
    expect(waitsForOperator({ chat_type: 'group' }, [])).toBe(true);
    expect(waitsForOperator({ chat_type: 'group' }, ['42'])).toBe(false);
  });
});

describe('whatever is claimed', () => {
  const id = fc.oneof(
    fc.constantFrom('42', '666', 'telegram:42', 'discord:42', 'аlice', 'alice', ''),
    fc.string(),
  );
  const channel = fc.constantFrom(undefined, 'telegram', 'discord', 'matrix', 'agp', 'telegram:42');
  const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const anyVoice = fc
    .record({
      proven: fc.boolean(),
      group: fc.boolean(),
      relayed: optional(fc.boolean()),
      sender: optional(id),
      channel,
      forwarded: optional(fc.boolean()),
      spoken: optional(fc.boolean()),
      bare: optional(fc.boolean()),
      bot: optional(fc.boolean()),
    })
    .map((voice) => voice as Voice);

  test('with approvers named nobody but a proven, listed person ever answers', () => {
    fc.assert(
      fc.property(optional(id), anyVoice, fc.array(id, { minLength: 1 }), (who, voice, approvers) => {
        if (refusedVoice(who, voice, approvers) !== undefined) return;
        expect(voice).toMatchObject({ proven: true });
        expect([voice.relayed, voice.forwarded, voice.spoken, voice.bare, voice.bot]).not.toContain(true);
        expect(
          [voice.sender, `${voice.channel}:${voice.sender}`].some((each) => approvers.includes(each ?? '')),
        ).toBe(true);
      }),
      { numRuns: runs(3_000) },
    );
  });

  test('without approvers nobody answers in a group, and nobody answers for another', () => {
    fc.assert(
      fc.property(optional(id), anyVoice, (who, voice) => {
        if (refusedVoice(who, voice, []) !== undefined) return;
        expect([
          voice.group,
          voice.relayed,
          voice.forwarded,
          voice.spoken,
          voice.bare,
          voice.bot,
        ]).not.toContain(true);
        expect(voice.proven ? voice.sender : undefined).toBe(who);
      }),
      { numRuns: runs(3_000) },
    );
  });

  test('a question is not put to a chat in which its asker and everybody else is refused', () => {
    const approvers = fc.constantFrom<string[]>([], ['telegram:42']);
    fc.assert(
      fc.property(anyVoice, approvers, (voice, named) => {
        const unproven = unprovenBy(voice);
        const meta = { ...(unproven && { unproven }), ...(voice.group && { chat_type: 'group' }) };
        const who = unproven ? undefined : voice.sender;
        const plain = { ...voice, forwarded: false, spoken: false, bare: false, bot: false };
        if (named.length === 0)
          expect(waitsForOperator(meta, named)).toBe(refusedVoice(who, plain, named) !== undefined);
        else if (waitsForOperator(meta, named)) expect(refusedVoice(who, plain, named)).toBe('unproven');
      }),
      { numRuns: runs(3_000) },
    );
  });
});
