// System calls of Linux that Node does not make. They need a native package, which is optional: without it, and on other
// systems, `loadKernel` returns nothing, and the bridge says that it cannot tell who calls (decision 0055).
import { closeSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { late } from '../late.ts';

/** Values of the kernel's own headers; the same on every architecture that the package is built for. */
const PR_SET_DUMPABLE = 4;
const PR_SET_CHILD_SUBREAPER = 36;
const SOL_SOCKET = 1;
const SO_PEERCRED = 17;
const SO_PEERPIDFD = 77;
const WNOHANG = 1;
const ESRCH = 3;

export interface Kernel {
  /**
   * Returns the process that connected the other end of a local socket, or that listens there; undefined when it is gone,
   * as far as the kernel tells (Linux 6.5), or when `fd` is no such socket.
   * @param fd of our end
   */
  peerOf(fd: number): number | undefined;
  /** Makes this process the parent of every descendant whose own parent ends. */
  adoptOrphans(): boolean;
  /** Keeps processes of the same user from reading this one's memory, environment and files, and from tracing it. */
  hideMemory(): boolean;
  /** Takes note of the end of an adopted child, without waiting. @returns whether it had ended */
  reap(pid: number): boolean;
}

/** The part of koffi that is used: functions by their C declaration. */
interface Koffi {
  load(library: null): { func(declaration: string): (...args: unknown[]) => number };
  /** Of the last call that failed. */
  errno(): number;
}

/** Loads it once: 3 ms, 1.5 MB (koffi 3.3.4). */
export const loadKernel: () => Kernel | undefined = late(() => {
  if (process.platform !== 'linux') return undefined;
  try {
    // The package of this architecture alone: the one around it has every other as well, and a script at its installation.
    const koffi = createRequire(import.meta.url)(`@koromix/koffi-linux-${process.arch}`) as Koffi;
    return kernelBy(koffi);
  } catch {
    return undefined;
  }
});

function kernelBy(koffi: Koffi): Kernel {
  const libc = koffi.load(null);
  const prctl = libc.func('int prctl(int, ulong, ulong, ulong, ulong)');
  const getsockopt = libc.func('int getsockopt(int, int, int, _Out_ uint32_t *, _Inout_ uint32_t *)');
  const waitpid = libc.func('int waitpid(int, _Out_ int *, int)');
  const option = (fd: number, name: number, words: number): Uint32Array | undefined => {
    const value = new Uint32Array(words);
    return getsockopt(fd, SOL_SOCKET, name, value, [4 * words]) === 0 ? value : undefined;
  };
  return {
    peerOf(fd) {
      // By a number alone it may be another process by now.
      const handle = option(fd, SO_PEERPIDFD, 1)?.[0];
      if (handle !== undefined) return pidOf(handle);
      // Gone, as kernels until 6.16 say it.
      if (koffi.errno() === ESRCH) return undefined;
      const pid = option(fd, SO_PEERCRED, 3)?.[0];
      return pid ? pid : undefined;
    },
    adoptOrphans: () => prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) === 0,
    hideMemory: () => prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) === 0,
    reap: (pid) => waitpid(pid, [0], WNOHANG) === pid,
  };
}

/** Returns whose handle it is, and closes it; undefined when that process is gone. */
function pidOf(handle: number): number | undefined {
  try {
    const pid = Number(/^Pid:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${handle}`, 'latin1'))?.[1]);
    return pid > 0 ? pid : undefined;
  } finally {
    closeSync(handle);
  }
}
