import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Whole or not at all, readable by the user alone; a link in its place is replaced, not followed. */
export function writePrivate(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  rmSync(draft, { force: true });
  const file = openSync(draft, 'wx', 0o600);
  writeFileSync(file, text);
  closeSync(file);
  renameSync(draft, path);
}
