import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'rolldown';

/** A package of which the built files hold code. */
export interface BundledPackage {
  name: string;
  version: string;
  /** As its package.json says: an SPDX expression. */
  license: string;
  /** As its package.json says it; empty where it does not. */
  author: string;
  /** Whole texts of its files about licence and origin; empty where it brings none. */
  texts: readonly string[];
}

const textFile = /^(?:licen[cs]e|notice|copying)/i;

/** Looks over rolldown's shoulder: whatever it takes from a package is somebody's, and has terms. */
export class BundledPackages {
  readonly #folders = new Set<string>();

  /** @param done called after each bundle is written, with what all of them hold so far */
  plugin(done: (packages: readonly BundledPackage[]) => void): Plugin {
    return {
      name: 'bundled-packages',
      generateBundle: (_options, bundle) => {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk')
            for (const [id, { renderedLength }] of Object.entries(file.modules))
              if (renderedLength > 0) this.#take(id);
      },
      writeBundle: () => done(this.#all()),
    };
  }

  #take(id: string): void {
    const [, folder] = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id) ?? [];
    if (folder) this.#folders.add(folder);
  }

  /** One that is installed in two places is one package. */
  #all(): BundledPackage[] {
    const packages = [...this.#folders].map((folder) => read(folder));
    const byKey = new Map(packages.map((each) => [keyOf(each), each]));
    return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
  }
}

const keyOf = ({ name, version }: BundledPackage): string => `${name}@${version}`;

function read(folder: string): BundledPackage {
  const {
    name,
    version,
    license,
    author = '',
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string')
    throw new Error(`${name} is bundled, and its package.json names no license`);
  const texts = readdirSync(folder)
    .filter((file) => textFile.test(basename(file)))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return { name, version, license, author: author.name ?? author, texts };
}
