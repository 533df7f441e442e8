// How much of a text that still grows can go: what may turn out to be a part of a secret waits.

/** Names whose value stands in their line. */
const inLine =
  /token|secret|key|schlüssel|令牌|密钥|pin\b|puk\b|geheim|seed|wallet|mnemonic|phrase|authorization|-----/i;
/** Names whose value may stand some lines below. */
const near =
  /pass|kennw|contrase|парол|密|口令|パス|비밀|senha|wachtwoord|has[lł]o|heslo|wpa|pwd|psk|\bpw\b|zugangscode/i;
/** Names of lists, of whose lines each may be one. */
const far =
  /log-?[io]n|sign-?in|creds|credential|zugang|zugänge|anmeld|benutzer|account|konto|recovery|back-?up|rescue|scratch|emergency|wiederher|ersatz|sicherung|notfall|reserve|2fa|mfa|codes|kind["']?:/i;
/** What has neither a name nor one of these has no secret: long words, numbers in groups, logins. */
const shaped = /\S{24}|\d{4}[ -]?\d{2}|:\/\/[^\s/]*:|[ ](?:-u|--user)|bearer|basic/i;
const word = /\S{14,}/g;

/** What is kept from the one who reads along, characters: of a line that names a secret, of one word, of a private key. */
const longest = { line: 400, word: 8_000, key: 20_000 };
/** A number in groups that has begun. */
const groups = /(?<![A-Za-z0-9])(?:[A-Z]{2}\d{2}|\d{4,6})(?:[ -][A-Z0-9]{0,6}){0,8}$/;
const tail = 60;

/** Whether it is worth looking for secrets in a text: most have nothing that one could be. */
export const mayHaveSecrets = (text: string): boolean =>
  near.test(text) ||
  far.test(text) ||
  inLine.test(text) ||
  shaped.test(text) ||
  [...text.matchAll(word)].some(([each]) => /\d/.test(each));

/** Where the first name in a text stands that counts some lines below it, or many; -1 for none. */
export const nearName = (text: string): number => text.search(near);
export const farName = (text: string): number => text.search(far);

const keyBegin = /^.*(?:-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY|PuTTY-User-Key-File-\d)/gm;
const keyEnd = /-----END [A-Z0-9 ]{1,60}-----|Private-MAC:.{40}/;
/** A line of a key, or the beginning of its last one. */
const keyLine =
  /^[>"'| \t]{0,8}(?:[A-Za-z0-9+/=\\]*|[A-Za-z0-9-]{1,30}:.*|-{1,5}(?:E(?:N(?:D[A-Z0-9 ]*)?)?)?-{0,4})["',]{0,4}\r?$/;

/** Where a private key begins that is not over; -1 for none. */
function openKeyAt(text: string): number {
  const begin = [...text.matchAll(keyBegin)].at(-1);
  if (!begin) return -1;
  const inside = text.slice(begin.index);
  const isKey = inside
    .split('\n')
    .slice(1)
    .every((line) => keyLine.test(line));
  return isKey && !keyEnd.test(inside) && inside.length <= longest.key ? begin.index : -1;
}

/** @returns up to where a text can go although more will follow */
export function heldFrom(text: string): number {
  const key = openKeyAt(text);
  if (key >= 0) return key;
  const line = text.lastIndexOf('\n') + 1;
  const isNamed = near.test(text) || far.test(text) || inLine.test(text.slice(line));
  if (isNamed && text.length - line <= longest.line) return line;
  let begin = text.length;
  while (begin > 0 && text.length - begin < longest.word && !/\s/.test(text.charAt(begin - 1))) begin -= 1;
  const last = text.slice(-tail);
  const group = groups.exec(last);
  return group ? Math.min(begin, text.length - last.length + group.index) : begin;
}
