// Imports only point down. The table is the house of docs/architecture.md; a new folder must be named here.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const src = resolve(import.meta.dirname, '../../src');

/** room → rooms it may import from (itself always). Longest prefix wins. `*` = any package. */
const rules: Record<string, { rooms: string[]; packages: string[]; dynamic?: string[] }> = {
  base: { rooms: [], packages: ['node:*'] },
  protocol: { rooms: ['base'], packages: ['zod'] },
  domain: {
    rooms: [
      'base/never',
      'base/digest',
      'base/text/marker',
      'base/text/plain-word',
      'base/text/version-order',
      'protocol',
    ],
    packages: [],
  },
  'domain/state': { rooms: ['base/digest', 'base/never', 'protocol'], packages: [] },
  'domain/policy': {
    rooms: ['base/never', 'base/text/wildcard', 'protocol', 'domain'],
    packages: ['unbash'],
  },
  mcp: { rooms: ['base', 'protocol'], packages: ['@modelcontextprotocol/*'] },
  channel: {
    rooms: ['base', 'protocol', 'mcp'],
    packages: ['node:*', 'zod', 'ws', '@modelcontextprotocol/*'],
  },
  // A small process for each session: no schemas, no server but Node's.
  host: {
    rooms: ['base', 'protocol/wire/host', 'protocol/wire/host-codec'],
    packages: ['node:*', '@lydell/node-pty'],
  },
  'bridge/app': { rooms: ['base', 'protocol', 'domain'], packages: [] },
  'bridge/journal': {
    rooms: ['base', 'protocol', 'domain', 'bridge/app/ports'],
    packages: ['node:*', 'zod'],
  },
  'bridge/journal/chain': {
    rooms: ['base', 'protocol', 'domain/state/removal', 'bridge/journal/journal-error'],
    packages: ['node:*', 'zod'],
  },
  'bridge/journal/archive': {
    rooms: ['base', 'protocol', 'bridge/journal/chain', 'bridge/journal/journal-error'],
    packages: ['node:*', 'zod'],
  },
  'bridge/journal/store': {
    rooms: ['base', 'protocol', 'domain', 'bridge/journal/chain', 'bridge/journal/archive'],
    packages: ['node:*'],
  },
  'bridge/claude': {
    rooms: ['base', 'protocol', 'domain', 'mcp', 'bridge/app/ports'],
    packages: ['node:*', 'zod', 'ws', 'execa', '@modelcontextprotocol/*'],
  },
  'bridge/notify': {
    rooms: ['base', 'protocol', 'domain', 'bridge/app/ports'],
    packages: ['node:*'],
  },
  'bridge/terminal': {
    rooms: ['base', 'protocol/wire/host', 'protocol/wire/host-codec'],
    packages: ['node:*', '@xterm/headless', '@xterm/addon-serialize'],
  },
  'bridge/ingress/openai': {
    rooms: ['base', 'protocol', 'domain', 'bridge/app', 'bridge/http'],
    packages: ['node:*', 'zod'],
  },
  'bridge/ingress/agp': {
    rooms: ['base', 'protocol', 'domain', 'bridge/app'],
    packages: ['node:*', 'ws'],
  },
  'bridge/control': {
    rooms: ['base', 'protocol', 'domain', 'bridge/app'],
    packages: ['node:*', 'zod'],
  },
  'bridge/operator-secret': { rooms: ['base', 'protocol', 'domain/views'], packages: ['node:*', 'zod'] },
  'bridge/callers': { rooms: ['base', 'protocol', 'domain'], packages: ['node:*'] },
  'bridge/cluster': {
    rooms: ['base', 'protocol', 'domain', 'bridge/app'],
    packages: ['node:*', 'zod', '@nats-io/*'],
  },
  'bridge/cluster/copies': {
    rooms: ['base', 'protocol', 'domain/state', 'bridge/app/ports', 'bridge/app/not-kept'],
    packages: ['node:*', 'zod', '@nats-io/*'],
  },
  'bridge/metrics': { rooms: ['base', 'protocol', 'domain'], packages: [] },
  // `@opentelemetry/api` as a type alone: what runs is the operator's.
  'bridge/traces': { rooms: ['base', 'protocol', 'domain'], packages: ['node:*', '@opentelemetry/api'] },
  'bridge/openclaw': {
    rooms: ['base', 'protocol', 'domain', 'bridge/app/ports'],
    packages: ['node:*', 'zod', 'ws', 'execa'],
  },
  'bridge/tools': {
    rooms: ['base', 'protocol', 'domain', 'bridge/app/ports'],
    packages: ['node:*', 'zod', '@cfworker/json-schema', '@modelcontextprotocol/*'],
  },
  'bridge/tokens': {
    rooms: ['base', 'protocol', 'domain/views', 'bridge/state-files'],
    packages: ['node:*', 'zod'],
  },
  'bridge/http': {
    rooms: ['base', 'protocol', 'domain', 'bridge/app/ports'],
    packages: ['node:*', 'secure-json-parse', 'ws'],
  },
  bridge: {
    rooms: ['base', 'protocol', 'domain', 'bridge', 'secrets/outgoing'],
    packages: ['*'],
    // The rules are loaded with the first answer.
    dynamic: ['secrets'],
  },
  // What text is searched for, in the vault and on its way out: nothing is read or written.
  secrets: { rooms: [], packages: ['node:crypto', '@secretlint/*'] },
  vault: {
    rooms: ['base', 'protocol', 'secrets', 'domain/tools/tool-envelope'],
    packages: ['node:*', 'zod', 'yaml', 'picomatch', '@modelcontextprotocol/*'],
  },
  // The indexer and the provider start often and are lean: what starts programs is not for them.
  'vault/extras': { rooms: ['base', 'vault/programs'], packages: ['node:*', 'execa'] },
  cli: {
    rooms: ['base', 'protocol', 'domain/views'],
    packages: ['*'],
    dynamic: [
      'bridge/main',
      'bridge/audit',
      'bridge/hosts-offline',
      'bridge/doctor',
      'bridge/openclaw-setup',
      'bridge/operator-secret',
      'bridge/outlived',
      'bridge/panic-offline',
      'bridge/policy',
      'bridge/setup',
      'bridge/tokens',
      'bridge/who-runs',
      'channel/main',
      'demo',
      'vault',
    ],
  },
  'cli/sessions': { rooms: ['domain/views', 'cli/output', 'cli/text'], packages: [] },
  'cli/text': { rooms: ['cli/output/safe'], packages: ['string-width'] },
  'cli/tui': {
    rooms: [
      'base',
      'protocol',
      'domain',
      'cli/client',
      'cli/output',
      'cli/sessions',
      'cli/text',
      'cli/cli-error',
    ],
    packages: ['node:*', 'diff', 'ink', 'react'],
  },
  demo: {
    rooms: ['base', 'protocol', 'domain/views'],
    packages: ['*'],
    dynamic: ['bridge/hosts-offline', 'bridge/main'],
  },
};

