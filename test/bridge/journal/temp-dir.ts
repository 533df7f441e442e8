import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Of Linux: a file system that needs no disk. */
const memory = '/dev/shm';

/** An empty directory in memory, where there is one: for hundreds of journals whose bytes matter, and no sync. */
export const memoryDir = (): string => tempDir(existsSync(memory) ? memory : tmpdir());

/** An empty directory that goes away with the test. */
export function tempDir(within = tmpdir()): string {
  const dir = mkdtempSync(join(within, 'synthesis-journal-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
