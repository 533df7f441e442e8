import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs another command of this program on the same terminal, and waits for its end. */
export async function runOnTerminal(args: readonly string[]): Promise<number | null> {
  const [, program = ''] = process.argv;
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}
