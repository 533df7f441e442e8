// What is installed or run is what was looked at: every version is named.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { billOfMaterials, type Lockfile } from '../../scripts/package/bill-of-materials.ts';
import { allPages, type Page, page } from './pages.ts';

const root = resolve(import.meta.dirname, '../..');
const read = <T>(path: string): T => JSON.parse(readFileSync(join(root, path), 'utf8')) as T;

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}
interface Bill {
  components: { name: string; version: string; properties: { value: string }[] }[];
}

const exact = /^\d+\.\d+\.\d+$/;

test('what npm installs beside the package is one version each: what the lockfile and the bill of materials name', () => {
  const manifest = read<Manifest>('package.json');
  const lock = read<Lockfile>('package-lock.json');
  const wanted = Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies });
  expect(wanted.length).toBeGreaterThan(0);
  const bill = billOfMaterials([], lock) as Bill;
  const billed = new Map(bill.components.map(({ name, version }) => [name, version]));
  for (const [name, range] of wanted) {
    expect([name, range]).toEqual([name, expect.stringMatching(exact)]);
    expect([name, lock.packages[`node_modules/${name}`]?.version, billed.get(name)]).toEqual([
      name,
      range,
      range,
    ]);
  }
  // And so are what these need in turn: without a shrinkwrap nothing else holds them.
  const below = [...billed.keys()].flatMap((name) => {
    const { dependencies, optionalDependencies } = lock.packages[`node_modules/${name}`] ?? {};
    return Object.entries({ ...dependencies, ...optionalDependencies });
  });
  expect(below.filter(([name, range]) => !exact.test(range) || billed.get(name) !== range)).toEqual([]);
});

/** Of files that somebody may copy from. */
function examples(folder: string): Page[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .filter(({ name }) => /\.(?:md|json|jsonc|ts|mjs|js|sh|ya?ml|toml)$/.test(name))
    .map(({ parentPath, name }) => page(join(parentPath, name).slice(root.length + 1)));
}

/** Programs that are fetched and run at once, with all that is named on the line. */
const fetched = /\b(?:npx|bunx|pnpm dlx|uvx)\b((?:[ \t]+-{1,2}[\w-]+)*)[ \t]+["'`]?([@\w][^\s"'`]*)/g;

const named = ({ path, text }: Page) =>
  [...text.matchAll(fetched)].map(([, , program = '']) => `${path}: ${program}`);

test('no example runs a program of a registry in whatever version it has today', () => {
  expect(named({ path: 'a', text: 'npx -y some-server ~/x' })).toEqual(['a: some-server']);
  const all = [...allPages(), ...['examples', 'extras'].flatMap(examples)].flatMap(named);
  expect(all.length).toBeGreaterThan(0);
  expect(all.filter((each) => !/: @?[^@]+@\d+\.\d+\.\d+$/.test(each))).toEqual([]);
});

test('the MCP server of the examples is the release that the tests against real peers run', () => {
  const { dependencies, devDependencies } = read<Manifest>('test/real/package.json');
  const name = '@modelcontextprotocol/server-filesystem';
  const tested = { ...dependencies, ...devDependencies }[name];
  const shown = allPages()
    .flatMap(named)
    .filter((each) => each.includes(name));
  expect(shown).toHaveLength(2);
  for (const each of shown) expect(each).toMatch(new RegExp(`${name}@${tested}$`));
});
