// Numbers of accounts and of payment cards. Their check digits tell them from other numbers.
import type { Place } from './secret.ts';

const iban = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{4}){2,7}(?:[ ]?[A-Z0-9]{1,3})?/g;
/** Whole, or in the groups that stand on a card; not a part of a longer number, a UUID, a decimal or a time. */
const card =
  /(?<![\w.:/#+-]|\d )(?:\d{14,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}|\d{4}([ -])\d{6}\2\d{4,5})(?![\w/-]|[.:, ]\d)/g;

/** Of an IBAN, by its country, characters. */
const lengths: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 ' +
    'FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 ' +
    'MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 ' +
    'SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20'
  )
    .split(' ')
    .map((each) => [each.slice(0, 2), Number(each.slice(2))]),
);

/** Of the number on a card, by its beginning, digits. */
const cards: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/, [16]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(?:6011|65|64[4-9])/, [16]],
  [/^35(?:2[89]|[3-8])/, [16]],
  [/^3(?:0[0-5]|[689])/, [14]],
  [/^62/, [16, 19]],
];

export function* accounts(text: string): Generator<Place> {
  for (const match of text.matchAll(iban)) {
    const length = ibanLength(match[0], text.charAt(match.index + match[0].length));
    if (length !== undefined) yield { start: match.index, end: match.index + length, kind: 'IBAN' };
  }
  for (const { index, 0: number } of text.matchAll(card))
    if (isCard(number.replace(/[ -]/g, '')))
      yield { start: index, end: index + number.length, kind: 'card number' };
}

/** How much of what was found is an IBAN: a word in capitals behind it may have been taken along. */
function ibanLength(found: string, behind: string): number | undefined {
  const wanted = lengths[found.slice(0, 2)];
  if (wanted === undefined) return undefined;
  let length = 0;
  for (let seen = 0; seen < wanted; length += 1) {
    if (length >= found.length) return undefined;
    if (found.charAt(length) !== ' ') seen += 1;
  }
  const next = length < found.length ? found.charAt(length) : behind;
  if (/[A-Za-z0-9]/.test(next)) return undefined;
  return isIban(found.slice(0, length).replaceAll(' ', '')) ? length : undefined;
}

/** ISO 13616: modulo 97, the country moved to the end, letters as numbers from 10. */
function isIban(plain: string): boolean {
  let rest = 0;
  for (const each of plain.slice(4) + plain.slice(0, 4)) {
    const value = Number.parseInt(each, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

function isCard(digits: string): boolean {
  // 4111 1111 1111 1111, 4242 4242 4242 4242: made for tests.
  if (new Set(digits).size < 3) return false;
  return cards.some(([head, all]) => all.includes(digits.length) && head.test(digits)) && sumsUp(digits);
}

/** Luhn's check. */
function sumsUp(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - at)) * (1 + (at % 2));
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
