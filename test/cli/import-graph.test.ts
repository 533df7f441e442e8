// What a short command loads decides how fast it starts: static imports are followed through the source.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const cli = resolve(import.meta.dirname, '../../src/cli');

/** Files and packages that a file needs at once, itself included; `import type` and `import()` are not needed at once. */
function needs(file: string, files = new Set<string>(), packages = new Set<string>()) {
  if (files.has(file)) return { files, packages };
  files.add(file);
  const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const imports = text.matchAll(/^\s*(?:import|export)\s(?!type\b)([^;'"]*?)from\s*['"]([^'"]+)['"]/gm);
  for (const [, names = '', target = ''] of imports) {
    const typesOnly =
      /^\{[^}]*\}\s*$/.test(names) &&
      names
        .replace(/[{}\s]/g, '')
        .split(',')
        .filter(Boolean).length > 0 &&
      names
        .replace(/[{}]/g, '')
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean)
        .every((name) => name.startsWith('type '));
    if (typesOnly) continue;
    if (target.startsWith('.')) needs(resolve(dirname(file), target), files, packages);
    else packages.add(target);
  }
  return { files, packages };
}

const whole = needs(join(cli, 'main.ts'));
const quick = [
  'sessions/ps',
  'sessions/rm',
  'approvals',
  'sessions/session-actions',
  'sessions/inspect',
  'sessions/wait',
  'down',
  'panic',
  'resume',
  // What loads `up`, which is another program.
  'up/run-up',
];
const slow = [
  'completion',
  'config/config-file',
  'cluster/drain',
  'cluster/forget',
  'cluster/move',
  'cluster/patience',
  'cluster/status',
  'cluster/up',
  'config/init',
  'demo-attach',
  'docs',
  'doctor/doctor',
  'explain',
  'journal/audit',
  'journal/journal',
  'journal/logs',
  'journal/prune',
  'metrics',
  'openclaw',
  'policy',
  'policy-fuzz',
  'secret/new',
  'secret/remove',
  'service/install',
  'service/logs',
  'service/status',
  'service/uninstall',
  'sessions/attach',
  'sessions/cost',
  'sessions/rename',
  'sessions/send',
  'token/list',
  'token/new',
  'token/revoke',
  'token/rotate',
  'tools/add',
  'tools/call',
  'tools/health',
  'tools/inspect',
  'tools/list',
  'tools/remove',
  'up/kept-up',
  'up/up',
  'vault/doctor',
  'vault/index',
  'vault/init',
  'vault/search',
  'vault/serve',
  'vault/status',
];
/** What commands are made of. */
const parts = [
  /^journal\/(?:lines|logs-of-all|merge|read-rows)\./,
  /^(?:up\/up|sessions\/attach|journal\/(?:audit|journal)|doctor\/doctor)-|^config\/config-judgement\./,
  /^secret\/write\./,
  /^service\/(?:agent|check|doubts|kind|launchctl|manager|settings|systemctl|unit|unit-file)\./,
  /^token\/(?:told|token-words|wanted)\./,
  /^tools\/(?:arguments|doubts|entry|known|live|provider-file)\./,
  /^vault\/(?:index-state|setup)\//,
];
const paths = (names: readonly string[]) => names.map((name) => join(cli, 'commands', `${name}.ts`));

test('the program loads commander and a few parts of Node at its start, and nothing else', () => {
  const allowed = ['commander', 'node:fs', 'node:os', 'node:path', 'node:timers/promises'];
  expect([...whole.packages].sort()).toEqual(allowed);
});

test('the code of the quick commands comes with the program, that of every other when it is called', () => {
  expect(paths(quick).filter((file) => !whole.files.has(file))).toEqual([]);
  expect(paths(slow).filter((file) => whole.files.has(file))).toEqual([]);
  const named = readdirSync(join(cli, 'commands'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !parts.some((part) => part.test(name)),
  );
  expect(named.sort()).toEqual([...quick, ...slow].map((name) => `${name}.ts`).sort());
});

test('the scan sees what a slower command needs', () => {
  const { packages } = needs(join(cli, 'commands/doctor/doctor.ts'));
  expect([...packages]).toContain('zod');
});

test('who only asks the bridge about its tools does not wait for the configuration to load', () => {
  for (const name of ['call', 'health', 'inspect', 'list'])
    expect([...needs(join(cli, `commands/tools/${name}.ts`)).packages], name).not.toContain('zod');
});
