import { describe, expect, test } from 'vitest';
import { readScreen, screenTail, titleState } from '../../../../src/bridge/claude/screen/screen-reader.ts';

const rule = '─'.repeat(60);
const named = `${'─'.repeat(50)} our chat ─`;
const footer = '  ⏸ manual mode on · ? for shortcuts';
const draw = (above: string[], box: string[], top = rule) => [...above, top, ...box, rule, footer];
const read = (rows: string[], bright = rows) => readScreen(rows, bright);

describe('the prompt box', () => {
  test.each([
    ['empty', ['❯ '], ''],
    ['one line', ['❯ good morning'], 'good morning'],
    ['several lines', ['❯ good', '  morning'], 'good\nmorning'],
    ['with a non-breaking blank', ['❯\u00a0'], ''],
  ])('%s', (_title, box, text) => {
    expect(read(draw(['● hello'], box)).box).toBe(text);
    expect(read(draw([], box, named)).box).toBe(text);
  });

  test('a placeholder, which is drawn dim, does not count as typed', () => {
    expect(read(draw([], ['❯ Try something']), draw([], ['❯'])).box).toBe('');
  });

  test('an earlier prompt in the conversation is not the box', () => {
    expect(
      read(['❯ good morning', '● hello', rule, ' Bash command', ' ❯ 1. Yes', '   2. No']).box,
    ).toBeUndefined();
  });

  test('there is none while a dialog is drawn, or before anything is', () => {
    expect(read([' Accessing workspace:', ' ❯ No, exit']).box).toBeUndefined();
    expect(read([]).box).toBeUndefined();
  });

  test.each([
    ['empty', ['! '], ''],
    ['with a command', ['! ls -la'], 'ls -la'],
  ])('in the mode of a shell it is not the prompt: %s', (_title, box, shell) => {
    expect(read(draw(['● hello'], box))).toMatchObject({ box: undefined, shell });
  });

  test('nor is the end of a command that is longer than the box', () => {
    const scrolled = `─── ↑ 12 more ${'─'.repeat(40)}`;
    expect(read([scrolled, '  done', rule, '  ! for shell mode'])).toMatchObject({
      box: undefined,
      shell: 'done',
    });
    expect(read([scrolled, '  done', rule, footer])).toMatchObject({ box: 'done', shell: undefined });
  });

  test('one whose beginning is cut off is known by the end of what was typed', () => {
    const typed = Array.from({ length: 40 }, (_, line) => `line ${line} of it`).join('\n');
    const rows = [
      ...typed
        .split('\n')
        .slice(-5)
        .map((line) => `  ${line}`),
      rule,
      footer,
    ];
    expect(readScreen(rows, rows, undefined, typed)).toMatchObject({ interrupted: false });
    expect(readScreen(rows, rows, undefined, typed).box).toContain('line 39 of it');
    expect(readScreen(rows, rows, undefined, `${typed} more`).box).toBeUndefined();
    expect(readScreen(rows, rows).box).toBeUndefined();
    expect(readScreen(['', rule, footer], [], undefined, typed).box).toBeUndefined();
    expect(readScreen(['● line 38 of it', ...rows], rows, undefined, typed).box).toBeUndefined();
  });

  test('rules that people or Claude wrote are indented and draw no box', () => {
    expect(read([`  ${rule}`, '  ❯ approve', `  ${rule}`]).box).toBeUndefined();
  });
});

describe('an interruption', () => {
  const interrupted = '  ⎿  Interrupted · What should Claude do instead?';
  test('counts right above the box', () => {
    expect(read(draw(['❯ count', '● one', interrupted, ''], ['❯ '])).interrupted).toBe(true);
  });
  test('does not count when Claude has spoken since', () => {
    const later = [interrupted, '❯ again', '● one', '  two', '✻ Baked for 1s'];
    expect(read(draw(later, ['❯ '])).interrupted).toBe(false);
  });
});

describe('the channel', () => {
  test.each([
    ['  Listening for channel messages from: server:synthesis', true],
    ['▎ Channels (experimental) messages from server:synthesis inject directly in this session', true],
    ['  Listening for channel messages from: server:other', false],
    ['● I am listening for channel messages', false],
  ])('%s → registered %s', (row, registered) => {
    expect(read(draw([row], ['❯ '])).channelRegistered).toBe(registered);
  });
  test('a refusal is told in its own words', () => {
    expect(read(draw(['  Channels are not currently available'], ['❯ '])).channelRefused).toBe(
      'Channels are not currently available',
    );
  });
});

test.each([
  ['◐ our chat', 'working'],
  ['◑ our chat', 'working'],
  ['✳ our chat', 'idle'],
  ['', 'unknown'],
  ['bash', 'unknown'],
])('the title %j means %s', (title, state) => expect(titleState(title)).toBe(state));

test('the tail of a screen is its last words without rules and blank rows', () => {
  expect(screenTail(['a', '', rule, 'b  ', 'c', ''], 2)).toBe('b\nc');
});

test.each([
  "Channels (experimental) · not on your org's approved channels list",
  'server:synthesis · blocked by org policy',
  "waiting for your organization's policy",
  'Channels are not available on third-party providers',
])('the start screen saying %j is a refusal', (line) => {
  expect(readScreen([line], [line]).channelRefused).toBeDefined();
});
