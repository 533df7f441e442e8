import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { defineConfig, type OutputBundle, type PluginContext } from 'rolldown';
import { billOfMaterials } from './scripts/package/bill-of-materials.ts';
import { BundledPackages } from './scripts/package/bundled-packages.ts';
import { notices } from './scripts/package/notices.ts';
import { asPart } from './src/base/process/kept-code.ts';

/** Native or worker-spawning packages that must be loaded from node_modules as they are. */
const asTheyAre = /^(?:node:|@lydell\/node-pty$|@xterm\/headless$|@xterm\/addon-serialize$)/;
const external = (id: string, importer?: string) => asTheyAre.test(id) && !isUnusedBuiltin(id, importer);

/** Commander starts subcommands that are programs of their own; we have none, and it is half a millisecond of `ps`. */
const isUnusedBuiltin = (id: string, importer = '') =>
  id === 'node:child_process' && /[\\/]commander[\\/]/.test(importer);

/** React and its reconciler ship their fast half for this. */
const define = { 'process.env.NODE_ENV': '"production"' };

/** Parts of our dependencies that are never used, by the end of their path, and what stands in for them. */
const unused: Record<string, string> = {
  // What ws would take if somebody had installed it: it need not look for them at every start.
  bufferutil: 'throw new Error("left out");',
  'utf-8-validate': 'throw new Error("left out");',
  // The MCP SDK's JSON Schema validator: the channel has its own schemas.
  '/validation/ajv-provider.js': 'export class AjvJsonSchemaValidator {}',
  // Ink's bridge to a browser's developer tools.
  '/devtools.js': 'export {};',
};

const withoutUnused = {
  name: 'without-unused',
  resolveId: (id: string, importer?: string) => {
    if (isUnusedBuiltin(id, importer)) return '\0unused:builtin';
    const end = Object.keys(unused).find((each) => id.endsWith(each));
    return end ? `\0unused:${end}` : null;
  },
  load: (id: string) =>
    id === '\0unused:builtin' ? 'export default {};' : (unused[id.replace('\0unused:', '')] ?? null),
};

/** `ps` and `approve` need not read package.json: see src/cli/version.ts. */
const builtInVersion = {
  name: 'built-in-version',
  load: (id: string) => {
    if (!/[\\/]src[\\/]cli[\\/]version\.ts$/.test(id)) return null;
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    return `export const version = ${JSON.stringify(version)};`;
  },
};

/**
 * For `import`, Node reads every property of a built-in module once, and some load whole subsystems: node:http costs
 * 29 ms that way instead of 2, node:process 4 instead of 0 (measured on Node 24.21). What this does not recognise
 * stays an import.
 */
const leanBuiltins = {
  name: 'lean-builtins',
  renderChunk: (code: string) =>
    code.replace(/^import (.+) from "(node:[\w/]+)";$/gm, (line: string, names: string, id: string) => {
      const [, whole, list] = /^(?:\* as )?([\w$]+)?(?:, )?(\{.*\})?$/.exec(names) ?? [];
      const patterns = [whole, list?.replaceAll(' as ', ': ')].filter(Boolean);
      if (patterns.length === 0) return line;
      return patterns
        .map((each) => `const ${each} = globalThis.process.getBuiltinModule("${id}");`)
        .join(' ');
    }),
};

/** Our own license is MIT, too: all of it behind the line of the copyright. */
const mit = /^Permission is hereby granted[\s\S]*/m.exec(readFileSync('LICENSE', 'utf8'))?.[0].trim() ?? '';

const bundledPackages = new BundledPackages().plugin((packages) => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  writeFileSync('dist/THIRD_PARTY_NOTICES', notices(packages, mit));
  writeFileSync('dist/bom.cdx.json', `${JSON.stringify(billOfMaterials(packages, lock), null, 2)}\n`);
});

/** What the sources import, the built program loads with code that was compiled before: see src/base/process/kept-code.ts. */
const kept: Record<string, string> = { 'run-up.ts': 'kept-up.ts', 'load-bridge.ts': 'kept-bridge.ts' };

const keptPrograms = {
  name: 'kept-programs',
  resolveId: (id: string, importer?: string) => {
    const standIn = kept[basename(id)];
    return standIn && importer ? resolve(dirname(importer), dirname(id), standIn) : null;
  },
};

