import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Settings } from './settings.ts';

const fileOf = (cwd: string): string => join(cwd, '.claude', 'settings.local.json');

/** Allow rules that earlier sessions in this folder stored. */
export function localRules(cwd: string): string[] {
  if (!existsSync(fileOf(cwd))) return [];
  try {
    return Settings.parse(JSON.parse(readFileSync(fileOf(cwd), 'utf8'))).permissions?.allow ?? [];
  } catch {
    return [];
  }
}

/** Stores allow rules for later sessions in this folder. */
export function storeLocalRules(cwd: string, rules: string[]): void {
  const allow = [...new Set([...localRules(cwd), ...rules])];
  mkdirSync(dirname(fileOf(cwd)), { recursive: true });
  writeFileSync(fileOf(cwd), `${JSON.stringify({ permissions: { allow } }, null, 2)}\n`);
}
