import { describe, expect, test } from 'vitest';
import { accounts } from '../../src/secrets/accounts.ts';
import { randomFill } from './noise.ts';

const found = (text: string): string[] => [...accounts(text)].map(({ start, end }) => text.slice(start, end));

test.each([
  ['DE89 3704 0044 0532 0130 00 BIC COBADEFF', 'DE89 3704 0044 0532 0130 00'],
  ['to AT611904300234573201.', 'AT611904300234573201'],
  ['NL91 ABNA 0417 1643 00', 'NL91 ABNA 0417 1643 00'],
  ['(CH93 0076 2011 6238 5295 7)', 'CH93 0076 2011 6238 5295 7'],
  ['AT61 1904 3002 3457 3201 BANKx', 'AT61 1904 3002 3457 3201'],
  ['Visa 4539148803436467, 12/27', '4539148803436467'],
  ['card: 3782 822463 10005.', '3782 822463 10005'],
  ['4539-1488-0343-6467: mine', '4539-1488-0343-6467'],
  ['a 4539 1488 0343 6467 b', '4539 1488 0343 6467'],
])('is found in %j', (text, number) => expect(found(text)).toEqual([number]));

test.each([
  ['with a wrong check digit', 'DE88 3704 0044 0532 0130 00'],
  ['of a country that has other lengths', 'DE89 3704 0044 0532 0130 0012'],
  ['of a country without them', 'US89 3704 0044 0532 0130 00'],
  ['with a letter behind it', 'DE89370400440532013000x'],
  ['with a word behind it', 'AT611904300234573201BANK'],
  ['in a word', 'xAT611904300234573201'],
  ['with a wrong last digit', '4539148803436468'],
  ['in a longer number', '14539148803436467'],
  ['in a word', 'x4539148803436467'],
  ['behind a decimal point', '0.4539148803436467'],
  ['in a UUID', '45391488-0343-6467-4539-148803436467'],
  ['among other numbers', '1234 4539 1488 0343 6467'],
  ['of no card', '1539148803436462'],
  ['that is made for tests', '4242 4242 4242 4242'],
])('is not found %s: %j', (_, text) => expect(found(text)).toEqual([]));

test('tells accounts from cards', () => {
  const kinds = [...accounts('4539148803436467 or AT611904300234573201')].map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(['IBAN', 'card number']);
});

/** By the registry of ISO 13616: of each length, in characters, the countries. */
const countries: Readonly<Record<number, string>> = {
  15: 'NO',
  16: 'BE',
  18: 'DK FI FO GL NL',
  19: 'MK SI',
  20: 'AT BA EE KZ LT LU XK',
  21: 'CH HR LI LV',
  22: 'BG BH CR DE GB GE IE ME RS VA',
  23: 'AE GI IL IQ TL',
  24: 'AD CZ ES MD PK RO SA SE SK TN VG',
  25: 'PT ST',
  26: 'IS TR',
  27: 'FR GR IT MC MR SM',
  28: 'AL AZ BY CY DO GT HU LB PL SV',
  29: 'BR EG PS QA UA',
  30: 'JO KW MU',
  31: 'MT SC',
  32: 'LC',
};
const each = Object.entries(countries).flatMap(([length, all]) =>
  all.split(' ').map((country) => [country, Number(length)] as const),
);

