// The package as npm puts it on a machine: packed, and installed into a folder of its own, far from this checkout.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { LoopbackRegistry, pack } from './loopback-registry.ts';

const root = resolve(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
/** As a string of JSON or of the program. */
const ownVersion = new RegExp(`(["'\`])${manifest.version.replaceAll('.', '\\.')}\\1`, 'g');

/** @returns what npm had to say beside its result @throws when it cannot, with its own words */
async function install(registry: LoopbackRegistry, prefix: string, tarball: string): Promise<string> {
  const args = ['install', '--global', '--prefix', prefix, '--registry', registry.url];
  const quiet = ['--no-audit', '--no-fund', '--cache', join(prefix, 'cache'), tarball];
  const { stderr } = await execa('npm', [...args, ...quiet], { cwd: prefix, timeout: 60_000 });
  return stderr;
}

export class InstalledPackage implements AsyncDisposable {
  readonly prefix: string;
  readonly #registry: LoopbackRegistry;
  readonly #tarball: string;
  /** What npm had to say; nothing, if all is well. */
  readonly warnings: string;

  static async install(): Promise<InstalledPackage> {
    const prefix = mkdtempSync(join(tmpdir(), 'synthesis-installed-'));
    const registry = await LoopbackRegistry.start(root, prefix);
    const [tarball = ''] = await pack([root], prefix);
    return new InstalledPackage(prefix, registry, tarball, await install(registry, prefix, tarball));
  }

  private constructor(prefix: string, registry: LoopbackRegistry, tarball: string, warnings: string) {
    this.prefix = prefix;
    this.#registry = registry;
    this.#tarball = tarball;
    this.warnings = warnings;
  }

  /** Installs a later release over it: the same, but for what it calls itself. */
  async upgrade(version: string): Promise<void> {
    const folder = mkdtempSync(join(this.prefix, 'release-'));
    await execa('tar', ['-xzf', this.#tarball], { cwd: folder });
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    for (const name of files.filter((each) => /^package\/(?:package\.json|dist\/.*\.c?js)$/.test(each))) {
      const text = readFileSync(join(folder, name), 'utf8');
      writeFileSync(join(folder, name), text.replaceAll(ownVersion, `$1${version}$1`));
    }
    const [tarball = ''] = await pack([join(folder, 'package')], folder);
    await install(this.#registry, this.prefix, tarball);
  }

  /** What a shell finds on the PATH. */
  get program(): string {
    return join(this.prefix, 'bin/synthesis');
  }

  get #modules(): string {
    return join(this.prefix, 'lib/node_modules');
  }

  /** Every package that came with it, itself included. */
  get packages(): string[] {
    return readdirSync(this.#modules, { recursive: true, encoding: 'utf8' })
      .filter((path) => /(?:^|node_modules\/)(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(path))
      .map((path) => path.replace(/^.*node_modules\//, '').replace('/package.json', ''));
  }

  /** Of all files, bytes. */
  get bytes(): number {
    return readdirSync(this.#modules, { recursive: true, encoding: 'utf8' })
      .map((path) => statSync(join(this.#modules, path)))
      .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#registry[Symbol.asyncDispose]();
    rmSync(this.prefix, { recursive: true, force: true });
  }
}
