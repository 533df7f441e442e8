import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readConfigFile, valueAt, withValue, writeConfigFile } from '../../src/cli/config/config-file.ts';
import { duration, pointInTime } from '../../src/cli/duration.ts';
import { eventFields, RowWords } from '../../src/cli/output/row-printer.ts';
import { checkLines } from '../../src/cli/output/words/check-line.ts';
import { DetachKeys, keyBytes, keyNames } from '../../src/cli/terminal/detach-keys.ts';
import { keysOnly } from '../../src/cli/terminal/input-filter.ts';
import { frameWords } from '../../src/cli/tui/frames/frame-words.ts';
import type { SessionEvent } from '../../src/protocol/events/events.ts';

test.each([
  ['90', 90_000],
  ['1.5', 1_500],
  ['90s', 90_000],
  ['10m', 600_000],
  ['1h30m', 5_400_000],
  ['250ms', 250],
  ['2d', 172_800_000],
])('%s lasts %i ms', (text, ms) => expect(duration(text)).toBe(ms));

test.each(['', 'soon', '10 m', '-5', '1w', 'm'])('"%s" is no span of time', (text) => {
  expect(duration(text)).toBeUndefined();
  expect(() => pointInTime(text, 0)).toThrow(expect.objectContaining({ code: 'bad_time' }));
});

test('a point in time is so long ago, or named', () => {
  expect(pointInTime('10m', 1_000_000)).toBe(400_000);
  expect(pointInTime('10m', 0)).toBe(0);
  expect(pointInTime('1970-01-01T00:00:01Z', 0)).toBe(1000);
});

test('detach keys are named as in docker', () => {
  expect(keyBytes('ctrl-p,ctrl-q')).toBe('\u0010\u0011');
  expect(keyBytes('ctrl-],d')).toBe('\u001dd');
  expect(keyNames('Ctrl-P, ctrl-q')).toBe('ctrl-p ctrl-q');
  for (const wrong of ['', 'ctrl', 'ctrl-1', 'ctrl-[', 'ab', 'a,,b'])
    expect(() => keyBytes(wrong), wrong).toThrow(expect.objectContaining({ code: 'bad_keys' }));
});

test('detach keys are found across pieces, and the beginning of them is passed on when it was not meant', () => {
  const keys = () => new DetachKeys('\u0010\u0011');
  expect(keys().take('a\u0010\u0011b')).toEqual({ pass: 'a', detach: true });
  const split = keys();
  expect(split.take('\u0010')).toEqual({ pass: '', detach: false });
  expect(split.take('\u0011')).toEqual({ pass: '', detach: true });
  const other = keys();
  expect(other.take('\u0010')).toEqual({ pass: '', detach: false });
  expect(other.take('x')).toEqual({ pass: '\u0010x', detach: false });
  expect(keys().take('\u0010\u0010\u0011')).toEqual({ pass: '\u0010', detach: true });
});

test('however typing is cut into pieces, nothing of it is lost or doubled', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', '\u0010', 'x'), maxLength: 5 });
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const keys = new DetachKeys('\u0010\u0011');
      const passed = pieces.map((each) => keys.take(each).pass).join('');
      const typed = pieces.join('');
      expect(typed === passed || typed === `${passed}\u0010`).toBe(true);
    }),
  );
});

test.each([
  ['focus', '\u001b[Ia\u001b[O'],
  ['mouse, SGR', '\u001b[<35;10;20Ma\u001b[<0;1;1m'],
  ['mouse, X10', 'a\u001b[M !!'],
  ['the cursor position', '\u001b[12;40Ra'],
  ['the device', '\u001b[?62;22ca\u001b[>0;276;0c'],
  ['a mode', '\u001b[?2026;2$ya'],
  ['the keyboard', '\u001b[?1ua'],
  ['a colour', '\u001b]11;rgb:0000/0000/0000\u0007a\u001b]10;rgb:f/f/f\u001b\\'],
  ['the terminal’s name', '\u001bP>|xterm(370)\u001b\\a'],
])('what a terminal says of %s is not typed', (_, text) => expect(keysOnly(text)).toBe('a'));