/** In a script that V8 is given by ourselves Node's own `import()` is experimental, and says so on stderr. */
const importsGiven = {
  name: 'imports-given',
  renderChunk: (code: string) => code.replace(/(?<![\w$.#])import\(/g, 'importModule('),
};

/** The last step: what it leaves is no module any more. */
const keptParts = {
  name: 'kept-parts',
  generateBundle: (_options: unknown, bundle: OutputBundle) => {
    for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = asPart(file.code);
  },
};

/** Only who dials an encrypted address needs what makes it so, nobody compresses, and a log asserts once: 6 ms of every start. */
const loadedWhenUsed = {
  name: 'loaded-when-used',
  transform: (code: string, id: string) => {
    if (/[\\/]sonic-boom[\\/]index\.js$/.test(id)) {
      const lean = code.replace("const assert = require('assert')", '');
      if (/\bassert\b(?!\()/.test(lean)) throw new Error('sonic-boom asserts in another way than it did');
      return lean.replace(/\bassert\(/g, "require('assert')(");
    }
    if (/[\\/]ws[\\/]lib[\\/]permessage-deflate\.js$/.test(id))
      return code.replace("const zlib = require('zlib');", '').replace(/\bzlib\./g, "require('zlib').");
    if (!/[\\/]ws[\\/]lib[\\/]websocket\.js$/.test(id)) return null;
    const late = code
      .replace("const https = require('https');", '')
      .replace("const tls = require('tls');", '')
      .replace('? https.request', "? require('https').request")
      .replace('return tls.connect(', "return require('tls').connect(");
    if (/\b(?:https|tls)\./.test(late.replace(/\/\*[\s\S]*?\*\//g, '')))
      throw new Error('ws uses https or tls in another way than it did');
    return late;
  },
};

/** What `up` uses once it has come up: loading each is 0.6 ms of a start. */
const behindStart = {
  name: 'behind-start',
  renderChunk: (code: string) =>
    code.replace(
      /^let (\w+) = require\("(node:(?:fs|readline)\/promises)"\);$/gm,
      'let $1 = new Proxy({}, { get: (_, name) => process.getBuiltinModule("$2")[name] });',
    ),
};

/** `up` tells nobody what a setting is for, and each description is a copy of its schema: 3 ms of a start. */
const undescribed = {
  name: 'undescribed',
  transform: (code: string, id: string) => {
    if (!/[\\/]src[\\/]protocol[\\/](?:settings|cluster)[\\/]/.test(id)) return null;
    const lean = code.replace(/\.describe\(\s*(?:'[^'\\]*'|"[^"\\]*"|`[^`\\]*`),?\s*\)/g, '');
    if (lean.includes('.describe('))
      throw new Error(`${id} describes a setting in another way than in one text`);
    return lean;
  },
};

/** Commander looks for a name in every alphabet, for which each start fetches those: 1 ms. Ours are of ASCII. */
const asciiFlags = {
  name: 'ascii-flags',
  transform: (code: string, id: string) => {
    if (!/[\\/]commander[\\/]lib[\\/]option\.js$/.test(id)) return null;
    const lean = code.replace('/\\p{ID_Continue}\\.\\.\\.', '/\\w\\.\\.\\.');
    if (lean === code)
      throw new Error('commander tells options with several values in another way than it did');
    return lean;
  },
};

/** One sign that is not ASCII makes V8 hold a file in twice the memory, and Node encode it again at every start. */
const inAscii = {
  name: 'in-ascii',
  generateBundle: (_options: unknown, bundle: OutputBundle) => {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk')
        file.code = file.code.replace(
          /[^\0-\x7f]/g,
          (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
  },
};

const plugins = [
  withoutUnused,
  builtInVersion,
  loadedWhenUsed,
  asciiFlags,
  leanBuiltins,
  inAscii,
  bundledPackages,
];

/** All that the short commands need is one file, which src/cli/kept-main.ts loads: each further one costs 0.4 ms. */
const firstFile = { name: 'cli/main', test: /[\\/]src[\\/]cli[\\/]main\.ts$/ };

/** The first file in CommonJS, for src/cli/kept-main.ts to load. The other chunks import what they share with it as ever. */
const keptFirstFile = {
  name: 'kept-first-file',
  renderChunk: (code: string, { name }: { name: string }) =>
    name === firstFile.name
      ? importsGiven
          .renderChunk(code)
          .replaceAll('import.meta.dirname', '__dirname')
          .replace(
            /^export \{([^}]*)\};$/m,
            (_line, names: string) =>
              `Object.assign(exports, {${names.replace(/([\w$]+) as ([\w$]+)/g, '$2: $1')}});`,
          )
      : null,
  generateBundle(this: PluginContext, _options: unknown, bundle: OutputBundle) {
    const first = bundle['cli/shared.js'];
    if (first?.type !== 'chunk' || /(?<![\w$.])(?:export *\{|import *[{*"`]|import\.meta)/.test(first.code))
      throw new Error('the first file cannot be loaded in CommonJS');
    this.emitFile({ type: 'asset', fileName: 'cli/main.cjs', source: asPart(`"use strict";${first.code}`) });
    first.code = `import{program}from"./kept-main.cjs";export const{${first.exports}}=program;`;
  },
};

/** What several parts of `up` share is for the most part some lines each, and needed at every start. */
const smallFiles = { name: 'shared', test: /[\\/]src[\\/](?:base|cli|domain)[\\/]/, minShareCount: 2 };

/** Without its blanks a program is read faster; with its names people can read a stack trace. */
const minify = { mangle: false, compress: false };

export default defineConfig([
  {
    input: {
      'chunks/entry': 'src/cli/main.ts',
      'vault/provider': 'src/vault/serve/provider.ts',
      'vault/indexer': 'src/vault/indexing/indexer.ts',
      'vault/meaning': 'src/vault/meaning/meaning.ts',
    },
    platform: 'node',
    external,
    plugins: [keptPrograms, ...plugins, keptFirstFile],
    transform: { define },
    output: {
      dir: 'dist',
      format: 'esm',
      chunkFileNames: ({ name }) => (name === firstFile.name ? 'cli/shared.js' : 'chunks/[name]-[hash].js'),
      codeSplitting: { groups: [firstFile] },
      // The first file exports `main` under its own name.
      minifyInternalExports: false,
      minify,
      cleanDir: true,
    },
  },
  {
    input: { 'cli/kept-main': 'src/cli/kept-main.ts' },
    platform: 'node',
    external,
    plugins,
    output: { dir: 'dist', format: 'cjs', entryFileNames: '[name].cjs', minify },
  },
  {
    input: { up: 'src/cli/commands/up/up-program.ts', bridge: 'src/bridge/main.ts' },
    platform: 'node',
    external,
    plugins: [...plugins, undescribed, behindStart, importsGiven, keptParts],
    // Short commands measure text on demand; whoever watches a bridge at a terminal does in any case.
    checks: { ineffectiveDynamicImport: false },
    transform: { define },
    output: {
      dir: 'dist/up',
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash].cjs',
      codeSplitting: { groups: [smallFiles] },
      // What doctor needs, too, is there twice: local names are what that may cost.
      minify: { ...minify, mangle: { keepNames: true } },
    },
  },
  {
    input: { 'demo/claude': 'src/demo/claude/main.ts' },
    platform: 'node',
    external,
    plugins,
    output: {
      dir: 'dist/demo',
      entryFileNames: 'claude.js',
      chunkFileNames: 'claude/[name]-[hash].js',
      format: 'esm',
      minify,
    },
  },
  {
    // Claude Code starts one of these per session, so it is a single small file (measured: starts 2.5x faster).
    input: { 'channel/main': 'src/channel/main.ts' },
    platform: 'node',
    external: [/^node:/],
    plugins,
    output: {
      dir: 'dist/channel',
      entryFileNames: 'main.js',
      format: 'esm',
      minify: true,
      codeSplitting: false,
    },
  },
  {
    // One of these runs per session, for days: it holds little more than Node itself does.
    input: { 'host/main': 'src/host/main.ts' },
    platform: 'node',
    external,
    plugins,
    output: {
      dir: 'dist/host',
      entryFileNames: 'main.js',
      format: 'esm',
      minify: true,
      codeSplitting: false,
    },
  },
]);
