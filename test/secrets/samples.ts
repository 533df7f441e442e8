// Made-up secrets that are well formed. They are put together here, so that nothing that looks for secrets in this
// repository takes them for real ones.
import { createHash } from 'node:crypto';

/** As many characters as wanted, that look random and are the same each time. */
export function noise(length: number, alphabet: string): string {
  let all = '';
  for (let part = 0; all.length < length; part += 1)
    for (const byte of createHash('sha256').update(`sample ${alphabet} ${part}`).digest())
      all += alphabet.charAt(byte % alphabet.length);
  return all.slice(0, length);
}

const digits = '0123456789';
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const lower = upper.toLowerCase();
export const word = (length: number): string => noise(length, digits + upper + lower);
const hex = (length: number): string => noise(length, `${digits}abcdef`);
const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export const pemRule = (end: string, name = 'RSA ') => `-----${end} ${name}PRIVATE ${'KEY'}-----`;
/** Eight lines. */
export const pem = [pemRule('BEGIN'), `MI${word(62)}`, ...Array(5).fill(word(64)), pemRule('END')].join('\n');

/** By the kind that is told, the text of each, of which all is secret. */
export const samples: readonly (readonly [kind: string, secret: string])[] = [
  ['GitHub token', `gh${'p_'}${word(36)}`],
  ['GitHub token', `github${'_pat_'}${word(82)}`],
  ['GitHub token', `gh${'s_'}1234_${word(40)}.${word(90)}.${word(43)}`],
  ['SendGrid key', `S${'G.'}${word(22)}.${word(43)}`],
  ['GitLab token', `gl${'pat-'}${word(20)}`],
  ['Anthropic key', `sk-${'ant-'}api03-${word(93)}AA`],
  ['OpenAI key', `sk-${'proj-'}${word(48)}`],
  ['OpenAI key', `sk${'-'}${word(48)}`],
  ['OpenRouter key', `sk-${'or-v1-'}${hex(64)}`],
  ['Google API key', `AI${'za'}${word(35)}`],
  ['Google OAuth secret', `GOC${'SPX-'}${word(28)}`],
  ['AWS access key', `AK${'IA'}${noise(16, `${upper}234567`)}`],
  ['Slack token', `xo${'xb-'}${noise(12, digits)}-${noise(12, digits)}-${word(24)}`],
  ['Slack token', `https://hooks.${'slack.com'}/services/T${word(8)}/B${word(8)}/${word(24)}`],
  ['Stripe key', `sk_${'live_'}${word(24)}`],
  ['npm token', `np${'m_'}${word(36)}`],
  ['PyPI token', `pyp${'i-AgEI'}${word(80)}`],
  ['Hugging Face token', `h${'f_'}${noise(34, upper + lower)}`],
  ['Telegram bot token', `7123908465:${'AA'}${word(33)}`],
  ['Discord token', `${Buffer.from('714823906158273459').toString('base64url')}.${word(6)}.${word(30)}`],
  ['xAI key', `xa${'i-'}${word(80)}`],
  ['DigitalOcean token', `dop${'_v1_'}${hex(64)}`],
  ['age key', `AGE-${'SECRET'}-KEY-1${noise(58, '02345679ACDEFGHJKLMNPQRSTUVWXYZ')}`],
  [
    'JSON web token',
    [base64url({ alg: 'HS256', typ: 'JWT' }), base64url({ sub: 'ada', iat: 17e8 }), word(43)].join('.'),
  ],
  ['private key', pem],
  ['private key', pem.replaceAll('RSA ', 'OPENSSH ').replaceAll('\n', '\\n')],
  ['IBAN', 'DE89 3704 0044 0532 0130 00'],
  ['IBAN', 'GB29NWBK60161331926819'],
  ['card number', '4539 1488 0343 6467'],
  ['card number', '5500-0055-5555-5559'],
  ['card number', '378282246310005'],
];

/** What stands around a secret that only its name gives away, with `…` for it. */
export const namedSamples: readonly (readonly [kind: string, line: string, secret: string])[] = [
  ['password', 'Password: …', 'hunter2'],
  ['password', '**Password:** …', 'Sommer2024!'],
  ['password', '- Passwort (WLAN): `…`', 'kaffee#katze'],
  ['password', 'Kennwort = …', 'Geheim99'],
  ['password', '密码：…', 'abc$9012'],
  ['password', 'пароль: …', 'Зима2024'],
  ['password', '| Passwort | … |', 'Tür&Tor7'],
  ['password', 'Das Passwort lautet … und gilt bis Mai.', 'Xy7!plum'],
  ['password', 'DB_PASSWORD="…"', 'p4ss.w0rt'],
  ['password', 'wifi pw: …', 'brot4zeit'],
  ['password', 'Passwort:\n…', 'hunter2'],
  ['password', '**Password:**\n```text\n…\n```', 'Tulpe-7-Rot'],
  ['password', 'router → password → …', 'gr33nTea'],
  ['password', 'Set the password to "…" today.', 'gr33nTea'],
  ['password', 'Passwort „…“', 'Tulpe-7-Rot'],
  ['password of a login', 'curl -u ada:… https://git.example.org', 'gr33nTea'],
  ['PIN', 'PIN der Karte: …', '4711'],
  ['PIN', 'PIN …', '4711'],
  ['PIN', 'PIN: …', '4711'],
  ['PIN', 'Karten-PIN = …', '830274'],
  ['key', 'api_key = …', word(32)],
  ['key', '"client_secret": "…",', word(40)],
  ['key', 'export BACKUP_TOKEN=…', hex(40)],
  ['key', '2FA secret: …', noise(32, `${upper}234567`)],
  ['one-time password key', 'otpauth://totp/git?issuer=Git&secret=…', noise(32, `${upper}234567`)],
  ['wallet phrase', 'Seed phrase: …', 'lemon river stone '.repeat(4).trim()],
  ['AWS secret key', 'aws_secret_access_key = …', word(40)],
  ['bearer token', 'Authorization: Bearer …', word(40)],
  ['Azure storage key', 'AccountName=x;AccountKey=…', `${word(86)}==`],
  ['Discord webhook', 'https://discord.com/api/webhooks/714823906158273459/…', word(68)],
  ['password in an address', 'redis://cache:…@10.0.0.7:6379/0', 'p!ng-P0ng'],
];
