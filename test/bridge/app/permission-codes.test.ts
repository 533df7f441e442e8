import { expect, test } from 'vitest';
import { Codes } from '../../../src/bridge/app/desks/codes.ts';
import { PermissionCode } from '../../../src/protocol/wire/wire.ts';

const asked = (code: string) => ({
  seq: 1,
  at: 0,
  session: 's',
  event: { type: 'permission.asked' as const, code, tool: 'Bash', input: {}, expires_at: 0 },
});

test('codes have five letters and no l', () => {
  const codes = new Codes();
  for (let count = 0; count < 500; count += 1)
    expect(PermissionCode.safeParse(codes.claim()).success).toBe(true);
});

test('Claude Code’s own code is kept the first time, and never again', () => {
  const codes = new Codes();
  expect(codes.claim('abcde')).toBe('abcde');
  expect(codes.claim('abcde')).not.toBe('abcde');
});

test('a code in the journal, of whatever session and time, is used', () => {
  const codes = new Codes();
  codes.observe(asked('abcde'));
  expect(codes.isKnown('abcde')).toBe(true);
  expect(codes.isKnown('fghij')).toBe(false);
  expect(codes.claim('abcde')).not.toBe('abcde');
});

test('a candidate that was used is thrown away', () => {
  const drawn = ['aaaaa', 'aaaaa', 'bbbbb'];
  const codes = new Codes({ random: () => drawn.shift() ?? '' });
  expect([codes.claim(), codes.claim()]).toEqual(['aaaaa', 'bbbbb']);
});

test('a candidate that is drawn is known from then on', () => {
  const codes = new Codes();
  const code = codes.claim();
  expect(codes.isKnown(code)).toBe(true);
});

test('only a question takes a code from the journal', () => {
  const codes = new Codes();
  codes.observe({ ...asked('abcde'), event: { type: 'permission.sent', code: 'abcde' } });
  expect(codes.isKnown('abcde')).toBe(false);
});

test('all letters but the l are drawn', () => {
  const codes = new Codes();
  const drawn = Array.from({ length: 500 }, () => codes.claim()).join('');
  expect([...new Set(drawn)].sort().join('')).toBe('abcdefghijkmnopqrstuvwxyz');
});
