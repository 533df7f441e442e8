// A command that a person runs at a terminal of their own.
import { Pty } from '../../support/pty.ts';
import { until } from '../../support/until.ts';
import type { Home } from './program.ts';

export interface AtTerminal {
  code: number | undefined;
  /** All that it wrote. */
  text: string;
}

/** @param typed what is typed once it asks @param env added to its environment */
export async function atTerminal(
  home: Home,
  args: readonly string[],
  { typed, env }: { typed?: string; env?: Record<string, string> } = {},
): Promise<AtTerminal> {
  await using pty = new Pty(home.argv(...args, '--state-dir', home.state), {
    cwd: home.cwd,
    env: home.env(env),
    cols: 200,
    rows: 24,
  });
  if (typed !== undefined) {
    await until(
      () => `a question: ${pty.raw}`,
      () => pty.raw.includes('[no]: '),
      20_000,
    );
    pty.type(`${typed}\r`);
  }
  await until(
    () => `the end of ${args[0]}: ${pty.raw}`,
    () => pty.exitCode !== undefined,
    30_000,
  );
  return { code: pty.exitCode, text: pty.raw };
}
