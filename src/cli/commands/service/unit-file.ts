import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ServiceKind } from './kind.ts';
import type { ServiceSettings } from './settings.ts';

export interface InstalledUnit {
  text: string;
  /** Undefined when synthesis has not written it. */
  settings: ServiceSettings | undefined;
}

export function installedUnit(kind: ServiceKind): InstalledUnit | undefined {
  try {
    const text = readFileSync(kind.file(), 'utf8');
    return { text, settings: kind.settingsIn(text) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** All of it or nothing: a full disk leaves the unit that was there. */
export function writeUnit(file: string, text: string): void {
  const draft = `${file}.${process.pid}.new`;
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(draft, text, { mode: 0o644 });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
