import { expect, test } from 'vitest';
import { copyText } from '../../../src/cli/tui/terminal/copy-text.ts';
import { escapePayloads } from '../escape-payloads.ts';
import { Seat } from './seat.ts';

const key = 'agent:main:main';
const esc = '\u001b';

/** What a terminal would have in its clipboard. */
function clipboard(sequence: string): string {
  const [, text = ''] = /^\u001b\]52;c;([A-Za-z0-9+/=]*)\u0007$/.exec(sequence) ?? [];
  return Buffer.from(text, 'base64').toString();
}

function reading(): Seat {
  const seat = new Seat(80, 24);
  seat.working(key);
  seat.says(key, Array.from({ length: 60 }, (_, at) => `first ${at}`).join('\n'));
  seat.ends(key);
  const turn = 't2';
  seat.happens(key, { type: 'turn.queued', turn, ingress: 'openai', text: 'And then?', meta: {} });
  return seat;
}

const copied = (seat: Seat) => {
  seat.press('c');
  return seat.taken();
};

test('c copies what the reader is at, in every pane and in what is open', () => {
  const seat = reading();
  expect(copied(seat)).toMatchObject([{ type: 'copy', what: 'The key of the session', text: key }]);
  seat.press('2');
  expect(copied(seat)).toMatchObject([{ what: 'The message', text: 'And then?' }]);
  seat.press('g');
  expect(copied(seat)).toMatchObject([
    { what: "Claude's answer", text: expect.stringMatching(/^first 0\n.*first 59$/s) },
  ]);
  seat.press('G', '/', 'type:first 3', 'enter');
  expect(copied(seat)).toMatchObject([{ what: "Claude's answer" }]);
  seat.press('3');
  expect(copied(seat)).toMatchObject([{ text: expect.stringContaining('"text": "And then?"') }]);
  seat.press('enter', 'left');
  expect(copied(seat)).toMatchObject([{ text: expect.stringContaining('"turn.settled"') }]);
  seat.press('esc');
  seat.asks(key, 'kmqtr', 'Bash', { command: 'make' });
  seat.press('4');
  expect(copied(seat)).toMatchObject([{ what: 'The code', text: 'kmqtr' }]);
  seat.press('enter');
  expect(copied(seat)).toMatchObject([{ what: 'What kmqtr asks', text: 'make' }]);
});

test('where there is nothing, that is said; and while text is typed it is a letter', () => {
  const seat = new Seat();
  expect(copied(seat)).toEqual([]);
  expect(seat.screen).toContain('There is nothing to copy.');
  const other = reading();
  other.press('m', 'type:ccc');
  expect(other.taken()).toEqual([]);
});

test.each(escapePayloads)('what is pasted later holds no sign of control: $name', ({ text }) => {
  const { sequence } = copyText('It', `a${text}b\nc`, false);
  expect(clipboard(sequence)).toMatch(/^a[^\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]*c$/s);
});

test('a text that is too long is cut between characters, and that is said', () => {
  const { sequence, words } = copyText('It', '日'.repeat(100_000), false);
  expect(clipboard(sequence)).toBe('日'.repeat(23_333));
  expect(sequence.length).toBeLessThan(100_000);
  expect(words).toContain('the first 23333 of 100000 characters');
  const pairs = copyText('It', `ab${'😀'.repeat(50_000)}`, false);
  expect(clipboard(pairs.sequence)).toMatch(/^ab😀+$/u);
  expect(copyText('It', 'short', false).words).not.toContain('the first');
});

test('tmux hands it on', () => {
  expect(copyText('It', 'a', true).sequence).toBe(`${esc}Ptmux;${esc}${esc}]52;c;YQ==\u0007${esc}\\`);
});
