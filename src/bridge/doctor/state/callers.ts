import { readFileSync } from 'node:fs';
import { loadKernel } from '../../../base/process/kernel.ts';
import { type Check, ok, warning } from '../../../domain/views/check.ts';
import type { Examination } from '../examination.ts';

const name = 'callers';
const more = 'What it does not hold is listed in `synthesis docs security`.';

/** Says whether what Claude Code starts is told apart from its user here, and what that does not hold. */
export const callers: Examination = async () => {
  if (process.platform !== 'linux') {
    return [
      warning(
        name,
        'This system does not tell which program calls: whatever runs as you can answer a question, also what Claude Code started.',
        `Set \`operator.unknown\` to \`refuse\`, and decide in chats or with a token. ${more}`,
      ),
    ];
  }
  if (!loadKernel()) {
    return [
      warning(
        name,
        'The package that asks the kernel which program calls is missing: at a terminal nobody can decide.',
        'Install synthesis again without `--omit=optional`, or set `operator.unknown` to `allow`.',
      ),
    ];
  }
  return isRoot() ? [asRoot] : [apart(tracing())];
};

const isRoot = (): boolean => process.getuid?.() === 0;

const asRoot: Check = warning(
  name,
  'What Claude Code starts is told apart from you, but runs as root: it can change and read everything, this program as well.',
  'Run the bridge as a user of its own.',
);

const apart = (words: string): Check =>
  ok(name, `What Claude Code starts may stop things and decide nothing. It is no wall${words}. ${more}`);

/** Returns what the kernel lets programs of one user do to each other, in words. */
function tracing(): string {
  const scope = yamaScope();
  return scope === undefined || scope === 0
    ? ': programs of yours may trace each other (`kernel.yama.ptrace_scope` is not set)'
    : '';
}

function yamaScope(): number | undefined {
  try {
    return Number(readFileSync('/proc/sys/kernel/yama/ptrace_scope', 'utf8'));
  } catch {
    return undefined;
  }
}
