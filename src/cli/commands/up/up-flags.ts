import { shellWord } from '../../../base/text/plain-word.ts';
import type { UpOptions } from './up-options.ts';

/** What of the flags says how the bridge works, as it was given: `--port` → `0`. */
export function flagsOf(options: UpOptions): Record<string, string> {
  const { port, claude, cwd, permissionMode, delivery, onExit } = options;
  const flags: [string, string | number | undefined][] = [
    ['--port', port],
    ['--claude', claude],
    ['--cwd', cwd],
    ['--permission-mode', permissionMode],
    ['--delivery', delivery],
    ['--on-exit', onExit],
  ];
  return Object.fromEntries(
    flags.flatMap(([flag, value]) => (value === undefined ? [] : [[flag, `${value}`]])),
  );
}

/**
 * A bridge that takes over has its own flags: those of the one before would keep what the configuration says now from
 * coming into force. That they are gone is said.
 */
export function lostFlags(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): string[] {
  // What is to become of Claude Codes belongs to where the bridge runs: in the background it is always given.
  const lost = Object.entries(before).filter(([flag]) => now[flag] === undefined && flag !== '--on-exit');
  if (lost.length === 0) return [];
  const words = lost.map(([flag, value]) => `${flag} ${shellWord(value)}`).join(' ');
  return [
    `The bridge before was started with \`${words}\`, and this one without. If that is not meant, run \`synthesis up --replace\` again with it.`,
  ];
}
