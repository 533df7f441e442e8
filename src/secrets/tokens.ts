// Tokens that say by themselves whose they are, as far as secretlint does not know them, or only one form of them.
import { isPassword } from './password.ts';
import { isPlaceholder } from './placeholder.ts';
import { isRandom } from './random.ts';
import type { Shape } from './shapes.ts';

const real = (value: string): boolean => !isPlaceholder(value);
const made = (value: string): boolean => real(value) && isRandom(value);

/** Its first part is the number of the bot, in base64. */
function isDiscord(value: string): boolean {
  const [id = ''] = value.split('.', 1);
  return /^\d{16,20}$/.test(Buffer.from(id, 'base64url').toString('latin1')) && real(value);
}

export const tokens: readonly Shape[] = [
  { kind: 'AWS access key', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g, holds: real },
  { kind: 'Google API key', pattern: /\bAIza[\w-]{35}(?![\w-])/g, holds: real },
  { kind: 'Google OAuth secret', pattern: /\bGOCSPX-[\w-]{28}(?![\w-])/g, holds: real },
  { kind: 'Google OAuth token', pattern: /\bya29\.[\w-]{20,500}/g, holds: real },
  {
    kind: 'OpenAI key',
    pattern: /(?<![\w-])sk-(?:(?:proj|svcacct|admin|None)-[\w-]{20,300}|[A-Za-z0-9]{32,64}(?![\w-]))/g,
    holds: made,
  },
  { kind: 'OpenRouter key', pattern: /(?<![\w-])sk-or-v1-[0-9a-f]{64}(?!\w)/g, holds: real },
  { kind: 'Anthropic key', pattern: /(?<![\w-])sk-ant-[a-z]{2,10}\d\d-[\w-]{20,200}/g, holds: made },
  {
    kind: 'GitHub token',
    pattern: /(?<!\w)(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60,90})(?!\w)/g,
    holds: real,
  },
  {
    kind: 'GitHub token',
    pattern: /(?<![\w-])ghs_\d{1,20}_[\w-]{1,1000}\.[\w-]{1,4000}\.[\w-]{1,1000}/g,
    holds: real,
  },
  { kind: 'SendGrid key', pattern: /(?<!\w)SG\.[\w-]{22}\.[\w-]{43}(?![\w-])/g, holds: real },
  { kind: 'GitLab token', pattern: /(?<!\w)gl(?:pat|dt|rt|ptt|oas)-[\w.-]{20,200}/g, holds: made },
  { kind: 'Hugging Face token', pattern: /(?<!\w)hf_[A-Za-z0-9]{30,40}(?!\w)/g, holds: real },
  { kind: 'Telegram bot token', pattern: /(?<!\d)\d{8,10}:AA[\w-]{33}(?![\w-])/g, holds: real },
  {
    kind: 'Discord token',
    pattern: /(?<![\w-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38}(?![\w-])/g,
    holds: isDiscord,
  },
  {
    kind: 'Discord webhook',
    pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{16,20}\/([\w-]{60,80})/g,
    holds: real,
  },
  { kind: 'Slack token', pattern: /(?<![\w-])xox[abeoprs]-\d{8,15}-[\w-]{15,200}/g, holds: real },
  { kind: 'xAI key', pattern: /(?<![\w-])xai-[A-Za-z0-9]{60,100}(?!\w)/g, holds: real },
  { kind: 'Perplexity key', pattern: /(?<![\w-])pplx-[A-Za-z0-9]{40,60}(?!\w)/g, holds: real },
  { kind: 'Replicate token', pattern: /(?<!\w)r8_[A-Za-z0-9]{37}(?!\w)/g, holds: real },
  { kind: 'DigitalOcean token', pattern: /(?<!\w)do[opr]_v1_[0-9a-f]{64}(?!\w)/g, holds: real },
  { kind: 'PyPI token', pattern: /(?<!\w)pypi-AgEI[\w-]{50,300}/g, holds: real },
  { kind: 'Atlassian token', pattern: /(?<!\w)ATATT3[\w=-]{50,300}/g, holds: real },
  { kind: 'age key', pattern: /\bAGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}\b/g, holds: real },
  // Only where a run begins, as `-` is part of it: else each `eyJ` of a run would read the rest of it.
  {
    kind: 'JSON web token',
    pattern: /(?<![\w-])eyJ[\w-]{10,4000}\.eyJ[\w-]{10,8000}\.[\w-]{20,2000}/g,
    holds: real,
  },
  { kind: 'bearer token', pattern: /\b(?:Bearer|Basic)[ ]([\w+/=.~-]{20,2000})/g, holds: made },
  {
    kind: 'Azure storage key',
    pattern: /\bAccountKey=([A-Za-z0-9+/]{60,100}={0,2})/g,
    holds: real,
  },
  {
    kind: 'one-time password key',
    pattern: /\botpauth:\/\/[^\s?]{1,200}\?(?:[a-z]{1,20}=[^\s&]{0,100}&){0,5}secret=([A-Z2-7]{16,128})/gi,
    holds: real,
  },
  {
    kind: 'password of a login',
    pattern: /[ ](?:-u|--user)[ =]?["']?[A-Za-z][\w.@-]{0,60}:([^\s"'`]{4,200})/g,
    holds: isPassword,
  },
  {
    kind: 'password in an address',
    pattern: /:\/\/[^\s:/@"'<>]{0,100}:([^\s/@"'<>]{4,200})(?=@[\w.[-])/g,
    holds: isPassword,
  },
];
