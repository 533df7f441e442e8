// Signatures of real keys, made by `ssh-keygen`, and of touch keys, made by hand.
import { execFileSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { parsePublicKeyLine } from '../../../src/bridge/operator-secret/ssh-public-key.ts';
import { checkSshSignature } from '../../../src/bridge/operator-secret/ssh-signature.ts';
import { proofNamespace } from '../../../src/domain/views/operator-proof.ts';
import { SshKeys, signWith, TouchKey } from '../../support/ssh-keys.ts';

const keys = new SshKeys();
afterAll(() => keys[Symbol.dispose]());

const text = 'what is decided\n';
const check = (signature: string, lines: readonly string[], over = text) =>
  checkSshSignature(signature, {
    text: over,
    namespace: proofNamespace,
    keys: lines.map(parsePublicKeyLine),
  });

test.each(['ed25519', 'ecdsa'] as const)(
  'a signature that ssh-keygen makes with %s is taken, for its text alone',
  (type) => {
    const { file, line, fingerprint } = keys.make(type);
    const signature = signWith(file, text, proofNamespace);
    expect(check(signature, [line])).toMatchObject({ ok: true, key: { fingerprint } });
    expect(check(signature, [line], 'something else\n')).toEqual({
      ok: false,
      why: 'The signature is for something else.',
    });
  },
);

test('ecdsa signatures are taken whatever the length of their numbers', () => {
  const { file, line } = keys.make('ecdsa', 'numbers');
  for (let at = 0; at < 40; at += 1)
    expect(check(signWith(file, `${at}`, proofNamespace), [line], `${at}`).ok).toBe(true);
});

test('one of several keys is enough, and one that is not named any more decides nothing', () => {
  const [one, other] = [keys.make('ed25519', 'one'), keys.make('ed25519', 'other')];
  const signature = signWith(other.file, text, proofNamespace);
  expect(check(signature, [one.line, other.line]).ok).toBe(true);
  expect(check(signature, [one.line])).toEqual({
    ok: false,
    why: `The key ${other.fingerprint} is none of \`operator.secret\`.`,
  });
});

test('a signature that was made for git or a file decides nothing', () => {
  const { file, line } = keys.make('ed25519', 'namespace');
  for (const namespace of ['git', 'file'])
    expect(check(signWith(file, text, namespace), [line])).toEqual({
      ok: false,
      why: `The signature was made for "${namespace}".`,
    });
});

test.each(['ed25519', 'p256'] as const)(
  'a touch key (%s) is taken when it was touched, and not otherwise',
  (curve) => {
    const key = new TouchKey(curve);
    expect(check(key.sign(text, proofNamespace), [key.line])).toMatchObject({ ok: true });
    // 0x04: a PIN was given, and nobody touched it.
    for (const flags of [0x00, 0x04])
      expect(check(key.sign(text, proofNamespace, flags), [key.line])).toEqual({
        ok: false,
        why: 'The key was not touched: it was made with `no-touch-required`.',
      });
    expect(check(key.sign(text, proofNamespace), [key.line], 'other').ok).toBe(false);
  },
);

test('the flag of a touch that was set afterwards is seen', () => {
  const key = new TouchKey();
  const armoured = key.sign(text, proofNamespace, 0x00);
  const bytes = Buffer.from(armoured.split('\n').slice(1, -2).join(''), 'base64');
  bytes[bytes.length - 5] = 0x01;
  const forged = `-----BEGIN SSH SIGNATURE-----\n${bytes.toString('base64')}\n-----END SSH SIGNATURE-----\n`;
  expect(check(forged, [key.line])).toEqual({ ok: false, why: 'The signature is for something else.' });
});

test('what is cut, changed, or no signature at all proves nothing and throws nothing', () => {
  const { file, line } = keys.make('ed25519', 'cut');
  const armoured = signWith(file, text, proofNamespace);
  const bytes = Buffer.from(armoured.split('\n').slice(1, -2).join(''), 'base64');
  const armour = (each: Buffer) =>
    `-----BEGIN SSH SIGNATURE-----\n${each.toString('base64')}\n-----END SSH SIGNATURE-----\n`;
  expect(check(armour(bytes), [line]).ok).toBe(true);
  for (let at = 0; at < bytes.length; at += 1) {
    expect(check(armour(bytes.subarray(0, at)), [line]).ok).toBe(false);
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 0x40;
    expect(check(armour(changed), [line]).ok, `byte ${at}`).toBe(false);
  }
  for (const each of ['', 'yes', armour(Buffer.concat([bytes, Buffer.from([0])])), `${armoured}${armoured}`])
    expect(check(each, [line]).ok).toBe(false);
});

test('ssh-keygen reads the same fingerprint, also of a touch key', () => {
  const { line } = new TouchKey();
  const said = execFileSync('ssh-keygen', ['-lf', '-'], { input: `${line}\n`, encoding: 'utf8' });
  expect(said).toContain(parsePublicKeyLine(line).fingerprint);
});

test.each([
  ['another type', 'ssh-ed25519 AAAAB3NzaC1yc2EAAAADAQABAAAAgQC7 rsa'],
  ['nothing', 'ssh-ed25519 AAAA'],
  [
    'a short one',
    `ssh-ed25519 ${Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0\x04abcd', 'latin1').toString('base64')}`,
  ],
])('a public key that is %s is refused', (_, line) => {
  expect(() => parsePublicKeyLine(line)).toThrow();
});
