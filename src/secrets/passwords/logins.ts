// A name and a password as people write them down: `Login: bob / …`, or so below a heading.
import { isPassword } from '../password.ts';
import type { Place } from '../secret.ts';
import { isAssigned } from './assigned.ts';
import { before, rest } from './lines.ts';
import { valueAt } from './value.ts';

const names =
  /(?<![\p{L}\d])(?:log-?ins?|logons?|sign-?in|credentials?|creds|zugang|zugänge|zugangsdaten|anmeldung|anmeldedaten|logindaten|benutzerdaten|account|konto|(?:user(?:name)?|benutzer(?:name)?|login)[ ]?(?:\/|&|\+|and|und)[ ]?(?:pass(?:word|wort|wd)?|pw|kennwort))(?![\p{L}\d])/giu;
/** Words that say where it is used, and the sign; or the end of a label that stands alone. */
const toPair =
  /^((?:[ ][\p{L}\d(][\p{L}\d.’'_()&+-]{0,30}){0,5}?)["'`*_)]{0,4}[ \t]{0,4}(?:(?:::|[:：=|])[*_]{0,3}|[*_]{0,3}$)/u;
/** `bob / `, `bob@example.com / `, ``- `bob` / ``, `Mail: bob / `. */
const user =
  /^[ \t>|]*(?:[-*+•][ \t]+)?(?:[\p{L}\d][\p{L}\d ._-]{0,40}(?:::|[:：])[*_]{0,2}[ \t]+)?["'`*_]{0,3}[\p{L}\d][\p{L}\d._@+-]{0,80}["'`*_]{0,3}([ \t]+)?\/(?:[ \t]+)?/u;
/** What is entered with, and no password: but for plain words. */
const services =
  /^(?:google|facebook|github|gitlab|apple|microsoft|twitter|linkedin|discord|slack|amazon|log-out|register|registration|sign-up|abmelden|registrieren|registrierung|magic-?link|webauthn|fido2)[.,;)]?$/i;
const mostLines = 30;

/** The passwords of pairs behind a name that means how to get in, or in the lines below it. */
export function* logins(text: string): Generator<Place> {
  // What lies below a line is read once, however many names are in it.
  let below = 0;
  for (const { index, 0: name } of text.matchAll(names)) {
    const end = index + name.length;
    const { line, isWhole, next } = rest(text, end);
    const match = toPair.exec(line);
    if (!match) continue;
    const behind = line.slice(match[0].length);
    const place = pairIn(behind, end + match[0].length, isWhole);
    if (place) yield place;
    if (behind.trim() !== '' || !isLabel(before(text, index)) || next === below) continue;
    below = next;
    yield* pairsBelow(text, next);
  }
}

const isLabel = (front: string): boolean =>
  /^[ \t>]*(?:[-*+•#]{1,6}[ \t]+)?[*_]{0,3}[\p{L}\d .&-]{0,40}$/u.test(front);

function* pairsBelow(text: string, from: number): Generator<Place> {
  let at = from;
  for (let lines = 0; lines < mostLines; lines += 1) {
    const { line, isWhole, next } = rest(text, at);
    const place = pairIn(line, at, isWhole);
    if (place) yield place;
    else if (line.trim() !== '') break;
    at = next;
  }
}

function pairIn(line: string, at: number, isWhole: boolean): Place | undefined {
  const match = user.exec(line);
  if (!match) return undefined;
  const from = match[0].length;
  const found = valueAt(line.slice(from), isWhole);
  if (!found || services.test(found.value)) return undefined;
  const isPair =
    match[1] === undefined ? isPassword(found.value) && !/[/.]/.test(found.value) : isAssigned(found.value);
  if (!isPair) return undefined;
  const start = at + from + found.start;
  return { start, end: start + found.value.length, kind: 'password of a login' };
}
