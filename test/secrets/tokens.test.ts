import { describe, expect, test } from 'vitest';
import { shaped } from '../../src/secrets/shapes.ts';
import { made, real } from '../../src/secrets/tokens/real.ts';
import { tokens } from '../../src/secrets/tokens/tokens.ts';
import { noise, samples, word } from './samples.ts';

const found = (text: string): string[] =>
  [...shaped(text, tokens)].map(({ start, end, kind }) => `${kind}: ${text.slice(start, end)}`);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const key = word(32);
const web = samples.find(([kind]) => kind === 'JSON web token')?.[1] ?? '';
/** Once more in base64, with one and with two signs at its end. */
const [padded = '', twice = ''] = ['=', '=='].map((end) =>
  ['', 'x', 'xx'].map((more) => base64(web + more)).find((each) => each.replace(/[^=]/g, '') === end),
);
const age = samples.find(([kind]) => kind === 'age key')?.[1] ?? '';
const basic = base64('ada:hunter2!');
const oneTime = noise(32, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');

test.each([
  [`a ${age} b`, `age key: ${age}`],
  [`a ${web} b`, `JSON web token: ${web}`],
  [`a.${web}`, `JSON web token: ${web}`],
  [`a ${base64(web)} b`, `JSON web token: ${base64(web)}`],
  [`a ${padded}`, `JSON web token: ${padded}`],
  [`a ${twice}`, `JSON web token: ${twice}`],
  [`Bearer ${key},`, `bearer token: ${key}`],
  [`Basic ${key}`, `bearer token: ${key}`],
  [`Authorization: Basic ${basic}`, `password of a login: ${basic}`],
  [`authorization:Basic ${basic}`, `password of a login: ${basic}`],
  [`otpauth://totp/git?secret=${oneTime}`, `one-time password key: ${oneTime}`],
  [`otpauth://totp/a:b?issuer=Git&x=&secret=${oneTime}&a=b`, `one-time password key: ${oneTime}`],
  ['curl -u ada:hunter2 x', 'password of a login: hunter2'],
  ['curl -uada:hunter2', 'password of a login: hunter2'],
  ['curl --user=a:hunter2', 'password of a login: hunter2'],
  [`curl --user 'ada.b@x-1.org:hunter2'`, 'password of a login: hunter2'],
  ['redis://:hunter2@host', 'password in an address: hunter2'],
  ['x+y://ada-1:hunter2@10.0.0.7', 'password in an address: hunter2'],
  ['x://ada:hunter2@[::1]:80', 'password in an address: hunter2'],
])('is found in %j', (text, secret) => expect(found(text)).toContain(secret));

test.each([
  ['in a word', `x${age}`],
  ['in a longer word', `${age}Q`],
  ['for an example', age.replace(/.{7}$/, 'EXAMPLE')],
  ['in a word', `x${web}`],
  ['in a word of base64', `/${base64(web)}`],
  ['of two parts', web.split('.').slice(0, 2).join('.')],
  ['with an example at its end', `${web.split('.').slice(0, 2).join('.')}.example${key}`],
  ['that is short', base64(web).slice(0, 60)],
  ['with an example in base64', `${base64(web).replaceAll('=', '')}example`],
  ['in a word', `xBearer ${key}`],
  ['without a blank', `Bearer${key}`],
  ['that is short', `Bearer ${key.slice(0, 19)}`],
  ['of words', 'Bearer my-agent-token-2024-01-15'],
  ['without a name', `Authorization: Basic ${base64(':hunter2!')}`],
  ['without a colon', `Authorization: Basic ${base64('ada-hunter2')}`],
  ['of bytes', `Authorization: Basic ${base64('ada:hunter2\u0001')}`],
  ['of bytes at the beginning', `Authorization: Basic ${base64('\u0001ada:hunter2')}`],
  ['with a number that is counted for a password', `Authorization: Basic ${base64('ada:123456')}`],
  ['with a word for a password', `Authorization: Basic ${base64('ada1:string')}`],
  ['of another scheme', `Authorization: Digest ${basic}`],
  ['of another header', `xAuthorization: Basic ${basic}`],
  ['for one-time passwords of another scheme', `xotpauth://totp/git?secret=${oneTime}`],
  ['for one-time passwords that is short', `otpauth://totp/git?secret=${oneTime.slice(0, 15)}`],
  ['for one-time passwords behind a space', `otpauth://totp/a b?secret=${oneTime}`],
  ['for one-time passwords that is an example', `otpauth://totp/git?secret=EXAMPLE${oneTime}`],
  ['of a login without a name', 'curl -u :hunter2'],
  ['of a login with numbers', 'docker run -u 1000:hunter2'],
  ['of a login behind a word', 'x-u ada:hunter2'],
  ['of a login with a word', 'curl -u ada:string'],
  ['of a login that is short', 'curl -u ada:a1!'],
  ['in an address that is a word', 'x://ada:string@host'],
  ['in an address without a host', 'x://ada:hunter2@ host'],
  ['in an address without a password', 'x://ada:@host'],
  ['in an address with a path', 'x://ada:80/hunter2@host'],
  ['in an address with a blank', 'x://a b:hunter2@host'],
])('none is found %s: %j', (_, text) => expect(found(text)).toEqual([]));

describe('what is made by chance', () => {
  test.each([
    [key, true, true],
    ['my-agent-token', true, false],
    [`example${key}`, false, false],
    ['<token>', false, false],
  ])('%j', (value, isReal, isMade) => {
    expect([real(value), made(value)]).toEqual([isReal, isMade]);
  });
});
