// Starts a host: a process of its own, in a session of its own, so that neither Ctrl-C nor the end of whoever started it
// reaches it; and in a scope of its own where that lasts longer.
import type { Clock } from '../../base/time/clock.ts';
import type { HostOrder } from '../../protocol/wire/host.ts';
import { HostProcess, readyMs } from './host-process.ts';
import { hostSocketPath } from './host-socket.ts';
import type { Hosted } from './hosted.ts';
import type { Command, Scopes } from './scopes.ts';
import type { SpareHost } from './spare-host.ts';

export interface StartHostOptions {
  clock: Clock;
  scopes: Scopes;
  /** Absolute path of the host's program. */
  program: string;
  nodePath: string;
  stateDir: string;
  /** What the bridges of that state folder know. */
  secret: string;
  /** Saves the start of a process where one waits. */
  spare?: SpareHost;
}

/** @param dir the session's folder @param run names the host @throws Error in words */
export async function startHost(
  { clock, scopes, program, nodePath, stateDir, secret, spare }: StartHostOptions,
  dir: string,
  run: string,
): Promise<Hosted> {
  const order: HostOrder = { dir, run, socket: hostSocketPath(stateDir, dir), secret };
  const spared = await spare?.take(order);
  if (spared) return spared;
  const scoped = scopes.around(`synthesis-host-${run}`, [nodePath, program]);
  if (scoped) {
    try {
      return await start(scoped, order, clock);
    } catch (error) {
      scopes.failed(error);
    }
  }
  try {
    return await start({ file: nodePath, args: [program], env: {} }, order, clock);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new Error(`the process that holds its terminal could not be started: ${words}`);
  }
}

/** Starts it, and becomes its owner. */
async function start(command: Command, order: HostOrder, clock: Clock): Promise<Hosted> {
  const host = new HostProcess(command, clock);
  try {
    await host.next(readyMs);
    return await host.own(order, readyMs);
  } catch (error) {
    await host.kill();
    throw error;
  } finally {
    host.leave();
  }
}
