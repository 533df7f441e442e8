import { expect, test } from 'vitest';
import { accounts } from '../../src/secrets/accounts.ts';

const found = (text: string): string[] => [...accounts(text)].map(({ start, end }) => text.slice(start, end));

test.each([
  ['DE89 3704 0044 0532 0130 00 BIC COBADEFF', 'DE89 3704 0044 0532 0130 00'],
  ['to AT611904300234573201.', 'AT611904300234573201'],
  ['NL91 ABNA 0417 1643 00', 'NL91 ABNA 0417 1643 00'],
  ['(CH93 0076 2011 6238 5295 7)', 'CH93 0076 2011 6238 5295 7'],
  ['Visa 4539148803436467, 12/27', '4539148803436467'],
  ['card: 3782 822463 10005.', '3782 822463 10005'],
])('is found in %j', (text, number) => expect(found(text)).toEqual([number]));

test.each([
  ['with a wrong check digit', 'DE88 3704 0044 0532 0130 00'],
  ['of a country that has other lengths', 'DE89 3704 0044 0532 0130 0012'],
  ['of a country without them', 'US89 3704 0044 0532 0130 00'],
  ['with a wrong last digit', '4539148803436468'],
  ['in a longer number', '14539148803436467'],
  ['in a word', 'x4539148803436467'],
  ['behind a decimal point', '0.4539148803436467'],
  ['in a UUID', '45391488-0343-6467-4539-148803436467'],
  ['among other numbers', '1234 4539 1488 0343 6467'],
  ['of no card', '1539148803436462'],
  ['that is made for tests', '4242 4242 4242 4242'],
])('is not found %s: %j', (_, text) => expect(found(text)).toEqual([]));
