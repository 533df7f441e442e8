// What the user's own settings and key bindings change about Claude Code's prompt, and what sessions do about it.
import { type Check, failed, ok, warning } from '../../../domain/views/check.ts';
import { keyBindingsPath, readKeyBindings } from '../../claude/keys/key-bindings.ts';
import { type PromptKeys, promptKeys } from '../../claude/keys/prompt-keys.ts';
import { type ClaudeSettings, claudeSettings } from '../../claude/launch/claude-settings.ts';
import { pins } from '../../claude/launch/pinned-settings.ts';
import { PreflightCheck } from '../../claude/process/preflight.ts';
import { claudeCommand } from '../../claude-command.ts';
import type { Examination } from '../examination.ts';
import { workFolders } from '../settings/work-folders.ts';

/** Milliseconds for `--version`. */
const callMs = 10_000;

export const prompt: Examination = async ({ config, env }, signal) => {
  const command = { claudeCommand: claudeCommand(config.claude), env, timeoutMs: callMs, signal };
  const found = await new PreflightCheck(command).run();
  const keys = promptKeys(await readKeyBindings(env, found.ok ? found.version : undefined));
  const settings = await claudeSettings(env, workFolders(config));
  const overridden = settings.filter(({ level }) => level !== 'managed').flatMap(overriddenIn);
  return [promptCheck(keys, keyBindingsPath(env), overridden)];
};

/** Pure. @param overridden in words, each with its file */
export function promptCheck(keys: PromptKeys, path: string, overridden: readonly string[]): Check {
  const name = 'prompt';
  if (keys.submit === undefined) {
    return failed(
      name,
      `No key sends a message in Claude Code's prompt: ${path} binds \`chat:submit\`, \`chat:sendNow\` and \`chat:queueSubmit\` to nothing that a terminal can send.`,
      'Bind one of them again, for example `ctrl+x ctrl+s` to `chat:sendNow`.',
    );
  }
  if (keys.submit.endsWith('\r')) {
    return warning(
      name,
      `Messages are sent with Enter, because this Claude Code and ${path} bind no other key to it: a question that opens at that moment could take it for an answer.`,
      'Update Claude Code, or bind `ctrl+x ctrl+s` to `chat:sendNow` again.',
    );
  }
  const more = overridden.length > 0 ? ` Sessions override ${overridden.join(', ')}.` : '';
  return ok(name, `Messages are sent with a key that no question takes for an answer.${more}`);
}

function overriddenIn({ path, pinned = {} }: ClaudeSettings): string[] {
  return pins
    .filter(({ key, value }) => key in pinned && pinned[key] !== value)
    .map(({ key, words }) => `\`${key}\` of ${path} (${words})`);
}
