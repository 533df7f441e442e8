import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { execa } from 'execa';
import { claudePath } from './peers.ts';

/**
 * Process ids of the Claude Codes that run the session, as the operating system tells it: the bridge's own word would
 * not prove that it is the same process.
 *
 * @param session Claude Code's session id, which is an argument of `--session-id` or `--resume`
 */
export async function claudePids(session: string): Promise<number[]> {
  const { stdout } = await execa('ps', ['-A', '-o', 'pid=,args=']);
  const names = [claudePath(), realpathSync(claudePath())];
  return stdout
    .split('\n')
    .filter((line) => line.includes(session))
    .map((line) => line.trim().match(/^(\d+) (.*)$/))
    .filter((match) => names.some((name) => match?.[2]?.startsWith(name)))
    .map((match) => Number(match?.[1]));
}

/** Returns whether a process runs whose command line holds this, as the system has it. */
export const runs = (what: string): boolean =>
  readdirSync('/proc').some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(what);
    } catch {
      return false;
    }
  });
