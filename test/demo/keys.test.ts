import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Key, KeyReader } from '../../src/demo/claude/screen/keys.ts';

const read = (...chunks: string[]) => {
  const reader = new KeyReader();
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.flush()];
};
const key = (name: string) => ({ kind: 'key', name });

test('a paste and the Enter behind it are two events, also in one write', () => {
  expect(read('\x1b[200~a\r\nb\x1b[201~\r')).toEqual([{ kind: 'paste', text: 'a\r\nb' }, key('enter')]);
});

test('a paste that is cut anywhere is still one paste', () => {
  const whole = '\x1b[200~one\ntwo\x1b[201~';
  fc.assert(
    fc.property(fc.integer({ min: 1, max: whole.length - 1 }), (at) => {
      expect(read(whole.slice(0, at), whole.slice(at))).toEqual([{ kind: 'paste', text: 'one\ntwo' }]);
    }),
  );
});

test('a lone ESC is the Escape key once nothing follows', () => {
  expect(read('\x1b')).toEqual([key('escape')]);
});

test('mouse, focus and the answers of the terminal are swallowed', () => {
  expect(
    read('\x1b[<0;5;5M', '\x1b[I', '\x1b[?62;22c', '\x1bP>|xterm(1)\x1b\\', '\x1b]11;rgb:0\x07', 'x'),
  ).toEqual([{ kind: 'text', text: 'x', bulk: false }]);
});

test.each([
  ['\x1b[A', 'up'],
  ['\x1b[Z', 'shift-tab'],
  ['\x7f', 'backspace'],
  ['\x03', 'ctrl-c'],
  ['\x15', 'ctrl-u'],
  ['\x07', 'ctrl-g'],
  ['\x13', 'ctrl-s'],
])('%j is %s', (bytes, name) => {
  expect(read(bytes)).toEqual([key(name)]);
});

test('more than 800 characters in one read count as bulk, newlines do not submit', () => {
  const [small, big] = [read(`${'x'.repeat(700)}\n`), read('x'.repeat(801))] as [Key[], Key[]];
  expect(small).toEqual([{ kind: 'text', text: `${'x'.repeat(700)}\n`, bulk: false }]);
  expect(big[0]).toMatchObject({ bulk: true });
});
