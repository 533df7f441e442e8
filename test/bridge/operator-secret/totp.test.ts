import { expect, test } from 'vitest';
import { fromBase32, toBase32 } from '../../../src/bridge/operator-secret/base32.ts';
import { checkCode, codeAt, codeOf, otpauthUri, stepOf } from '../../../src/bridge/operator-secret/totp.ts';

const key = Buffer.from('12345678901234567890');

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('the vector of RFC 6238 at %d s', (seconds, code) => {
  expect(codeOf(key, stepOf(seconds * 1000), 8)).toBe(code);
  expect(codeAt(key, seconds * 1000)).toBe(code.slice(-6));
});

test('the code of the step before and after holds, and no other', () => {
  const at = 1_111_111_111_000;
  const of = (steps: number) => checkCode(key, codeAt(key, at + steps * 30_000), at, 0);
  for (const steps of [-1, 0, 1]) expect(of(steps)).toEqual({ name: 'right', step: stepOf(at) + steps });
  for (const steps of [-3, -2, 2, 3]) expect(of(steps)).toEqual({ name: 'wrong' });
});

test('a code counts once, and none before it counts any more', () => {
  const at = 1_111_111_111_000;
  const now = stepOf(at);
  expect(checkCode(key, codeOf(key, now), at, now - 1)).toEqual({ name: 'right', step: now });
  expect(checkCode(key, codeOf(key, now), at, now)).toEqual({ name: 'used' });
  expect(checkCode(key, codeOf(key, now - 1), at, now)).toEqual({ name: 'used' });
  expect(checkCode(key, codeOf(key, now + 1), at, now)).toEqual({ name: 'right', step: now + 1 });
});

test('base32 as RFC 4648 has it, and as people type it', () => {
  const vectors: [string, string][] = [
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ];
  for (const [text, encoded] of vectors) {
    expect(toBase32(Buffer.from(text))).toBe(encoded);
    expect(fromBase32(encoded)?.toString()).toBe(text);
  }
  expect(fromBase32('mzxw 6ytb oi======')?.toString()).toBe('foobar');
  expect(fromBase32('MZXW1')).toBeUndefined();
  expect(fromBase32('')).toBeUndefined();
});

test('the link names the key, and who it is for', () => {
  expect(otpauthUri('ABC', 'me@there')).toBe(
    'otpauth://totp/synthesis:me%40there?secret=ABC&issuer=synthesis',
  );
});
