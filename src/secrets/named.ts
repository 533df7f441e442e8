// What stands behind a name: `Passwort: …`, `API_KEY=…`, `| PIN | … |`. The name says that it is secret, so what matters
// is whether it is a value at all: manuals say `password: string`, code says `password: options.password`.
import { isPassword } from './password.ts';
import { isPlaceholder } from './placeholder.ts';
import { isRandom } from './random.ts';
import type { Place } from './secret.ts';

/** What may stand between a name and its value. All of it has a bound, and none of it goes over the end of a line. */
const closing = '["\'`*_\\]]{0,4}[ \\t]{0,4}(?:\\([^()\\n]{0,40}\\)[*_ \\t]{0,4})?';
const sign = ':=|=>|->|→|==?|:|：';
/** In a table, or in a sentence: only behind a name that means nothing else. */
const looseSign = `${sign}|(?<=[ \\t])\\||\\|(?=[ \\t])|(?<=[ \\t])(?:is|ist|lautet|est|es|è)(?=[ \\t])|是`;
/** The value in the next line, alone, or in a code block. */
const below = '[*_]{0,3}[ \\t]{0,4}\\n(?:[ \\t]{0,8}```\\w{0,20}[ \\t]{0,4}\\n)?[ \\t]{0,8}["\'`]?';
const opening = '[*_]{0,3}[ \\t]{0,8}["\'`“„«*_]{0,3}';

const behind = (names: string, signs: string, value: string): RegExp =>
  new RegExp(`(?:${names})${closing}(?:${signs})${opening}(${value})`, 'giu');

const passwordNames =
  'pass(?:word|wort|wörter|[ ]?phrase|code|wd)s?|kennwort|kennwörter|zugangscode|contraseña|mot de passe|пароль|密码|密碼|口令|パスワード|비밀번호|senha|wachtwoord|hasło|heslo|wpa[_-]?psk';
const shortNames = '(?<![\\p{L}\\d])(?:pwd|pass|pw|psk)';
const keyNames =
  '(?:token|secret|credentials?|(?:api|app|access|admin|auth|account|bot|browser|client|consumer|deploy|encryption|eth|ethereum|ingest|insert|licen[sc]e|master|personal|pre-?shared|priv|private|secret|security|server|service|session|shared|signing|storage|subscription|wallet|webhook)[ _-]?key|密钥|令牌)[\\w-]{0,20}';

/** What an app for one-time passwords is given. */
const base32 = /^(?=[A-Z]{0,63}[2-7])[A-Z2-7]{16,64}$/;

interface Named {
  readonly kind: string;
  readonly pattern: RegExp;
  readonly holds: (value: string) => boolean;
}

const all: readonly Named[] = [
  { kind: 'password', pattern: behind(passwordNames, looseSign, '\\S{4,200}'), holds: isPassword },
  // Without a sign: "the password hunter2". Behind the text of a link or a string of code stands something else.
  {
    kind: 'password',
    pattern: behind(passwordNames, '[ ](?:(?:to|auf)[ ])?', '\\S{6,200}'),
    holds: (value) => isPassword(value) && !/:\/\/|[()]/.test(value),
  },
  { kind: 'password', pattern: behind(shortNames, sign, '\\S{4,200}'), holds: isPassword },
  {
    kind: 'password',
    pattern: new RegExp(
      `(?:${passwordNames})${closing}[:：]${below}(\\S{4,200})(?=[ \\t]{0,8}(?:\\n|$))`,
      'giu',
    ),
    holds: isPassword,
  },
  {
    kind: 'PIN',
    pattern: behind(
      '(?:pin|puk|geheimzahl)(?:[ -]?(?:code|nummer|number))?(?:[ ](?:der|für|for|of|zur|zum)[ ][\\p{L} -]{1,30})?',
      `${looseSign}|[ ]`,
      '\\d{4,8}(?![\\w%]|[.:,-]\\d)',
    ),
    holds: isPassword,
  },
  {
    kind: 'key',
    pattern: behind(keyNames, looseSign, '[\\w+/=.~-]{16,300}'),
    holds: (value) => !isPlaceholder(value) && (isRandom(value) || base32.test(value)),
  },
  {
    kind: 'wallet phrase',
    pattern: behind(
      '(?:seed|recovery|wallet|mnemonic|wiederherstellungs)[ -]?(?:phrase|words|wörter)?',
      sign,
      '(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8}',
    ),
    holds: () => true,
  },
];

/** Values behind a name that says they are secret. */
export function* named(text: string): Generator<Place> {
  for (const { kind, pattern, holds } of all)
    for (const match of text.matchAll(pattern)) {
      const start = match.index + match[0].length - (match[1] ?? '').length;
      const value = withoutEnd(match[1] ?? '', text.charAt(start - 1));
      if (holds(value)) yield { start, end: start + value.length, kind };
    }
}

/** Without what closes a quotation, a list, a cell or a sentence. */
function withoutEnd(value: string, before: string): string {
  const quote = /["'`]/.test(before) ? value.indexOf(before) : -1;
  return quote >= 0 ? value.slice(0, quote) : value.replace(/[|,.;:)\]}*_"'`”“»]{1,8}$/, '');
}