/** Well formed: its check digits fit. */
function iban(country: string, length: number): string {
  const random = randomFill(`${country} ${length}`);
  const signs = '0123456789ABCXYZ';
  const account = Array.from({ length: length - 4 }, () => signs.charAt(Math.floor(random() * signs.length)));
  const number = `${account.join('')}${country}00`.replace(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  const check = String(98n - (BigInt(number) % 97n)).padStart(2, '0');
  return `${country}${check}${account.join('')}`;
}

describe('an account', () => {
  test.each(each)('of %s is found, in one word and in groups', (country, length) => {
    const word = iban(country, length);
    const groups = word.replace(/.{4}(?=.)/g, '$& ');
    expect(found(`to ${word}.`)).toEqual([word]);
    expect(found(`to ${groups}, now`)).toEqual([groups]);
  });

  test.each(each)('of %s is not found in what is longer or shorter', (country, length) => {
    for (const other of [length - 1, length + 1]) expect(found(`to ${iban(country, other)}.`)).toEqual([]);
  });
});

const digits = '0123456789';

/** A number of which the last digit fits, by Luhn's table of doubled digits. */
function card(head: string, length: number): string {
  const random = randomFill(head);
  let number = head;
  while (number.length < length - 1) number += digits.charAt(Math.floor(random() * 10));
  return number + last(number);
}

function last(number: string): string {
  const sum = [...number]
    .reverse()
    .reduce(
      (all, digit, at) => all + Number((at % 2 === 0 ? '0246813579' : digits).charAt(Number(digit))),
      0,
    );
  return String((10 - (sum % 10)) % 10);
}

/** The first and the last beginning of each range of a kind of cards, and the ones beside them. */
const heads: readonly (readonly [length: number, inside: string, beside: string])[] = [
  [16, '4', '7 8 9'],
  [16, '51 55', '50 56'],
  [16, '2221 2229 223 229 23 26 270 271 2720', '2220 2721 2729 273'],
  [15, '34 37', '33 35 36'],
  [16, '6011 644 649 65', '6010 6012 643 66'],
  [16, '3528 3529 353 358', '3527 359'],
  [14, '300 305 36 38 39', '299 306 309'],
  [16, '62', '61 63'],
  [19, '62', '61 63'],
];
const inside = heads.flatMap(([length, all]) => all.split(' ').map((head) => [head, length] as const));
const beside = heads.flatMap(([length, , all]) => all.split(' ').map((head) => [head, length] as const));

describe('a card', () => {
  test.each(inside)('that begins with %s, of %i digits, is found', (head, length) => {
    const number = card(head, length);
    expect(found(`card ${number} of mine`)).toEqual([number]);
  });

  test.each(inside)('that begins with %s has %i digits and no others', (head, length) => {
    for (const other of [13, 14, 15, 16, 17, 18, 19, 20]) {
      if (inside.some(([each, wanted]) => each === head && wanted === other)) continue;
      expect(found(`card ${card(head, other)} of mine, not ${length}`)).toEqual([]);
    }
  });

  test.each(beside)('that begins with %s, of %i digits, there is none', (head, length) => {
    expect(found(`card ${card(head, length)} of mine`)).toEqual([]);
  });

  test.each(inside)('has %s at its beginning only, of %i digits', (head, length) => {
    expect(found(`card ${card(`9${head}`, length)} of mine`)).toEqual([]);
  });

  test.each([/^(.{4})(.{6})(.{4})$/])('of 14 digits is found in groups', (groups) => {
    for (const between of [' ', '-']) {
      const number = card('36', 14).replace(groups, ['$1', '$2', '$3'].join(between));
      expect(found(`card ${number} of mine`)).toEqual([number]);
    }
  });

  test('is not found in groups that are divided in two ways', () => {
    expect(found('4539 1488-0343 6467')).toEqual([]);
    expect(found('3782 822463-10005')).toEqual([]);
  });

  test('of three different digits is found, of two it is made for tests', () => {
    const numbers = [...Array(4096).keys()].map((at) => `4${at.toString(2).padStart(14, '0')}`);
    const withLast = numbers.map((number) => number + last(number));
    const of = (size: number) => withLast.find((number) => new Set(number).size === size) ?? '';
    expect(found(of(3))).toEqual([of(3)]);
    const two = `4${'4'.repeat(14)}`;
    expect(new Set(two + last(two)).size).toBe(2);
    expect(found(two + last(two))).toEqual([]);
  });

  const number = card('4', 16);
  test.each(['7', 'a', '_', '.', ':', '/', '#', '+', '-', '1 '])('is not found behind %j', (before) =>
    expect(found(before + number)).toEqual([]),
  );
  test.each(['7', 'a', '_', '/', '-', '.1', ':1', ',1', ' 1'])('is not found before %j', (behind) =>
    expect(found(number + behind)).toEqual([]),
  );
  test.each(['.', ':', ',', ' ', '. ', ', a', ' a', '+', '#'])('is found before %j', (behind) =>
    expect(found(number + behind)).toEqual([number]),
  );
  test.each([' ', 'a ', ', ', '=', '('])('is found behind %j', (before) =>
    expect(found(before + number)).toEqual([number]),
  );
});
