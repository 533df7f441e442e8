// The token of a script, from its environment; and that no Claude Code gets it from there.
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { childEnv } from '../../src/bridge/claude/launch/child-env.ts';
import { makeToken } from '../../src/bridge/tokens/manage-tokens.ts';
import { operatorToken } from '../../src/cli/client/operator-token.ts';

let folder: string;
let secret: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'operator-'));
  file = join(folder, 'token');
  ({ secret } = makeToken(join(folder, 'state'), { scopes: ['operate'] }, Date.now()));
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
});
afterEach(() => rmSync(folder, { recursive: true }));

const refusal = (env: Record<string, string>) => {
  try {
    return operatorToken(env);
  } catch (error) {
    return error as { code: string; exit: string; message: string };
  }
};

test('it is taken from the variable or from the file that another one names, and an empty variable is none', () => {
  expect(operatorToken({})).toBeUndefined();
  expect(operatorToken({ SYNTHESIS_TOKEN: '', SYNTHESIS_TOKEN_FILE: '' })).toBeUndefined();
  expect(operatorToken({ SYNTHESIS_TOKEN: ` ${secret}\n` })).toBe(secret);
  expect(operatorToken({ SYNTHESIS_TOKEN: '', SYNTHESIS_TOKEN_FILE: file })).toBe(secret);
});

test('a file that others can read, a link, one that is not there and one without a token are refused in words', () => {
  const told = (words: string) =>
    expect.objectContaining({ code: 'bad_token', exit: 'denied', message: `${words} Nothing was sent.` });
  chmodSync(file, 0o640);
  const open = `SYNTHESIS_TOKEN_FILE: ${file} can be read by others; run \`chmod 600\` on it.`;
  expect(refusal({ SYNTHESIS_TOKEN_FILE: file })).toEqual(told(open));
  chmodSync(file, 0o600);
  const link = join(folder, 'link');
  symlinkSync(file, link);
  const linked = `SYNTHESIS_TOKEN_FILE: ${link} is a symbolic link.`;
  expect(refusal({ SYNTHESIS_TOKEN_FILE: link })).toEqual(told(linked));
  const missing = `SYNTHESIS_TOKEN_FILE: ${join(folder, 'no')} cannot be read (ENOENT).`;
  expect(refusal({ SYNTHESIS_TOKEN_FILE: join(folder, 'no') })).toEqual(told(missing));
  writeFileSync(file, 'sk-something');
  const none = `The file ${file} holds no token as \`synthesis token new\` prints it.`;
  expect(refusal({ SYNTHESIS_TOKEN_FILE: file })).toEqual(told(none));
  const both = 'SYNTHESIS_TOKEN and SYNTHESIS_TOKEN_FILE are both set.';
  expect(refusal({ SYNTHESIS_TOKEN: secret, SYNTHESIS_TOKEN_FILE: file })).toEqual(told(both));
});

test('what is refused is not repeated: it may be a secret of something else', () => {
  expect(JSON.stringify(refusal({ SYNTHESIS_TOKEN: 'hunter2' }))).not.toContain('hunter2');
});

test('no Claude Code gets the token of an operator, nor the name of its file', () => {
  const address = { bridgeUrl: 'ws://127.0.0.1:1/bridge', token: 't', key: 'k', claude: 'c' };
  const env = childEnv({ SYNTHESIS_TOKEN: secret, SYNTHESIS_TOKEN_FILE: file, LANG: 'C' }, address);
  expect(env.LANG).toBe('C');
  expect(JSON.stringify(env)).not.toMatch(/SYNTHESIS_TOKEN|syn_/);
  expect(Object.values(env)).not.toContain(file);
});
