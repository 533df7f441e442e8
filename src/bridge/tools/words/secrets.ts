const hidden = '‹secret›';

/** Shorter ones would take half of every text with them. */
const shortestSecret = 4;

/** The text without the secrets that were given to the provider, in the forms that they take in addresses and JSON. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let all = text;
  for (const secret of secrets) {
    if (secret.length < shortestSecret) continue;
    const forms = new Set([
      secret,
      encodeURIComponent(secret.toWellFormed()),
      JSON.stringify(secret).slice(1, -1),
    ]);
    for (const form of forms) all = all.replaceAll(form, hidden);
  }
  return all;
}

const bearer = /\b(Bearer|Basic)[ \t]{1,3}[^\s"'‹]+/gi;
/** `api_key=…`: what stands behind such a name is secret, whatever it looks like. */
const named =
  /((?:api[_-]?key|token|secret|passw(?:or)?d|pwd|auth|signature|sig)["']?[ ]?=[ ]?["']?)[^\s"'&;,‹]+/gi;
/** A run that may hold a token. Taken as one, so that each character is looked at once. */
const run = /[\w+/=.~-]{16,}/g;
const known =
  /(?:^|[^A-Za-z])(?:sk-|gh[pousr]_|github_pat_|xox[a-z]-|AKIA|ASIA|glpat-|AIza|npm_|hf_)[\w-]{10}/;
const jwt = /^eyJ|[^A-Za-z]eyJ/;
const longest = 32;

const looksSecret = (text: string): boolean =>
  known.test(text) || (jwt.test(text) && text.includes('.')) || text.split(/[.~=]/).some(isRandom);

const isRandom = (piece: string): boolean =>
  piece.length >= longest &&
  (/^[0-9a-f]+$/i.test(piece) || (/\d/.test(piece) && /[a-z]/.test(piece) && /[A-Z]/.test(piece)));

/** The text without what looks like a token, whoever it belongs to. Hides too much rather than too little. */
export const withoutTokens = (text: string): string =>
  text
    .replace(bearer, `$1 ${hidden}`)
    .replace(named, `$1${hidden}`)
    .replace(run, (found) => (looksSecret(found) ? hidden : found));
