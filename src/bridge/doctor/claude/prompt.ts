// What the user's own settings and key bindings change about Claude Code's prompt, and what sessions do about it.
import { type Check, failed, ok, warning } from '../../../domain/views/check.ts';
import { keyBindings, keyBindingsPath, readKeyBindings } from '../../claude/keys/key-bindings.ts';
import { type PromptKeys, promptKeys } from '../../claude/keys/prompt-keys.ts';
import { claudeSettings } from '../../claude/launch/claude-settings.ts';
import { promptEditor } from '../../claude/launch/prompt-editor.ts';
import { PreflightCheck } from '../../claude/process/preflight.ts';
import { claudeCommand } from '../../claude-command.ts';
import { modePlaces } from '../../setup/modes.ts';
import { sandboxModes } from '../../setup/sandbox.ts';
import type { Examination } from '../examination.ts';
import { workFolders } from '../settings/work-folders.ts';
import { overriddenIn, unaskedSandbox } from './overridden.ts';

/** Milliseconds for `--version`. */
const callMs = 10_000;

const name = 'prompt';

export const prompt: Examination = async ({ config, env, stateDir }, signal) => {
  const command = { claudeCommand: claudeCommand(config.claude), env, timeoutMs: callMs, signal };
  const found = await new PreflightCheck(command).run();
  const version = found.ok ? found.version : undefined;
  const keys = promptKeys(await readKeyBindings(env, version));
  const path = keyBindingsPath(env);
  const sends = promptCheck(keys, path);
  const usual = promptKeys(keyBindings('{}', version));
  // Of the key that sends, a finding has said it already.
  const moved = movedKeys(keys, sends.status === 'ok' ? usual : { ...usual, submit: keys.submit });

  const folders = await Promise.all(workFolders(config).map((folder) => claudeSettings(env, [folder])));
  // The user's own file holds in every folder.
  const files = new Map(folders.flat().map((each) => [each.path, each]));
  const modes = modePlaces(config).map(({ mode }) => mode);
  const sessions = { modes, isEdited: promptEditor(stateDir) !== undefined };
  // Sessions with a sandbox by the configuration ask in it.
  const areOwn = sandboxModes(config).has('off');
  const sandboxes = new Set(areOwn ? folders.flatMap((settings) => unaskedSandbox(settings) ?? []) : []);
  return [
    sends,
    ...(moved.length > 0 ? [ok(name, `Sessions follow ${path}: ${moved.join(', ')}.`)] : []),
    ...[...files.values()]
      .filter(({ level }) => level !== 'managed')
      .flatMap((each) => {
        const words = overriddenIn(each, sessions);
        return words === undefined ? [] : [ok(name, `Sessions override in ${each.path}: ${words}.`)];
      }),
    ...[...sandboxes].map((file) =>
      ok(
        name,
        `In the sandbox of ${file} Claude Code runs Bash without asking, unless you set \`sandbox.autoAllowBashIfSandboxed\` to false.`,
      ),
    ),
  ];
};

/** Pure. */
function promptCheck(keys: PromptKeys, path: string): Check {
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
  return ok(name, 'Messages are sent with a key that no question takes for an answer.');
}

const deeds: readonly [key: keyof PromptKeys, words: string][] = [
  ['submit', 'sends a message'],
  ['editor', 'opens the editor'],
  ['stash', 'puts a draft aside'],
  ['cancel', 'stops a turn'],
];

/** Pure. @returns in words, what other keys do than usual */
const movedKeys = (keys: PromptKeys, usual: PromptKeys): string[] =>
  deeds
    .filter(([key]) => keys[key] !== usual[key])
    .map(([key, words]) => `${keys[key] === undefined ? 'no' : 'another'} key ${words}`);
