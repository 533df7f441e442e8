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
  return stdout
    .split('\n')
    .map((line) => line.trim().match(/^(\d+) (.*)$/))
    .flatMap((match) =>
      match?.[2]?.startsWith(claudePath()) && match[2].includes(session) ? [Number(match[1])] : [],
    );
}
