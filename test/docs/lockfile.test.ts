import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

interface Package {
  resolved?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  allowScripts?: Record<string, boolean>;
}

const root = resolve(import.meta.dirname, '../..');
const read = <T>(path: string): T => JSON.parse(readFileSync(resolve(root, path), 'utf8')) as T;

test('T18: what is installed has a checksum in the lockfile, and no package but Node itself runs a script then', () => {
  const { packages } = read<{ packages: Record<string, Package> }>('package-lock.json');
  const installed = Object.entries(packages).filter(([path]) => path !== '');
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  const scripted = installed.filter(([, each]) => each.hasInstallScript).map(([path]) => path);
  expect(scripted).toEqual(['node_modules/node']);
  expect(read<Package>('package.json').allowScripts).toEqual({ node: true });
});

test.each(['lancedb', 'sentence-encoder'])(
  'what %s installs has a checksum, and comes from any registry',
  (name) => {
    const { packages } = read<{ packages: Record<string, Package> }>(`extras/${name}/package-lock.json`);
    const installed = Object.entries(packages).filter(([path]) => path !== '');
    expect(installed.length).toBeGreaterThan(5);
    expect(installed.filter(([, { resolved, hasInstallScript }]) => resolved || hasInstallScript)).toEqual(
      [],
    );
    const unproven = installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
    // Builds of LanceDB for platforms that we do not run tests on are pinned by their version alone.
    expect(unproven.filter(([path]) => !/lancedb-(?:darwin|win32|linux-arm64)-/.test(path))).toEqual([]);
  },
);
