// What `claude agents --json` knows: one small file per running session.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../../../base/process/process-identity.ts';
import { configDir } from '../turn/transcript.ts';

export type Status = 'idle' | 'busy' | 'waiting';

/** This process's entry in the list. Removed by {@link close}; the entry of a dead process is skipped. */
export class LiveEntry {
  readonly #file: string;
  readonly #about: { cwd: string; name: string | undefined };
  #written = '';

  constructor(env: NodeJS.ProcessEnv, about: { cwd: string; name: string | undefined }) {
    const folder = join(configDir(env), 'sessions');
    mkdirSync(folder, { recursive: true });
    this.#file = join(folder, `${process.pid}.json`);
    this.#about = about;
  }

  update(sessionId: string, status: Status): void {
    const waitingFor = status === 'waiting' ? 'permission prompt' : undefined;
    const entry = { pid: process.pid, kind: 'interactive', sessionId, status, waitingFor, ...this.#about };
    const text = JSON.stringify(entry);
    if (text === this.#written) return;
    this.#written = text;
    writeFileSync(this.#file, text, { mode: 0o600 });
  }

  close(): void {
    rmSync(this.#file, { force: true });
  }
}

/** The entries of all sessions that still run. */
export function liveSessions(env: NodeJS.ProcessEnv): unknown[] {
  const folder = join(configDir(env), 'sessions');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => isRunning(Number(name.slice(0, -5))))
    .map((name): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}
