import { accessSync, chmodSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

let looked = false;

/**
 * The macOS package of node-pty ships its `spawn-helper` without the exec bit (lydell/node-pty, microsoft/node-pty 1.1.0):
 * every spawn fails with "posix_spawnp failed" until it is set.
 * @param from URL of a module that can load the package
 */
export function repairSpawnHelper(from: string): void {
  if (looked || process.platform !== 'darwin') return;
  looked = true;
  try {
    const name = `@lydell/node-pty-${process.platform}-${process.arch}/package.json`;
    const helper = join(dirname(createRequire(from).resolve(name)), 'spawn-helper');
    try {
      accessSync(helper, constants.X_OK);
    } catch {
      chmodSync(helper, 0o755);
    }
  } catch {
    // Not ours to change (a system-wide install). The spawn itself then says what is wrong.
  }
}
