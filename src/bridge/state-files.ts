// Small files in the state directory: the provider token, and where the running bridge can be reached.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { newToken } from '../base/ids.ts';
import { writePrivate } from '../base/private-file.ts';

/** What `<state>/bridge.json` says while a bridge runs. */
export interface BridgeFile {
  pid: number;
  url: string;
  control: string;
  started_at: string;
}

const tokenForm = /^[A-Za-z0-9_-]{32,}$/;

/** The bearer token of `/v1`: made once, stable across restarts, 0600. */
export function providerToken(stateDir: string): { token: string; file: string } {
  const file = join(stateDir, 'token');
  const known = readToken(file);
  if (known) return { token: known, file };
  const token = newToken();
  writePrivate(file, `${token}\n`);
  return { token, file };
}

function readToken(file: string): string | undefined {
  try {
    const token = readFileSync(file, 'utf8').trim();
    return tokenForm.test(token) ? token : undefined;
  } catch {
    return undefined;
  }
}

export function announceBridge(stateDir: string, about: BridgeFile): void {
  writePrivate(join(stateDir, 'bridge.json'), `${JSON.stringify(about)}\n`);
}

export function withdrawBridge(stateDir: string): void {
  rmSync(join(stateDir, 'bridge.json'), { force: true });
}
