import pty from '@lydell/node-pty';
import { repairSpawnHelper } from '../../base/spawn-helper.ts';

export interface PtySpec {
  /** Program and arguments. The program must exist: a PTY cannot tell "not found" from exit code 1. */
  argv: readonly [string, ...string[]];
  /** The whole environment of the child; nothing is inherited. */
  env: Record<string, string>;
  cwd: string;
  cols: number;
  rows: number;
}

/** Starts a program on a pseudoterminal of its own. @throws when the PTY cannot be opened (out of ptys, no such cwd). */
export function spawnPty(spec: PtySpec): pty.IPty {
  repairSpawnHelper(import.meta.url);
  const [file, ...args] = spec.argv;
  return pty.spawn(file, args, {
    name: spec.env.TERM ?? 'xterm-256color',
    cols: spec.cols,
    rows: spec.rows,
    cwd: spec.cwd,
    env: spec.env,
  });
}