interface Import {
  file: string;
  target: string;
  /** `import()`, or an `import type` that is gone at run time. */
  dynamic: boolean;
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const statics = text.matchAll(
    /^\s*(?:import|export)\s[^;'"]*?from\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]/gm,
  );
  const dynamics = text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g);
  return [
    ...[...statics].map((m) => ({
      file,
      target: m[1] ?? m[2] ?? '',
      dynamic: /^\s*import\s+type\b/.test(m[0]),
    })),
    ...[...dynamics].map((m) => ({ file, target: m[1] ?? '', dynamic: true })),
  ];
}

function roomOf(path: string): string | undefined {
  return Object.keys(rules)
    .filter((room) => path === room || path.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0];
}

const within = (path: string, room: string) =>
  path.replace(/\.tsx?$/, '') === room || path.startsWith(`${room}/`);
const packageMatches = (name: string, pattern: string) =>
  pattern === '*' ||
  (pattern.endsWith('*')
    ? name.startsWith(pattern.slice(0, -1))
    : name === pattern || name.startsWith(`${pattern}/`));

function violation({ file, target, dynamic }: Import): string | undefined {
  const room = roomOf(file);
  if (!room) return `${file}: its folder has no rule`;
  const rule = rules[room];
  if (!rule) return `${file}: no rule for ${room}`;
  if (!target.startsWith('.')) {
    return rule.packages.some((pattern) => packageMatches(target, pattern))
      ? undefined
      : `${file} must not import ${target}`;
  }
  const path = relative(src, resolve(src, dirname(file), target));
  const allowed = [room, ...rule.rooms, ...(dynamic ? (rule.dynamic ?? []) : [])];
  return allowed.some((to) => within(path, to)) ? undefined : `${file} must not import ${path}`;
}

test('every source file lives in a room with a rule, and the scan saw the whole tree', () => {
  expect(files.length).toBeGreaterThan(60);
  expect(files.filter((file) => !roomOf(file))).toEqual([]);
});

test('imports only point down', () => {
  const imports = files.flatMap(importsOf);
  expect(imports.length).toBeGreaterThan(files.length);
  expect(imports.map(violation).filter(Boolean)).toEqual([]);
});
