// What `synthesis openclaw install` found, so that `uninstall` can put it back. Kept in the bridge's state directory.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readPrivate, writePrivate } from '../../base/files/private-file.ts';

export const InstallRecord = z.object({
  version: z.literal(1),
  /** OpenClaw's configuration file. */
  config: z.string(),
  installed_at: z.string(),
  /** Objects of the configuration that were not there before, as dotted paths. */
  made: z.array(z.string()),
  /** Set when the default model was changed; `before` is what it was, absent for nothing. */
  default_model: z.object({ before: z.unknown().optional() }).optional(),
  plugin: z.boolean(),
});
export type InstallRecord = z.infer<typeof InstallRecord>;

const fileOf = (stateDir: string) => join(stateDir, 'openclaw.json');

/** @throws UnsafePathError: whoever wrote it decides what `uninstall` changes */
export function readRecord(stateDir: string): InstallRecord | undefined {
  const text = readPrivate(fileOf(stateDir));
  try {
    return InstallRecord.parse(JSON.parse(text ?? ''));
  } catch {
    return undefined;
  }
}

export function writeRecord(stateDir: string, record: InstallRecord): void {
  writePrivate(fileOf(stateDir), `${JSON.stringify(record, undefined, 2)}\n`);
}

export function removeRecord(stateDir: string): void {
  rmSync(fileOf(stateDir), { force: true });
}
