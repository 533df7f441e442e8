import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ServiceSettings } from './settings.ts';
import { settingsIn, unitName } from './unit.ts';

export interface InstalledUnit {
  text: string;
  /** Undefined when synthesis has not written it. */
  settings: ServiceSettings | undefined;
}

/** Where the user manager looks whatever its environment is. */
export const unitFile = (): string => join(homedir(), '.config/systemd/user', unitName);

export function installedUnit(): InstalledUnit | undefined {
  try {
    const text = readFileSync(unitFile(), 'utf8');
    return { text, settings: settingsIn(text) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** All of it or nothing: a full disk leaves the unit that was there. */
export function writeUnit(text: string): void {
  const file = unitFile();
  const draft = `${file}.${process.pid}.new`;
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(draft, text, { mode: 0o644 });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

export const removeUnit = (): void => rmSync(unitFile(), { force: true });
