// Ends all that a bridge has started in its sessions, with that bridge or without it.
import { join } from 'node:path';
import type { Clock } from '../base/time/clock.ts';
import type { EndedAll } from '../domain/views/control.ts';
import { type EndedRun, endAtOnce } from './terminal/end-at-once.ts';
import { type HostFolder, hostFolders } from './terminal/host-folders.ts';

export interface EndAllOptions {
  stateDir: string;
  clock: Clock;
  /** The environment that other programs are found and asked with. */
  env: Readonly<Record<string, string | undefined>>;
  /** Asks hosts to end everything, where somebody has them. */
  quit?(): Promise<unknown>;
  /** The session that has this folder. */
  keyOf?(folder: string): string | undefined;
}

/** Named of one session. */
const maxNamed = 50;

/** Resolves within about 5 s. */
export async function endAll({ stateDir, clock, env, quit, keyOf }: EndAllOptions): Promise<EndedAll> {
  const sessions = join(stateDir, 'sessions');
  const hosts = hostFolders(sessions);
  const { runs, alive } = await endAtOnce({ hosts, sessions, clock, quit: quit ?? (async () => {}) });
  const ended = runs.map(({ folder, commands }: EndedRun) => ({
    session: (folder !== undefined && keyOf?.(folder)) || null,
    processes: commands.length,
    commands: commands.slice(0, maxNamed),
  }));
  const since = sinceStarted(hosts);
  if (since === undefined) return { ended, alive, unseen: [] };
  const { unseenWork } = await import('./unseen-work.ts');
  return { ended, alive, unseen: await unseenWork({ env, since }) };
}

/** Ticks of the kernel's clock in a second, as /proc tells them on every architecture. */
const ticksPerSecond = 100;

/** Returns how long the oldest has run, as seconds since the machine was started; undefined where nothing tells it. */
function sinceStarted(hosts: readonly HostFolder[]): number | undefined {
  const starts = hosts.flatMap(({ file }) =>
    file.started === '' ? [] : [Number(file.started) / ticksPerSecond],
  );
  return starts.length === 0 ? undefined : Math.min(...starts);
}
