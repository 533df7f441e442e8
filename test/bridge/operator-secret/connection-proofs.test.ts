// What is shown for one call of one connection decides that call, once, and nothing else.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { ConnectionProofs } from '../../../src/bridge/operator-secret/connection-proofs.ts';
import { openOperatorSecret } from '../../../src/bridge/operator-secret/operator-secret.ts';
import { waitAfter } from '../../../src/bridge/operator-secret/proof-record.ts';
import { codeAt } from '../../../src/bridge/operator-secret/totp.ts';
import { decisionText, proofNamespace } from '../../../src/domain/views/operator-proof.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { SshKeys, signWith, TouchKey } from '../../support/ssh-keys.ts';

const keys = new SshKeys();
const folder = mkdtempSync(join(tmpdir(), 'proofs-'));
afterAll(() => {
  keys[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

const approve = {
  method: 'permission.decide',
  params: { code: 'abcde', verdict: 'allow', shown: '0'.repeat(16) },
};

let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock();
});

const touch = new TouchKey();
const withKey = (key = touch) =>
  new ConnectionProofs(openOperatorSecret({ kind: 'ssh-key', keys: [key.line] }, folder, clock), clock);
const signed = ({ method, params }: typeof approve, nonce: string, key = touch) => ({
  nonce,
  signature: key.sign(decisionText(method, params, nonce), proofNamespace),
});

test('a signature of the key decides the call that it was made for', () => {
  const proofs = withKey();
  const { nonce, ...asked } = proofs.ask(approve);
  expect(asked).toEqual({ kind: 'ssh-key', keys: [touch.line] });
  expect(proofs.check(signed(approve, nonce), approve)).toEqual({
    ok: true,
    by: expect.stringMatching(/^sk-ssh-ed25519@openssh\.com SHA256:/),
  });
});

test('ssh-keygen signs it as well', () => {
  const { file, line, fingerprint } = keys.make();
  const proofs = new ConnectionProofs(
    openOperatorSecret({ kind: 'ssh-key', keys: [line] }, folder, clock),
    clock,
  );
  const { nonce } = proofs.ask(approve);
  const signature = signWith(file, decisionText(approve.method, approve.params, nonce), proofNamespace);
  expect(proofs.check({ nonce, signature }, approve)).toEqual({ ok: true, by: `ssh-ed25519 ${fingerprint}` });
});

test('the order in which params are written does not matter, and what is in them does', () => {
  const proofs = withKey();
  const turned = { ...approve, params: Object.fromEntries(Object.entries(approve.params).toReversed()) };
  const { nonce } = proofs.ask(approve);
  expect(proofs.check(signed(approve, nonce), turned as typeof approve).ok).toBe(true);
});

test('it decides no second time', () => {
  const proofs = withKey();
  const { nonce } = proofs.ask(approve);
  const proof = signed(approve, nonce);
  expect(proofs.check(proof, approve).ok).toBe(true);
  expect(proofs.check(proof, approve)).toMatchObject({
    ok: false,
    why: expect.stringContaining('or did so before'),
  });
});

test('it decides nothing else: no other question, no other call, also not when both were asked for', () => {
  const other = { ...approve, params: { ...approve.params, code: 'fghij' } };
  const resume = { method: 'bridge.resume', params: approve.params };
  for (const call of [other, resume]) {
    const proofs = withKey();
    const { nonce } = proofs.ask(approve);
    expect(proofs.check(signed(approve, nonce), call)).toMatchObject({
      ok: false,
      why: 'The proof was asked for another call.',
    });
    const mine = proofs.ask(call).nonce;
    expect(proofs.check(signed(approve, mine), call)).toMatchObject({
      ok: false,
      why: 'The signature is for something else.',
    });
  }
});

test('it decides nothing on another connection', () => {
  const [mine, theirs] = [withKey(), withKey()];
  const { nonce } = mine.ask(approve);
  expect(theirs.check(signed(approve, nonce), approve)).toMatchObject({
    ok: false,
    why: expect.stringContaining('nothing that was asked on this connection'),
  });
});

test('it decides nothing after two minutes', () => {
  const proofs = withKey();
  const { nonce } = proofs.ask(approve);
  clock.advance(2 * 60_000 + 1);
  expect(proofs.check(signed(approve, nonce), approve)).toMatchObject({
    ok: false,
    again: true,
    why: expect.stringContaining('two minutes'),
  });
});

test('a wrong answer ends what was asked', () => {
  const proofs = withKey();
  const { nonce } = proofs.ask(approve);
  expect(proofs.check(signed(approve, nonce, new TouchKey()), approve).ok).toBe(false);
  expect(proofs.check(signed(approve, nonce), approve).ok).toBe(false);
});

test('who asks again and again makes the bridge keep no more than 64', () => {
  const proofs = withKey();
  const first = proofs.ask(approve).nonce;
  const others = Array.from({ length: 64 }, () => proofs.ask(approve).nonce);
  expect(proofs.check(signed(approve, first), approve).ok).toBe(false);
  expect(proofs.check(signed(approve, others[0] ?? ''), approve).ok).toBe(true);
});

const appKey = Buffer.from('12345678901234567890');
const file = join(folder, 'totp');
writeFileSync(file, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\n', { mode: 0o600 });

/** A bridge that was started just now, with a state folder of its own unless one is given. */
const withApp = (state = mkdtempSync(join(folder, 'state-'))) => {
  const proofs = new ConnectionProofs(openOperatorSecret({ kind: 'totp', file }, state, clock), clock);
  return {
    state,
    show: (code: string) => proofs.check({ nonce: proofs.ask(approve).nonce, code }, approve),
  };
};

test('a code of the app decides once, also after a restart', () => {
  const { state, show } = withApp();
  const code = codeAt(appKey, clock.wall());
  expect(show(code)).toEqual({ ok: true, by: 'code' });
  const used = { ok: false, why: expect.stringContaining('used already'), again: true };
  expect(show(code)).toEqual(used);
  expect(withApp(state).show(code)).toEqual(used);
  clock.advance(30_000);
  expect(withApp(state).show(` ${codeAt(appKey, clock.wall()).replace(/^.../, '$& ')} `)).toMatchObject({
    ok: true,
  });
  expect(statSync(join(state, 'operator-proof.json')).mode & 0o777).toBe(0o600);
});

const wrongCode = () => String((Number(codeAt(appKey, clock.wall())) + 1) % 1_000_000).padStart(6, '0');

test('five wrong codes in a row wait, the right one too, and a restart does not shorten it', () => {
  const { state, show } = withApp();
  for (let at = 1; at < 5; at += 1)
    expect(show(wrongCode())).toEqual({ ok: false, why: 'That code is wrong.', again: true });
  expect(show(wrongCode())).toMatchObject({ again: false });
  const waits = { ok: false, again: false, why: '5 wrong codes came in a row: the next one counts in 30 s.' };
  expect(show(codeAt(appKey, clock.wall()))).toEqual(waits);
  expect(withApp(state).show(codeAt(appKey, clock.wall()))).toEqual(waits);
  clock.advance(30_000);
  expect(show(wrongCode())).toMatchObject({ ok: false, again: false });
  clock.advance(59_000);
  expect(show(codeAt(appKey, clock.wall()))).toMatchObject({ ok: false });
  clock.advance(1_000);
  expect(show(codeAt(appKey, clock.wall()))).toMatchObject({ ok: true });
  // The right one ends it.
  expect(show(wrongCode())).toEqual({ ok: false, why: 'That code is wrong.', again: true });
});

test('what is no code is no guess, and takes nobody their tries', () => {
  const { show } = withApp();
  for (let at = 0; at < 20; at += 1)
    expect(show('yes')).toMatchObject({ ok: false, why: 'A code has six digits.' });
  expect(show(codeAt(appKey, clock.wall()))).toMatchObject({ ok: true });
});

test('guessing for a year finds a code in one case of ten at most', () => {
  let [tries, ms] = [0, 0];
  const year = 365 * 24 * 60 * 60_000;
  for (; ms < year; tries += 1) ms += waitAfter(tries + 1);
  // Three codes hold at each time.
  expect((tries * 3) / 1_000_000).toBeLessThan(0.11);
});

test.each([
  ['a file that is not there', join(folder, 'none'), 'cannot be read'],
  ['a file that others can read', join(folder, 'open'), 'can be read by others'],
  ['a file without a key', join(folder, 'short'), 'holds no key of an app'],
])('%s is no secret', (_, path, words) => {
  writeFileSync(join(folder, 'open'), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', { mode: 0o644 });
  writeFileSync(join(folder, 'short'), 'GEZDGNBV', { mode: 0o600 });
  expect(() => openOperatorSecret({ kind: 'totp', file: path }, folder, clock)).toThrow(words);
});

test('a key that cannot be used is named by its comment', () => {
  const line = 'ssh-ed25519 AAAA laptop';
  expect(() => openOperatorSecret({ kind: 'ssh-key', keys: [line] }, folder, clock)).toThrow('"laptop"');
});
