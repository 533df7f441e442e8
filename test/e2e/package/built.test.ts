// What npm gets: nothing that the built files do not need, everything that they do, and whose it is.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Schema, Validator } from '@cfworker/json-schema';
import { execa } from 'execa';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { notices } from '../../../scripts/package/notices.ts';
import { program } from '../../../src/cli/program.ts';

const folder = resolve(import.meta.dirname, '../../..');
const json = <T>(...path: string[]): T => JSON.parse(readFileSync(join(folder, ...path), 'utf8')) as T;
const manifest = json<Record<string, Record<string, string>>>('package.json');

const built = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.c?js$/.test(file))
  .map((file) => readFileSync(join(folder, 'dist', file), 'utf8'));

test('a dependency is what the built files load from node_modules, and nothing else', () => {
  const loaded = built.flatMap((code) =>
    [...code.matchAll(/(?:\bfrom|\bimport|\bimport\(|\brequire\()\s*["'](@?[a-z][\w./-]*)["']/g)].map(
      ([, name = '']) => name,
    ),
  );
  const dependencies = Object.keys(manifest.dependencies ?? {});
  const foreign = loaded.filter((name) => !isBuiltin(name));
  expect(foreign.filter((name) => !dependencies.includes(name))).toEqual([]);
  const named = (name: string) => built.some((code) => new RegExp(`["'\`]${name}["'\`]`).test(code));
  expect(dependencies.filter((name) => !named(name))).toEqual([]);
});

interface Bill {
  components: { name: string; version: string; purl: string; properties: { value: string }[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}
const bill = json<Bill>('dist/bom.cdx.json');
const how = (value: string) =>
  bill.components.filter(({ properties }) => properties.some((each) => each.value === value));

test('the bill of materials is CycloneDX, and names what is built in and what npm installs beside it', () => {
  const library = dirname(
    createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json'),
  );
  const schema = (name: string) =>
    JSON.parse(readFileSync(join(library, 'res/schema', `${name}.SNAPSHOT.schema.json`), 'utf8')) as Schema;
  const validator = new Validator(schema('bom-1.6'), '7', false);
  for (const name of ['spdx', 'jsf-0.82'])
    validator.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  expect(validator.validate(bill).errors).toEqual([]);
  expect(validator.validate({ ...bill, components: [{ type: 'library' }] }).valid).toBe(false);
  expect(how('built in').map(({ name }) => name)).toEqual(
    expect.arrayContaining(['commander', 'ink', 'zod']),
  );
  const installed = how('installed beside it').map(({ name }) => name);
  expect(installed).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies ?? {})));
  expect(installed).toContain(`@lydell/node-pty-${process.platform}-${process.arch}`);
  expect(bill.dependencies[0]?.dependsOn.length).toBeGreaterThan(how('built in').length);
});

test('each package that is built in has its notice, under terms that ask for no more than that', () => {
  const text = readFileSync(join(folder, 'dist/THIRD_PARTY_NOTICES'), 'utf8');
  const noticed = [...text.matchAll(/^(\S+) (\S+) \((.+)\)$/gm)].map(([, name, version, license]) => ({
    name,
    version,
    license,
  }));
  const names = (all: readonly { name?: string; version?: string }[]) =>
    all.map(({ name, version }) => `${name}@${version}`).sort();
  expect(names(noticed)).toEqual(names(how('built in')));
  const permissive = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'Unlicense'];
  expect(noticed.filter(({ license = '' }) => !permissive.includes(license))).toEqual([]);
  const [, ...sections] = text.split(/^(?=\S+ \S+ \(.+\)$)/m);
  expect(sections).toHaveLength(noticed.length);
  const terms =
    /permission (?:is hereby granted|to use, copy)|redistribution and use|apache license|public domain/i;
  expect(sections.filter((section) => !terms.test(section))).toEqual([]);
});

test('a package that is built in without a text of its terms ends the build, unless it is MIT and names its author', () => {
  const odd = { name: 'odd', version: '1.0.0', license: 'MIT', author: 'The authors of odd', texts: [] };
  expect(notices([odd], 'TERMS')).toContain('Author: The authors of odd\n\nTERMS');
  expect(() => notices([{ ...odd, license: 'ISC' }], 'TERMS')).toThrow('odd');
  expect(() => notices([{ ...odd, author: '' }], 'TERMS')).toThrow('odd');
});

test('publint has nothing to say', async () => {
  const { messages } = await publint({ pkgDir: folder, strict: true, pack: false });
  expect(messages.map((each) => formatMessage(each, manifest))).toEqual([]);
});

test('the manual has every command and flag, and groff and man take it without a warning', async () => {
  const file = join(folder, 'dist/synthesis.1');
  const page = readFileSync(file, 'utf8');
  const root = program();
  const commands = root.createHelp().visibleCommands(root);
  expect(commands.length).toBeGreaterThan(20);
  for (const command of commands) {
    expect(page).toContain(`.SS "synthesis ${command.name().replaceAll('-', '\\-')} `);
    for (const { long } of command.options) expect(page).toContain((long ?? '').replaceAll('-', '\\-'));
  }
  expect(page.split('\n').filter((line) => /^['.](?!(?:TH|SH|SS|TP|PP|EX|EE)\b)/.test(line))).toEqual([]);
  const groff = await execa('groff', ['-man', '-ww', '-z', file], { reject: false });
  if (groff.code !== 'ENOENT') expect([groff.exitCode, groff.stderr]).toEqual([0, '']);
});

test('a package that does not say where it comes from is not published, and one that does is', async () => {
  const script = join(folder, 'scripts/before-publishing.ts');
  const asked = mkdtempSync(join(tmpdir(), 'synthesis-publishing-'));
  onTestFinished(() => rmSync(asked, { recursive: true }));
  const publish = async (fields: object) => {
    writeFileSync(join(asked, 'package.json'), JSON.stringify(fields));
    return await execa(process.execPath, [script, join(asked, 'package.json')], { reject: false });
  };
  const all = { repository: 'r', homepage: 'h', bugs: 'b', author: 'a' };
  expect(await publish(all)).toMatchObject({ exitCode: 0, stderr: '' });
  for (const field of Object.keys(all)) {
    const missing = await publish({ ...all, [field]: '' });
    expect([missing.exitCode, missing.stderr]).toEqual([
      1,
      expect.stringContaining(`does not say: ${field}. Nothing was published.`),
    ]);
  }
  expect(manifest.scripts?.prepublishOnly).toBe('node scripts/before-publishing.ts');
});

test.each(['ci', 'release'])(
  'the workflow "%s" is YAML, may do no more than it must, and runs the whole check',
  (name) => {
    const workflow = parse(readFileSync(join(folder, `.github/workflows/${name}.yml`), 'utf8')) as {
      permissions: object;
      jobs: Record<string, { permissions?: object; steps: { run?: string }[] }>;
    };
    expect(workflow.permissions).toEqual({ contents: 'read' });
    const steps = Object.values(workflow.jobs).flatMap((job) => job.steps.flatMap(({ run }) => run ?? []));
    expect(steps).toContain('bash .ci/run');
    const programs = steps.flatMap((step) =>
      [...step.matchAll(/\b(?:bash|node) ([\w./-]+)/g)].map(([, file]) => file),
    );
    expect(programs.filter((file = '') => !file.startsWith('-') && !existsSync(join(folder, file)))).toEqual(
      [],
    );
    const scripts = steps.flatMap((step) =>
      [...step.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, script]) => script),
    );
    expect(scripts.filter((script = '') => !manifest.scripts?.[script])).toEqual([]);
  },
);
