// Codes that let somebody in who has lost their second factor: a list below a name that says so.
import { rest } from './passwords/lines.ts';
import type { Place } from './secret.ts';

const name =
  /(?:(?:recovery|back-?up|rescue|scratch|emergency|2fa|mfa|wiederherstellungs|ersatz|sicherungs|notfall|reserve)[ -]?(?:codes?|schlüssel|keys)|codes?[ ](?:de secours|de récupération|de respaldo))(?![\p{L}\d])/giu;
/** What may stand between the name and the end of its line. */
const tail = /^[ \t\p{L}\d()._,'’&+/-]{0,80}[:：]?[*_`"]{0,3}[ \t#]{0,8}$/u;
const inLine = /^(?:[ ][\p{L}\d()._'’-]{1,30}){0,4}[ ]{0,2}[:=：][*_]{0,3}[ \t]*/u;
const between = /^[ \t>]*(?:```|~~~)?\w{0,12}[ \t]*$/;
const mark = /(?:>[ \t]|[ \t])*(?:[-*+•][ \t]+(?:\[[ xX]\][ \t])?|\d{1,2}[.)][ \t])?/;
/** A word of a code: `1234 5678`, `abcd-efgh`, `a1b2c-3d4e5`, `K7Q2 9XWD 4TFM`. */
const code = /[A-Za-z0-9]{4,16}(?:-[A-Za-z0-9]{3,12}){0,5}/g;
const mostLines = 40;

export function* recoveryCodes(text: string): Generator<Place> {
  // What lies below a name is read once.
  let done = 0;
  for (const match of text.matchAll(name)) {
    const end = match.index + match[0].length;
    const { line, next } = rest(text, end);
    const sign = inLine.exec(line)?.[0];
    if (sign !== undefined) yield* codesIn(line.slice(sign.length), end + sign.length);
    if (!tail.test(line) || next < done) continue;
    done = yield* codesBelow(text, next);
  }
}

function* codesBelow(text: string, from: number): Generator<Place, number> {
  let at = from;
  for (let lines = 0; lines < mostLines; lines += 1) {
    const { line, next } = rest(text, at);
    const before = mark.exec(line)?.[0].length ?? 0;
    const places = [...codesIn(line.slice(before), at + before)];
    yield* places;
    // An empty line may stand before the codes and between them, anything else is behind them.
    if (places.length === 0 && !between.test(line)) break;
    at = next;
  }
  return at;
}

/** The codes of a line that has nothing else. */
function codesIn(line: string, at: number): Place[] {
  // `a1b2c-3d4e5 (used)`: the next ones are not.
  const plain = line.replace(/\(?\b(?:used|benutzt|verbraucht)\b\)?/gi, (word) => ' '.repeat(word.length));
  if (plain.replace(code, '').replace(/[ \t,;|*`~"_\r]/g, '') !== '') return [];
  const all = [...plain.matchAll(code)];
  if (!all.every(([each]) => isCode(each))) return [];
  const [first, last] = [all[0], all.at(-1)];
  if (!first || !last) return [];
  return [{ start: at + first.index, end: at + last.index + last[0].length, kind: 'recovery code' }];
}

/** Words of a sentence have no digits, or one mark between them and vowels: `Print them`. */
const isCode = (each: string): boolean => /[\d-]/.test(each);
