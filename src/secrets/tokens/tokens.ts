// Tokens that say by themselves whose they are, as far as secretlint does not know them, or only one form of them.
import { isPassword } from '../password.ts';
import type { Shape } from '../shapes.ts';
import { cloudTokens } from './cloud-tokens.ts';
import { codeTokens } from './code-tokens.ts';
import { modelTokens } from './model-tokens.ts';
import { paymentTokens } from './payment-tokens.ts';
import { made, real } from './real.ts';
import { serviceTokens } from './service-tokens.ts';

const general: readonly Shape[] = [
  { kind: 'age key', pattern: /\bAGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}\b/g, holds: real },
  // Only where a run begins, as `-` is part of it: else each `eyJ` of a run would read the rest of it.
  {
    kind: 'JSON web token',
    pattern: /(?<![\w-])eyJ[\w-]{10,4000}\.eyJ[\w-]{10,8000}\.[\w-]{20,2000}/g,
    holds: real,
  },
  // The same once more in base64.
  { kind: 'JSON web token', pattern: /(?<![\w+/-])ZXlK[A-Za-z0-9+/_-]{60,12000}={0,2}/g, holds: real },
  { kind: 'bearer token', pattern: /\b(?:Bearer|Basic)[ ]([\w+/=.~-]{20,2000})/g, holds: made },
  {
    kind: 'password of a login',
    pattern: /\bAuthorization:[ ]{0,4}Basic[ ]([A-Za-z0-9+/]{8,400}={0,2})/gi,
    holds: isBasic,
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

/** `user:password` in base64. */
function isBasic(value: string): boolean {
  const plain = Buffer.from(value, 'base64').toString('utf8');
  const colon = plain.indexOf(':');
  return colon > 0 && /^[\x20-\x7e]+$/.test(plain) && isPassword(plain.slice(colon + 1));
}

export const tokens: readonly Shape[] = [
  ...cloudTokens,
  ...modelTokens,
  ...codeTokens,
  ...serviceTokens,
  ...paymentTokens,
  ...general,
];
