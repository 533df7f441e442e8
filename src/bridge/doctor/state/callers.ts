import { readFileSync } from 'node:fs';
import { loadKernel } from '../../../base/process/kernel.ts';
import { type AuthorityLevel, authorityLevel, levelWords } from '../../../domain/views/authority-level.ts';
import { ok, warning } from '../../../domain/views/check.ts';
import { isAlwaysContained } from '../../../domain/views/contain-modes.ts';
import type { Examination } from '../examination.ts';

const name = 'callers';

const remedy =
  'Install synthesis again without `--omit=optional`, or set `operator.unknown` to `allow` in its configuration.';

/** What proves a person needs nobody to tell who calls. */
const untold =
  'The package that asks the kernel which program calls is missing: whoever calls decides with the operator secret, and without it nobody does.';

/** So it is by choice of the machine, and no mistake. */
const advice: Record<Exclude<AuthorityLevel, 'apart' | 'missing' | 'contained'>, string> = {
  root: 'Run the bridge as a user of its own where that matters.',
  other: 'With `operator.unknown` set to `refuse`, questions are answered in chats or with a token.',
};

/** Says whether what Claude Code starts is told apart from its user here, and what that does not hold. */
export const callers: Examination = async ({ config }) => {
  const { platform } = process;
  const level = authorityLevel({
    platform,
    hasKernel: loadKernel() !== undefined,
    isRoot: process.getuid?.() === 0,
    isContained: isAlwaysContained(config),
  });
  if (level === 'missing')
    return [warning(name, config.operator.secret ? untold : levelWords.missing, remedy)];
  if (level === 'contained')
    return [ok(name, `${levelWords.contained} \`synthesis docs security\` lists what it does not hold.`)];
  if (level !== 'apart') return [ok(name, `${levelWords[level]} ${advice[level]}`)];
  const traced = isTraced()
    ? ' Programs of yours may trace each other (`kernel.yama.ptrace_scope` is 0).'
    : '';
  return [ok(name, `${levelWords.apart}${traced} \`synthesis docs security\` lists what it does not hold.`)];
};

/** Whether the kernel lets one program of a user trace another that is not its child. */
function isTraced(): boolean {
  try {
    return Number(readFileSync('/proc/sys/kernel/yama/ptrace_scope', 'utf8')) === 0;
  } catch {
    // Without Yama nothing forbids it.
    return true;
  }
}
