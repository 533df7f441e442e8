// What is said of a configuration that is wrong.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkedConfig } from '../../src/cli/config/config.ts';
import { readConfigFile } from '../../src/cli/config/config-file.ts';

const dir = mkdtempSync(join(tmpdir(), 'config-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** What `work` fails with. */
function failure(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

const provider = (about: object) => ({ providers: [{ name: 'notes', command: ['x'], ...about }] });

test.each([
  [
    provider({ permissions: ['vault'] }),
    'providers.0.permissions.0: expected read:<what>, write:<what>, net or exec',
  ],
  [provider({ permissions: { find: ['read'] } }), 'providers.0.permissions.find.0: expected read:<what>'],
  [provider({ permissions: 'net' }), 'providers.0.permissions: Invalid input'],
  [{ policy: [{ decision: { quorum: 'two' } }] }, 'policy.0.decision.quorum: Invalid input: expected number'],
])('of a value that may have several shapes it is said what is wrong: %j', (layer, words) => {
  expect(failure(() => checkedConfig(layer, 'Wrong', 'Correct it.'))).toContain(`Wrong:\n  ${words}`);
});

test.each([
  [{ timeuts: {} }, 'timeuts: there is no such key; did you mean `timeouts`?'],
  [{ timeouts: { idlMs: 4 } }, 'timeouts.idlMs: there is no such key; did you mean `timeouts.idleMs`?'],
  [
    { profiles: [{ match: '*', modle: 'x' }] },
    'profiles.0.modle: there is no such key; did you mean `profiles.0.model`?',
  ],
  [
    { vault: { path: '/n', exclud: [] } },
    'vault.exclud: there is no such key; did you mean `vault.exclude`?',
  ],
  [{ zebra: 1 }, 'zebra: there is no such key\n'],
])('of a key that there is none of, the one that was probably meant is named: %j', (layer, words) => {
  const said = failure(() => checkedConfig({ port: 'x', ...layer }, 'Wrong', 'Correct it.'));
  expect(`${said}\n`).toContain(`\n  ${words}`);
});

test.each([
  ['{\n "token": hunter2hunter2\n}', "Unexpected token 'h' near line 2."],
  ['{"a": 1 "token": "hunter2"}', "Expected ',' or '}' after property value"],
  ['{"token": "hunter2', 'Unterminated string'],
  ['hunter2', "Unexpected token 'h' near line 1."],
  ['', 'Unexpected end of JSON input.'],
])('a file that is no JSON is not quoted, because a secret may stand there: %j', (text, words) => {
  const path = join(dir, 'config.json');
  writeFileSync(path, text);
  const said = failure(() => readConfigFile(path));
  expect(said).toContain(`${path} is not valid JSON: ${words}`);
  expect(said).not.toMatch(/hunt|unter/);
});
