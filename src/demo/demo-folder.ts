// The folder of one demo. A demo that is killed cannot take it away, so that its name says whose it is and the next demo
// does. A process beside each that waits for its end could be killed as well, and would be one more to end.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lookAtDirectory } from '../base/files/own-path.ts';
import { identityOf, isAlive } from '../base/process/process-identity.ts';

/** The name is whole from the start: nobody ever sees a folder of which it is not yet known whose it is. */
const form = /^synthesis-demo-(\d+)-(\d*)-\w{6}$/;

export function makeDemoFolder(): string {
  const { pid, started } = identityOf(process.pid);
  return mkdtempSync(join(tmpdir(), `synthesis-demo-${pid}-${started}-`));
}

/**
 * Takes away what demos that were killed have left, and ends what still runs in it. A folder of another user, a link and
 * what cannot be removed now stay as they are.
 */
export async function removeDeadDemos(temp = tmpdir()): Promise<void> {
  for (const name of namesIn(temp).filter(isLeft)) {
    const folder = join(temp, name);
    try {
      if (lookAtDirectory(folder) === undefined) continue;
      const { endHosts } = await import('../bridge/hosts-offline.ts');
      await endHosts(join(folder, 'state'));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // The demo that begins now does not depend on it; the next one tries again.
    }
  }
}

function isLeft(name: string): boolean {
  const [, pid, started = ''] = form.exec(name) ?? [];
  return pid !== undefined && !isAlive({ pid: Number(pid), started });
}

/** A temporary directory may be one that can be written into and not read. */
function namesIn(temp: string): string[] {
  try {
    return readdirSync(temp);
  } catch {
    return [];
  }
}
