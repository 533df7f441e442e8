// What stands in manuals in place of a secret. It keeps nothing from anybody, and hiding it would hide the manual.

export const elided = /\.\.\.|…|‹|›|\*{3}|•{3}|([\w.-])\1{4}/;
/** No random text of a token's length has one of these by chance. */
export const standsIn =
  /example|sample|dummy|placeholder|redacted|change[-_]?me|replace|your[-_ ]|your(?:key|token|secret|pass)|[-_]here\b|123456789|abcdefg|deadbeef/i;
/** `<token>`, `${TOKEN}`, `{{token}}`, `%TOKEN%`, `$TOKEN`, `$(pass show x)`, `[token]`. */
const slot = /^<|>$|^\[.*\]$|\$\{|\$\(|\{\{|^\{[^{}]*\}$|^%\w+%$|^\$[A-Za-z_]\w*$/;
/** `https://user:secret@proxy`. */
const login = /:\/\/(?:user|username|login|admin|me):(?:pass|password|passwd|pw|secret|token)@/i;
/** Fewer different characters are a pattern, if there is room for more. */
const fewest = { different: 4, of: 8 };

/** Whether a value, up to some thousand characters, is a documentation's stand-in for one. */
export const isPlaceholder = (value: string): boolean =>
  elided.test(value) ||
  standsIn.test(value) ||
  slot.test(value) ||
  login.test(value) ||
  (value.length >= fewest.of && new Set(value).size < fewest.different);
