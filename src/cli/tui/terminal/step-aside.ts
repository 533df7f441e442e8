import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Runs another command of this program on the same terminal, and waits for its end. */
export async function runOnTerminal(args: readonly string[]): Promise<number | null> {
  const [, program = ''] = process.argv;
  // Whoever listened before has stopped, but one read is still under way and would take the first keys.
  await nextTurn();
  process.stdin.pause();
  await nextTurn();
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}
