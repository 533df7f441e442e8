import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Shows a text as `git` and `man` do: by `$PAGER`, else `less`, which leaves at once when all of it fits.
 * @returns false when there is no such program; nothing was shown then
 */
export async function page(text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const pager = env.PAGER || 'less';
  if (pager === 'cat') return false;
  const child = spawn(pager, {
    // A pager may be a command line, such as `less -S`: the user's own, as the shell would take it.
    shell: true,
    stdio: ['pipe', 'inherit', 'ignore'],
    env: { ...env, LESS: env.LESS ?? 'FRX', LESSCHARSET: env.LESSCHARSET ?? 'utf-8' },
  });
  // Ctrl-C is the pager's while it runs.
  const ignore = () => {};
  process.on('SIGINT', ignore);
  // It may be left before all of it was read.
  child.stdin.on('error', ignore);
  child.stdin.end(text);
  try {
    const [code] = await once(child, 'close');
    // The shell's answer for a program that it does not find, or may not run.
    return code !== 127 && code !== 126;
  } finally {
    process.off('SIGINT', ignore);
  }
}
