// How much of a text that still grows can go: what may turn out to be a part of a secret waits.

/** Names whose value may follow, in their line or below it. */
const naming =
  /pass|kennw|zugang|contrase|парол|密|口令|パス|비밀|senha|wachtwoord|has[lł]o|heslo|wpa|pwd|psk|\bpw\b|log-?[io]n|sign-?in|creds|credential|anmeld|benutzer|account|konto|recovery|back-?up|rescue|scratch|emergency|wiederher|ersatz|sicherung|notfall|reserve|2fa|mfa|codes|token|secret|key|schlüssel|令牌|pin\b|puk\b|geheim|seed|wallet|mnemonic|authorization|kind:|-----/i;

/** What is kept from the one who reads along, characters: of a line that names a secret, and of one word. */
const longest = { line: 400, word: 8_000 };
/** A number in groups that has begun. */
const groups = /(?<![A-Za-z0-9])(?:[A-Z]{2}\d{2}|\d{4,6})(?:[ -][A-Z0-9]{0,6}){0,8}$/;
const tail = 60;

export const isNaming = (text: string): boolean => naming.test(text);

/** Where the first name in a text stands; -1 for none. */
export const firstName = (text: string): number => text.search(naming);

/** @returns up to where a text can go although more will follow */
export function heldFrom(text: string): number {
  const line = text.lastIndexOf('\n') + 1;
  if (isNaming(text) && text.length - line <= longest.line) return line;
  let word = text.length;
  while (word > 0 && text.length - word < longest.word && !/\s/.test(text.charAt(word - 1))) word -= 1;
  const last = text.slice(-tail);
  const group = groups.exec(last);
  return group ? Math.min(word, text.length - last.length + group.index) : word;
}
