// Decisions are signed by the operator's own `ssh-keygen`, with the agent or with a file.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parsePublicKeyLine } from '../../../src/bridge/operator-secret/ssh-public-key.ts';
import { checkSshSignature } from '../../../src/bridge/operator-secret/ssh-signature.ts';
import { signDecision } from '../../../src/cli/operator-proof/sign.ts';
import { proofNamespace } from '../../../src/domain/views/operator-proof.ts';
import { isOver } from '../../support/processes.ts';
import { SshAgent } from '../../support/ssh-agent.ts';
import { SshKeys, TouchKey } from '../../support/ssh-keys.ts';
import { until } from '../../support/until.ts';

const keys = new SshKeys();
const folder = mkdtempSync(join(tmpdir(), 'sign-'));
afterAll(() => {
  keys[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

const { PATH = '' } = process.env;
const text = 'what is decided\n';

function home(): string {
  const path = mkdtempSync(join(folder, 'home-'));
  mkdirSync(join(path, '.ssh'));
  return path;
}

const sign = (lines: readonly string[], env: Record<string, string>, signal = AbortSignal.timeout(20_000)) =>
  signDecision({ text, keys: lines, env, signal, hasTerminal: false });
const isBy = (signature: string, line: string) =>
  checkSshSignature(signature, { text, namespace: proofNamespace, keys: [parsePublicKeyLine(line)] }).ok;

test('the key that the agent has is taken, whichever of several it is', async () => {
  const [one, other] = [keys.make('ed25519', 'one'), keys.make('ecdsa', 'other')];
  await using agent = await SshAgent.start(folder, other.file);
  const signature = await sign([one.line, other.line], { PATH, HOME: home(), ...agent.env });
  expect(isBy(signature, other.line)).toBe(true);
});

test('a key that lies in ~/.ssh is taken where the agent has none', async () => {
  const key = keys.make('ed25519', 'file');
  const at = home();
  copyFileSync(key.file, join(at, '.ssh', 'id_mine'));
  copyFileSync(`${key.file}.pub`, join(at, '.ssh', 'id_mine.pub'));
  expect(isBy(await sign([key.line], { PATH, HOME: at }), key.line)).toBe(true);
});

test('a file that is named is taken', async () => {
  const key = keys.make('ed25519', 'named');
  expect(isBy(await sign([key.line], { PATH, HOME: home(), SYNTHESIS_SSH_KEY: key.file }), key.line)).toBe(
    true,
  );
});

test('whoever has no such key is told where it was looked for', async () => {
  const { line } = keys.make('ed25519', 'elsewhere');
  await expect(sign([line], { PATH, HOME: home() })).rejects.toMatchObject({
    code: 'no_key',
    exit: 'denied',
    message:
      'None of the keys of `operator.secret` is in ~/.ssh, and no ssh-agent runs. Nothing was decided.',
  });
  await expect(sign([line], { PATH, HOME: home(), SSH_AUTH_SOCK: '/none' })).rejects.toThrow(
    'is in your ssh-agent or in ~/.ssh.',
  );
});

test('without ssh-keygen it is named', async () => {
  const { file, line } = keys.make('ed25519', 'no-program');
  await expect(sign([line], { PATH: folder, SYNTHESIS_SSH_KEY: file })).rejects.toMatchObject({
    code: 'no_ssh_keygen',
    message: expect.stringContaining('`ssh-keygen` was not found'),
  });
});

test('what ssh-keygen says is said: a device that is not there', async () => {
  const { line } = new TouchKey();
  const file = join(folder, 'broken');
  writeFileSync(file, 'no key\n', { mode: 0o600 });
  await expect(sign([line], { PATH, SYNTHESIS_SSH_KEY: file })).rejects.toMatchObject({
    code: 'not_signed',
    message: expect.stringMatching(/^`ssh-keygen` did not sign\. It says: .+\. Nothing was decided\.$/),
  });
});

test('a key that nobody touches is given up, and its program with it', async () => {
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  const waiting = join(programs, 'ssh-keygen');
  writeFileSync(waiting, `#!/bin/sh\necho $$ >"${folder}/pid"\nexec sleep 600\n`);
  chmodSync(waiting, 0o755);
  const { file, line } = keys.make('ed25519', 'waits');
  const left = new AbortController();
  const signing = sign([line], { PATH: `${programs}:${PATH}`, SYNTHESIS_SSH_KEY: file }, left.signal);
  const pid = await until(
    'its program',
    () => existsSync(join(folder, 'pid')) && Number(readFileSync(join(folder, 'pid'), 'utf8')),
  );
  left.abort();
  await expect(signing).rejects.toMatchObject({ code: 'cancelled' });
  await until('the end of its program', () => isOver(pid));
});
