// Starts a host: a process of its own, in a session of its own, so that neither Ctrl-C nor the end of whoever started it
// reaches it; and in a scope of its own where that lasts longer.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { identityOf } from '../../base/process-identity.ts';
import { socketPathFor } from '../../base/socket-place.ts';
import { Hosted } from './hosted.ts';
import type { Command, Scopes } from './scopes.ts';

/** Until it can be reached, ms: 43 measured, and a scope's start before that. */
const readyMs = 10_000;
/** From the kill to going on without its end, ms. */
const unkillableMs = 1_000;

export interface StartHostOptions {
  clock: Clock;
  scopes: Scopes;
  /** Absolute path of the host's program. */
  program: string;
  nodePath: string;
}

/** @param dir the session's folder @param run names the host @throws Error in words */
export async function startHost(
  { clock, scopes, program, nodePath }: StartHostOptions,
  dir: string,
  run: string,
): Promise<Hosted> {
  const socket = socketPathFor(join(dir, 'host.sock'));
  const args = [program, dir, run, socket];
  const scoped = scopes.around(`synthesis-host-${run}`, [nodePath, ...args]);
  if (scoped) {
    try {
      return await start(scoped, socket, clock);
    } catch (error) {
      scopes.failed(error);
    }
  }
  try {
    return await start({ file: nodePath, args, env: {} }, socket, clock);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new Error(`the process that holds its terminal could not be started: ${words}`);
  }
}

async function start({ file, args, env }: Command, socket: string, clock: Clock): Promise<Hosted> {
  // Nothing of the bridge's environment, nor its folder: it may be there for longer than either.
  const child = spawn(file, args, { cwd: '/', env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  child.unref();
  try {
    const said = await firstLine(child, clock);
    if (said.failed !== undefined) throw new Error(said.failed);
    return await Hosted.at(socket, identityOf(child.pid ?? 0), clock);
  } catch (error) {
    await kill(child, clock);
    throw error;
  } finally {
    child.stdout?.destroy();
  }
}

/** Resolves when it is gone: another one may be started in its place. */
async function kill(child: ChildProcess, clock: Clock): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(unkillableMs, resolve);
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await Promise.race([exit, late]);
  cancel();
}

function firstLine(child: ChildProcess, clock: Clock): Promise<{ failed?: string }> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(readyMs, () =>
      reject(new Error(`it says nothing within ${readyMs / 1000} s`)),
    );
    const ended = (error: Error) => {
      cancel();
      reject(error);
    };
    let text = '';
    child.on('error', ended);
    child.stdout?.on('error', ended);
    child.stdout?.on('close', () => ended(new Error('it ended at once')));
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end === -1) return;
      cancel();
      try {
        resolve(JSON.parse(text.slice(0, end)) as { failed?: string });
      } catch (error) {
        reject(error);
      }
    });
  });
}
