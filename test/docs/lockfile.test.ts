import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

interface Package {
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
