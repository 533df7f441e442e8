import { provenWords } from '../../../domain/views/audit/proven.ts';
import { type Check, failed, ok, warning } from '../../../domain/views/check.ts';
import {
  oldestClaude,
  type Preflight,
  PreflightCheck,
  provenClaude,
} from '../../claude/process/preflight.ts';
import { claudeCommand } from '../../claude-command.ts';
import { claudeNotFound } from '../../setup/programs.ts';
import type { Examination } from '../examination.ts';

/** Milliseconds for one call, of which there are two. */
const callMs = 10_000;

/** Is there a Claude Code, does its version fit, and is it signed in? Its credentials are its own business. */
export const claude: Examination = async ({ config, env }, signal) => {
  const preflight = new PreflightCheck({
    claudeCommand: claudeCommand(config.claude),
    env,
    timeoutMs: callMs,
    signal,
  });
  const found = await preflight.run();
  if (!found.ok) return [unusable(found, config.claude)];
  // A call that was broken off is none that told no version: what nobody waits for starts nothing more.
  signal.throwIfAborted();
  return [versionCheck(found), signInCheck(await preflight.signedIn())];
};

function unusable({ failure, detail }: Preflight & { ok: false }, name: string): Check {
  if (failure !== 'claude_not_found') return failed('claude', detail, 'Run `claude update`.');
  return claudeNotFound(name);
}

function versionCheck({ command, version }: Preflight & { ok: true }): Check {
  const where = command.join(' ');
  if (version === undefined) {
    return warning('claude', `${where} did not tell its version.`, `Run \`${where} --version\`.`);
  }
  const back = `claude install ${provenClaude}`;
  const range = provenWords(version, { oldest: oldestClaude, proven: provenClaude, back });
  return ok('claude', `Claude Code ${version} at ${where} (${range})`);
}

function signInCheck(signedIn: boolean | undefined): Check {
  const name = 'sign-in';
  if (signedIn) return ok(name, 'Claude Code is signed in.');
  if (signedIn === undefined) {
    const words = 'Claude Code did not say whether it is signed in.';
    return warning(name, words, 'Run `claude auth status`.');
  }
  const remedy = 'Run `claude` once and sign in; a key or token in its environment works, too.';
  return warning(name, 'Claude Code is not signed in.', remedy);
}
