// The few packages that an installation needs, served as npm's registry does: no test waits for the internet.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { execa } from 'execa';

interface Manifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

interface Served {
  manifest: Manifest;
  file: string;
}

const read = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The package there and what it needs, as far as it is installed: of optional ones that is what fits this machine. */
function reachable(root: string, manifest: Manifest, found = new Map<string, string>()): Map<string, string> {
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const folder = join(root, 'node_modules', name);
    if (found.has(name) || !existsSync(folder)) continue;
    found.set(name, folder);
    reachable(root, read(folder), found);
  }
  return found;
}

/** Without scripts: the build has run, and `prepack` would do it once more under everybody's feet. @returns the tarballs */
export async function pack(folders: readonly string[], into: string): Promise<string[]> {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', into, ...folders];
  const { stdout } = await execa('npm', args);
  return stdout
    .trim()
    .split('\n')
    .map((name) => join(into, name));
}

export class LoopbackRegistry implements AsyncDisposable {
  readonly #server: Server;
  readonly #packages: ReadonlyMap<string, Served>;

  /** @param root whose dependencies are served, as they are installed there @param folder for what is packed */
  static async start(root: string, folder: string): Promise<LoopbackRegistry> {
    const found = [...reachable(root, read(root))];
    const files = await pack(
      found.map(([, from]) => from),
      folder,
    );
    const packages = new Map(
      found.map(([name, from], at) => [name, { manifest: read(from), file: files[at] ?? '' }]),
    );
    const registry = new LoopbackRegistry(packages);
    registry.#server.listen(0, '127.0.0.1');
    await once(registry.#server, 'listening');
    return registry;
  }

  private constructor(packages: ReadonlyMap<string, Served>) {
    this.#packages = packages;
    this.#server = createServer((request, response) => {
      const path = decodeURIComponent(request.url ?? '').slice(1);
      const tarball = [...packages.values()].find(({ file }) => basename(file) === basename(path));
      const answer = tarball ? readFileSync(tarball.file) : this.#packument(path);
      response.writeHead(answer === undefined ? 404 : 200).end(answer ?? '{}');
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Source: https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md */
  #packument(name: string): string | undefined {
    const served = this.#packages.get(name);
    if (!served) return undefined;
    const { manifest, file } = served;
    const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
    const dist = { tarball: `${this.url}-/${basename(file)}`, integrity };
    const { version } = manifest;
    return JSON.stringify({
      name,
      'dist-tags': { latest: version },
      versions: { [version]: { ...manifest, dist } },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
