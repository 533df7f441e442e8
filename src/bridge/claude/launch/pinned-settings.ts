// What a user's own settings could change about how Claude Code looks, takes keys, asks and reports. The bridge's
// `--settings` come last, so what stands here wins over the user's file and those of the folder. The look, the editor mode, the hooks, the mode and
// the variables were tried against their opposites in the user's file, on Claude Code 2.1.332 and 2.1.330.
import { modeName } from '../../../domain/permission-mode.ts';
import type { PermissionMode } from '../../../protocol/settings/permission-mode.ts';

export interface Pin {
  /** Of a settings file, or the name of a variable. */
  key: string;
  value: unknown;
  /** What a session is like because of it, for people. */
  words: string;
}

/** Pins that are the same for every session. */
export const pins: readonly Pin[] = [
  // Drawn as flat text there is no prompt box. CLAUDE_AX_SCREEN_READER wins over it, so that is pinned, too.
  { key: 'axScreenReader', value: false, words: 'the screen is drawn as usual' },
  // In the normal mode of vim, what is typed are commands.
  { key: 'editorMode', value: 'normal', words: 'the prompt has no vim mode' },
  // A question would answer itself with whatever is chosen so far.
  { key: 'askUserQuestionTimeout', value: 'never', words: "Claude's questions wait for a person" },
  // Else whoever can write a settings file of the folder, Claude among them, could switch the policy and every question off.
  // The user's own switch is looked at before Claude Code is started.
  { key: 'disableAllHooks', value: false, words: 'hooks stay on' },
  // Left on an empty prompt would send the session to the background, away from our terminal.
  { key: 'disableAgentView', value: true, words: 'the view of agents is off' },
  // Nobody but us writes to a session.
  { key: 'crossSessionInbound', value: 'refuse', words: 'other sessions cannot write to it' },
];

/** Variables that a settings file can set over those that Claude Code is started with. */
export const pinnedVariables: readonly Pin[] = [
  { key: 'CLAUDE_AX_SCREEN_READER', value: '0', words: 'the screen is drawn as usual' },
  { key: 'CLAUDE_CODE_DISABLE_TERMINAL_TITLE', value: '0', words: 'the terminal has its title' },
];

export interface PinnedFor {
  /** Permission mode of the session. */
  mode: PermissionMode;
  /** See `sandboxSettings`. */
  sandbox: Readonly<Record<string, unknown>>;
  /** Variables that Claude Code is started with and has to keep. */
  env: Readonly<Record<string, string>>;
}

export interface PinnedSettings extends Record<string, unknown> {
  permissions: Record<string, unknown>;
}

/** Returns the pins as settings, with those that differ from session to session. */
export function pinnedSettings({ mode, sandbox, env }: PinnedFor): PinnedSettings {
  return {
    ...valuesOf(pins),
    // Without a mode here Claude Code offers the automatic one, as a dialog with "Yes" chosen, where the user's file has one.
    permissions: { defaultMode: modeName(mode) },
    sandbox,
    env: { ...env, ...valuesOf(pinnedVariables) },
  };
}

const valuesOf = (some: readonly Pin[]): Record<string, unknown> =>
  Object.fromEntries(some.map(({ key, value }) => [key, value]));