test('keys stay keys', () => {
  const keys =
    '\u001b[A\u001bOB\u001b[1;5C\u001b[3~\u001b[200~pasted\u001b[201~\u001b\r\u0003\u001b[Z\u001b[15~';
  expect(keysOnly(keys)).toBe(keys);
});

test('a value of the configuration file is set, read and taken out by its path, and the file is private', () => {
  const dir = mkdtempSync(join(tmpdir(), 'config-'));
  const path = join(dir, 'deep', 'config.json');
  const layer = withValue(readConfigFile(path), 'timeouts.idleMs', 5);
  writeConfigFile(path, withValue(layer, 'cwd', '/w'));
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ timeouts: { idleMs: 5 }, cwd: '/w' });
  expect(valueAt(readConfigFile(path), 'timeouts.idleMs')).toBe(5);
  expect(valueAt(readConfigFile(path), 'timeouts.constructor')).toBeUndefined();
  expect(withValue(readConfigFile(path), 'timeouts.idleMs', undefined)).toEqual({ timeouts: {}, cwd: '/w' });
  const lists = { profiles: [{ match: 'a' }, { match: 'b', cwd: '/b' }] };
  expect(withValue(lists, 'profiles.1.cwd', '/c')).toEqual({
    profiles: [{ match: 'a' }, { match: 'b', cwd: '/c' }],
  });
  expect(withValue(lists, 'profiles.1.cwd', undefined)).toEqual({
    profiles: [{ match: 'a' }, { match: 'b' }],
  });
  expect(withValue(lists, 'profiles.0', undefined)).toEqual({ profiles: [{ match: 'b', cwd: '/b' }] });
  writeFileSync(path, '[1]');
  expect(() => readConfigFile(path)).toThrow(expect.objectContaining({ code: 'bad_config' }));
  rmSync(dir, { recursive: true });
});

const row = (event: SessionEvent, seq = 1) => ({ seq, at: 0, session: 'a\u001b[2J', event });

test('the line that ends a turn says what Claude wrote, and no line holds a control character', () => {
  const words = new RowWords();
  const delta = (index: number, text: string) =>
    row({ type: 'answer.delta', turn: 't', message: 'm', index, text, final: false });
  expect(words.lineOf(delta(0, 'all \u001b]0;x\u0007is\n'))).toBeUndefined();
  expect(words.lineOf(delta(1, 'well'))).toBeUndefined();
  const line = words.lineOf(row({ type: 'turn.settled', turn: 't', outcome: 'completed' }));
  expect(line).toMatch(/ {2}a {2}completed: all is well$/);
  expect(eventFields(delta(0, '\u009b'))).toMatchObject({
    event: 'answer.delta',
    seq: 1,
    at: '1970-01-01T00:00:00.000Z',
    text: '\u009b',
  });
});

test.each<[SessionEvent, string]>([
  [{ type: 'turn.adopted', turn: 't', text: 'hi' }, 'typed in the terminal: hi'],
  [
    { type: 'turn.adopted', turn: 't', text: '<task-notification>\nbuilt</task-notification>' },
    'told by a background task: <task-notification> built</task-notification>',
  ],
  [
    {
      type: 'turn.adopted',
      turn: 't',
      text: 'look again',
      origin: { by: 'wakeup', ingress: 'openai', meta: {} },
    },
    'woken up by itself: look again',
  ],
  [{ type: 'turn.queued', turn: 't', ingress: 'openai', text: 'go', meta: {} }, 'message: go'],
  [
    {
      type: 'turn.queued',
      turn: 't',
      ingress: 'openai',
      text: 'go',
      meta: {},
      quotes: [{ kind: 'forwarded' }],
    },
    'message (forwarded): go',
  ],
  [
    {
      type: 'permission.asked',
      code: 'kqzfd',
      tool: 'Bash',
      input: {},
      expires_at: 0,
      agent: { id: 'a', title: 'the\n"tests"' },
    },
    'the agent "the \'tests\'" asks for Bash: synthesis approve kqzfd | synthesis deny kqzfd',
  ],
])('%j is told as it came', (event, expected) => {
  expect(new RowWords().lineOf(row(event))?.endsWith(`  a  ${expected}`)).toBe(true);
});

