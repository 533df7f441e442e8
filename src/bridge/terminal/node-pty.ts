import { accessSync, chmodSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import pty from '@lydell/node-pty';

export interface PtySpec {
  /** Program and arguments. The program must exist: a PTY cannot tell "not found" from exit code 1. */
  argv: readonly [string, ...string[]];
  /** The whole environment of the child; nothing is inherited. */
  env: Record<string, string>;
  cwd: string;
  cols: number;
  rows: number;
}

let helperChecked = false;

/**
 * The macOS package ships its `spawn-helper` without the exec bit (lydell/node-pty, microsoft/node-pty 1.1.0): every
 * spawn fails with "posix_spawnp failed" until it is set.
 */
function repairSpawnHelper(platform: string = process.platform, arch: string = process.arch): void {
  if (helperChecked || platform !== 'darwin') return;
  helperChecked = true;
  try {
    const manifest = createRequire(import.meta.url).resolve(
      `@lydell/node-pty-${platform}-${arch}/package.json`,
    );
    const helper = join(dirname(manifest), 'spawn-helper');
    try {
      accessSync(helper, constants.X_OK);
    } catch {
      chmodSync(helper, 0o755);
    }
  } catch {
    // Not ours to change (a system-wide install). The spawn itself then says what is wrong.
  }
}

/** Starts a program on a pseudoterminal of its own. @throws when the PTY cannot be opened (out of ptys, no such cwd). */
export function spawnPty(spec: PtySpec): pty.IPty {
  repairSpawnHelper();
  const [file, ...args] = spec.argv;
  return pty.spawn(file, args, {
    name: spec.env.TERM ?? 'xterm-256color',
    cols: spec.cols,
    rows: spec.rows,
    cwd: spec.cwd,
    env: spec.env,
  });
}
