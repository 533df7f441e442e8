import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder that goes away with the test. */
export function tempFolder(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'synthesis-vault-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A vault with these files, by their paths inside. */
export function tempVault(files: Readonly<Record<string, string>> = {}): string {
  const root = join(tempFolder(), 'vault');
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) putFile(root, path, text);
  return root;
}

export function putFile(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
