import { expect, test } from 'vitest';
import { findSecrets } from '../../src/secrets/find-secrets.ts';
import { masked } from '../../src/secrets/masked.ts';
import { pem } from './samples.ts';

const mask = (text: string): string => masked(text, findSecrets(text));

test('puts its kind in place of each secret', () => {
  expect(mask('PIN: 4711, Passwort: Geheim99')).toBe('PIN: ‹secret: PIN›, Passwort: ‹secret: password›');
});

test('keeps the lines that a secret goes over', () => {
  expect(mask(`a\n${pem}\nb`)).toBe(`a\n‹secret: private key›${'\n'.repeat(7)}\nb`);
});

test('keeps ends of lines of Windows', () => {
  const text = `a\r\n${pem.replaceAll('\n', '\r\n')}\r\nb`;
  expect(mask(text)).toBe(`a\r\n‹secret: private key›${'\r\n'.repeat(7)}\r\nb`);
});

test('finds nothing in what it has masked', () => {
  expect(findSecrets(mask(`PIN: 4711\npassword = hunter2\n${pem}`))).toEqual([]);
});

test('leaves a text without secrets as it is', () => expect(masked('as it is\n', [])).toBe('as it is\n'));
