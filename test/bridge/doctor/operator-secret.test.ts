// What the doctor says of the operator secret: that it is in force, and what it does not hold.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { operatorSecret } from '../../../src/bridge/doctor/state/operator-secret.ts';
import { Config } from '../../../src/protocol/settings/config.ts';
import { SshKeys, TouchKey } from '../../support/ssh-keys.ts';
import { tempDir } from '../journal/temp-dir.ts';

const keys = new SshKeys();
afterAll(() => keys[Symbol.dispose]());

const looked = (secret?: object) => {
  const config = Config.parse({ operator: { ...(secret && { secret }) } });
  const options = { config, stateDir: tempDir(), openclaw: '', env: {}, running: undefined };
  return operatorSecret(options, new AbortController().signal);
};

test('who has none is told nothing', async () => {
  expect(await looked()).toEqual([]);
});

test('a touch key: nothing is allowed without it, and it does not show what is', async () => {
  expect(await looked({ kind: 'ssh-key', keys: [new TouchKey().line] })).toEqual([
    {
      name: 'secret',
      status: 'ok',
      message: expect.stringMatching(
        /^Nothing is allowed here without your key \(SHA256:\S+\)\. The key does not show what you allow\. Chats that may answer still do\.$/,
      ),
      suggestion: null,
    },
  ]);
});

test('a key without touch: it also signs for other programs', async () => {
  const lines = [new TouchKey().line, keys.make().line];
  expect(await looked({ kind: 'ssh-key', keys: lines })).toMatchObject([
    {
      status: 'warning',
      message: expect.stringContaining('signs for every program of yours that reaches it'),
      suggestion: expect.stringContaining('`ssh-add -c`'),
    },
  ]);
});

test('an app: who reads its file makes codes', async () => {
  const file = join(tempDir(), 'totp');
  writeFileSync(file, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', { mode: 0o600 });
  expect(await looked({ kind: 'totp', file })).toMatchObject([
    {
      status: 'ok',
      message: expect.stringContaining(
        `Programs that run as you can read ${file} and make codes of their own.`,
      ),
    },
  ]);
});

test('one that cannot be used fails', async () => {
  expect(await looked({ kind: 'totp', file: '/none' })).toMatchObject([
    { status: 'failed', message: expect.stringContaining('cannot be read'), suggestion: expect.anything() },
  ]);
});
