// Whether a value is no password but says where one is: a variable, a call, a path, an address. A password that was made
// by chance must not look like one, so each form is told by what people name things, and not by its signs alone.

/** `password`, `dbPassword`, `DB_PASSWORD`, `$config`, `node1`: words that people put together. */
const identifier =
  '[$#]?_{0,2}(?:[a-z]{2,30}(?:[A-Z][a-z]{2,30}){0,8}|(?:[A-Z][a-z]{2,30}){1,9}|[A-Z]{3,40})';
/** Between the parts of a path to a name. */
const joint = '[?!]?(?:\\.|->|::)';
const name = `(?:${identifier}|[A-Z]{2}_[A-Z]{2,40})(?:[_-]${identifier}){0,8}_?\\d{0,2}`;

/** Where brackets follow it may be any name: `normalizeOptionalString`, `decodeX509`. */
const code = '(?=[$#\\w]{0,60}[a-z]{4})[$#]?[A-Za-z_][A-Za-z_\\d]{0,60}';

const forms: readonly RegExp[] = [
  // `config.password`, `user?.password!`, `$this->password`, `Config::PASSWORD`
  `^(?:\\$this|self|this|${name})(?:${joint}#?${name}){1,8}[!?]?$`,
  // `hash(password)`, `get("x")`, `z.string().min(8)`, `read({`, `Type.Optional<Type.String>`, `process.env['X']`
  `^&?(?:${name}${joint}){0,8}${name}[!?]?\\(["'\`)]`,
  `^&?(?:(?:[a-z]|\\$?${name})${joint}){0,8}${code}[!?]?(?:\\((?:["'\`)]|\\$[a-z]{3}|[[{(]{0,3}$|.*\\)$|.*\\)[.?;,])|<.*>$)`,
  `^(?:${name}${joint}){0,8}${name}\\[(?:["'\`]|\\d{1,3}\\]$|${name}\\]$)`,
  // `$DB_PASS1`, `$password`, `%TOKEN%`, `env:DB_PASS`, `DB_PASSWORD_2`, `@env`, `--password-file=x`
  `^[$@&:]${name}$|^%${name}%$|^env:[A-Za-z_]\\w*$|^[A-Z][A-Z\\d]*(?:_[A-Z\\d]+)+$`,
  '<(?:[A-Z_]{3,20}|[a-z]{3,20}|ID|id)>',
  '^--[a-z]{2,20}(?:-[a-z]{2,20}){0,5}(?:=.*)?$',
  // `${X}`, `$(pass show x)`, `{{ x }}`, `<your password>`, `[x](y)`
  '^\\$\\{[^{}]*\\}$|^\\$\\([^()]*\\)$|^\\{\\{.*\\}\\}$|^<[\\w .:/-]*>$|^\\[\\[?[\\p{L}\\d _.-]*\\]?\\](?:\\(.*\\))?$|^%\\{?[({]\\w+[)}]s?$|^\\{[\\w .-]*\\}$',
  // `!secret`, `!Ref`
  '^!(?:secret|vault|env|env_var|include|file|encrypted|Ref|Sub|GetAtt|ImportValue|reference)(?:/\\w{1,30})?$',
  // `op://vault/item`, `file:/run/x`, `~/x`, `./x`, `@./x`, `C:\\x`
  '^[a-z][a-z\\d+-]{1,20}:///?\\w|^file:/\\w|^@?(?:~|\\.{1,2})/[\\w.-]*(?:/[\\w.-]*){0,20}$|^[A-Z]:\\\\[A-Za-z]{2}',
  '^@?/[a-z]{2,30}(?:[._-][a-z\\d]{1,30}){0,8}(?:/[\\w.-]{1,80}){0,20}/?$',
].map((form) => new RegExp(form, 'u'));

/** `candidate,`, `value;`: what stands so in code, unquoted, is another name. */
const listed = new RegExp(`^${name}[,;)]{1,3}$`);
export const isListedName = (value: string): boolean => listed.test(value);

export const isReference = (value: string): boolean => forms.some((form) => form.test(value));

/** `confirmPassword`, `user_password`, `secretKeyRef`: a name that has one of these for a part is no password. */
const tellingParts =
  /^(?:password|passwort|passwd|passphrase|pass|pwd|secret|token|key|credential|credentials|hash|hashed|config|env|input|value|field|param|string|text|user|username|name|ref|arg|args|opts|options|settings|form|body|data|default|callback|handler|helper|schema|type|validator|model|props|state|request|response|generate|generated|random|encrypted)$/i;

/** Mean length of the parts of a name: letters that were drawn by chance have shorter ones. */
const usual = 4;

/** Whether a value is one name as code has them, with a part that says what it is for: `confirmPassword`. */
export function isTellingName(value: string): boolean {
  if (!/^[A-Za-z_$][\w$]*(?:-[\w$]+)*$/.test(value)) return false;
  const parts = [...value.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)].map(([part]) => part);
  const letters = parts.join('').length;
  return parts.length > 1 && letters >= usual * parts.length && parts.some((part) => tellingParts.test(part));
}
