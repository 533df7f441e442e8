// What people call a password, in the languages that the notes of this house were seen in.

export const passwordNames =
  'pass(?:word|wort|wörter|[ ]?phrase|code|wd)s?|kennwort|kennwörter|zugangscode|contraseña|mot de passe|пароль|密码|密碼|口令|パスワード|비밀번호|senha|wachtwoord|hasło|heslo|wpa[_-]?psk';

/** Short ones stand for themselves only: `wifi pw`. */
const shortNames = '(?<![\\p{L}\\d])(?:pwd|pw|psk)(?![\\p{L}\\d])';

/** Each place in a text where a password is named. */
export const passwordName = (): RegExp => new RegExp(`${passwordNames}|${shortNames}`, 'giu');

/** What stands with the name where the matter is not one password: `password policy`, `forgotPassword`, `Reset password`. */
const otherMatters = new Set(
  `
policy policies reset resets resetting manager managers hash hashes hashed hashing strength strong length requirement
requirements field fields input inputs change changes changed changing rotation expiry expiration history protection
protected recovery recover generator generated generate prompt prompts form forms rule rules complexity age file files
auth authentication type types storage stored encryption encrypted encrypt decrypt validation validator validate valid
invalid check checks checker checking confirm confirmation verify verification update updates updated hint hints minimum
maximum min max salt algorithm format encoding attempt attempts spray spraying attack attacks leak leaks breach breaches
list lists dialog page screen box column parameter parameters param argument option options flag setting settings env
variable variables provider store vault database entry entries sharing sync autofill autocomplete tip tips error errors
issue issues bug bugs fix fixes support handling handler test tests example examples note notes length limit limits
grant flow cracking cracker guessing reuse security must should shall can could may might will would are be been not no
never always only has have had with without when if while because or than that which who whose why how what where
forgot forgotten show hide toggle toggled is get gets set sets setting compare matches match equals equal enter enters
choose pick pass provide provides ask asks send sends create creates creating use uses using see need needs needed wants
require requires required missing wrong incorrect correct empty less based mode lookup utils util service controller
schema model icon label placeholder button text visible visibility error message messages field regex pattern count
kind url link links stdin command cmd path dir folder callback fn func function method class module package library
richtlinie richtlinien zurücksetzen ändern geändert vergessen länge stärke feld regel regeln schutz hinweis eingeben
manager muss soll sollte kann darf wird wurde werden sind nicht wenn falls oder dass weil
`.split(/\s/),
);

/** @param words before or behind the name: parts of an identifier, or of a heading */
export const isOtherMatter = (words: string): boolean =>
  words
    .matchAll(/[A-Z]?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{L}+/gu)
    .some(([word]) => otherMatters.has(word.toLowerCase()));
