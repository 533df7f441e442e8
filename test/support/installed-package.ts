// The package as npm puts it on a machine: packed, and installed into a folder of its own, far from this checkout.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { LoopbackRegistry } from './loopback-registry.ts';

const root = resolve(import.meta.dirname, '../..');

export class InstalledPackage implements Disposable {
  readonly prefix: string;
  /** What npm had to say beside its result; nothing, if all is well. */
  readonly warnings: string;

  /** @throws when npm cannot, with its own words */
  static async install(): Promise<InstalledPackage> {
    const prefix = mkdtempSync(join(tmpdir(), 'synthesis-installed-'));
    // Without scripts: the build has run, and `prepack` would do it once more under everybody's feet.
    const { stdout } = await execa(
      'npm',
      ['pack', '--ignore-scripts', '--silent', '--pack-destination', prefix],
      {
        cwd: root,
      },
    );
    await using registry = await LoopbackRegistry.start(root, prefix);
    const args = ['install', '--global', '--prefix', prefix, '--registry', registry.url];
    const quiet = ['--no-audit', '--no-fund', '--cache', join(prefix, 'cache'), stdout.trim()];
    const { stderr } = await execa('npm', [...args, ...quiet], { cwd: prefix, timeout: 60_000 });
    return new InstalledPackage(prefix, stderr);
  }

  private constructor(prefix: string, warnings: string) {
    this.prefix = prefix;
    this.warnings = warnings;
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

  [Symbol.dispose](): void {
    rmSync(this.prefix, { recursive: true, force: true });
  }
}