test('how far a call is, is a line in ten seconds, and one at once for the next call', () => {
  const words = new RowWords();
  const at = (second: number, event: SessionEvent) =>
    words.lineOf({ ...row(event), at: second * 1000 })?.replace(/^.* {2}a {2}/, '');
  const far = (call: string, text: string) => ({ type: 'tool.progressed' as const, call, text });
  expect(at(0, far('c', '1 of 9'))).toBe('its tool says: 1 of 9');
  expect(at(0, far('d', '1 of 5'))).toBe('its tool says: 1 of 5');
  expect([at(1, far('c', '2 of 9')), at(9, far('c', '3 of 9'))]).toEqual([undefined, undefined]);
  expect(at(10, far('c', '\u001b[2J4\nof 9'))).toBe('its tool says: 4 of 9');
  expect(at(5, far('c', '5 of 9'))).toBe('its tool says: 5 of 9');
  at(6, { type: 'tool.answered', call: 'c', ok: true, content: '' });
  expect(at(7, far('c', '1 of 2'))).toBe('its tool says: 1 of 2');
});

test('a compaction is one calm line, and no state of a session is printed', () => {
  const compacted: SessionEvent = {
    type: 'bridge.compacted',
    origin: 4711,
    codes: ['abcde'],
    claudes: {},
    panic: null,
  };
  const restored: SessionEvent = { type: 'session.restored', version: 1, state: { secret: 'words' } };
  const words = new RowWords();
  const line = (seq: number) => words.lineOf({ seq, at: 0, session: '', event: compacted });
  expect(line(4712)).toMatch(/^\S+ {2}Older rows were put into the archive, up to row 4711$/);
  // A snapshot among the rows, which only makes a start shorter.
  expect(line(6712)).toBeUndefined();
  expect(words.lineOf(row(restored))).toBeUndefined();
  expect(eventFields(row(restored))).toEqual({
    event: 'session.restored',
    session: row(restored).session,
    at: '1970-01-01T00:00:00.000Z',
    seq: 1,
    version: 1,
  });
  expect(eventFields(row(compacted))).toMatchObject({
    event: 'bridge.compacted',
    origin: 4711,
    codes: ['abcde'],
  });
  expect([frameWords(compacted), frameWords(restored)].join()).not.toMatch(/abcde|secret/);
});

describe('a finding', () => {
  const check = {
    name: 'port',
    status: 'failed' as const,
    message: 'Port 1 is in use by another program.',
    suggestion: 'Choose another with `synthesis config set port <n>`.',
  };

  test('is two lines where nobody measures them', () => {
    expect(checkLines(check)).toEqual([
      'FAIL  port        Port 1 is in use by another program.',
      '                  Choose another with `synthesis config set port <n>`.',
    ]);
  });

  test('stays within a terminal, word by word, whatever its name is', () => {
    for (const name of ['port', 'channel_unavailable']) {
      for (let columns = 40; columns < 120; columns += 1) {
        const lines = checkLines({ ...check, name }, columns);
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
        expect(lines.join(' ').replace(/\s+/g, ' ')).toBe(
          `FAIL ${name} ${check.message} ${check.suggestion}`,
        );
      }
    }
  });

  test('keeps a path whole, so that it can be copied', () => {
    const path = `/home/alice/${'deep/'.repeat(12)}token`;
    expect(checkLines({ ...check, message: `Look at ${path} first.` }, 40).join('\n')).toContain(path);
  });
});
