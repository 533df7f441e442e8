// What a short command loads decides how fast it starts: static imports are followed through the source.
import { readFileSync } from 'node:fs';
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

const starting = ['main.ts', 'program.ts'];
const quick: [command: string, file: string][] = [
  ['ps', 'commands/ps.ts'],
  ['approve, deny, approvals', 'commands/approvals.ts'],
  ['send', 'commands/send.ts'],
  ['stop, restart, interrupt, rm', 'commands/session-actions.ts'],
  ['inspect', 'commands/inspect.ts'],
  ['wait', 'commands/wait.ts'],
  ['down', 'commands/down.ts'],
];

test.each(quick)('%s loads commander and a few parts of Node, and nothing else', (_, file) => {
  const packages = new Set<string>();
  const files = new Set<string>();
  for (const each of [...starting, file]) needs(join(cli, each), files, packages);
  expect(files.size).toBeGreaterThan(8);
  const allowed = [
    'commander',
    'node:crypto',
    'node:fs',
    'node:module',
    'node:net',
    'node:os',
    'node:path',
    'node:timers/promises',
  ];
  expect([...packages].filter((name) => !allowed.includes(name))).toEqual([]);
  expect([...packages]).toContain('commander');
  expect([...packages]).toContain('node:net');
});

test('the scan sees what a slower command needs', () => {
  const { packages } = needs(join(cli, 'commands/doctor.ts'));
  expect([...packages]).toContain('zod');
});
