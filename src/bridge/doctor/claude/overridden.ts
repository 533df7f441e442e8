// What sessions have otherwise than a settings file of Claude Code's says, each in a few words: see `pinnedSettings`. Pure.
import { modeName } from '../../../domain/permission-mode.ts';
import { fixedVariables } from '../../claude/launch/child-env.ts';
import type { ClaudeSettings } from '../../claude/launch/claude-settings.ts';
import { pinnedVariables, pins } from '../../claude/launch/pinned-settings.ts';

interface Sessions {
  /** In which they are started. */
  modes: readonly string[];
  /** They have an editor of the bridge's. */
  isEdited: boolean;
}

interface Override {
  key: string;
  words: string;
}

/** Returns words like `` `editorMode` (the prompt has no vim mode), … ``; undefined when nothing is overridden. */
export function overriddenIn(settings: ClaudeSettings, sessions: Sessions): string | undefined {
  // What two keys have in common is said once.
  const byWords = Map.groupBy(overrides(settings, sessions), ({ words }) => words);
  const clauses = [...byWords].map(
    ([words, some]) => `${some.map(({ key }) => `\`${key}\``).join(' and ')} (${words})`,
  );
  return clauses.length > 0 ? clauses.join(', ') : undefined;
}

function overrides(settings: ClaudeSettings, { modes, isEdited }: Sessions): Override[] {
  const { level, pinned = {}, permissions, sandbox, env = {} } = settings;
  const { defaultMode } = permissions ?? {};
  const has = (when: boolean, key: string, words: string) => (when ? [{ key, words }] : []);
  const hasVariable = (name: string, words: string) => has(env[name] !== undefined, `env.${name}`, words);
  return [
    ...pins
      // The user's own switch is respected, and the check of the hooks has the words for it.
      .filter(({ key }) => key in pinned && !(key === 'disableAllHooks' && level === 'user'))
      .flatMap(({ key, value, words }) => has(pinned[key] !== value, key, words)),
    ...[...pinnedVariables, ...fixedVariables].flatMap(({ key, value, words }) =>
      has(env[key] !== undefined && env[key] !== value, `env.${key}`, words),
    ),
    ...has(
      defaultMode !== undefined && modes.some((mode) => modeName(mode) !== modeName(defaultMode)),
      'permissions.defaultMode',
      'sessions start in the mode of their profile',
    ),
    ...has(sandbox?.enabled === true, 'sandbox', 'it lets hooks through to the bridge'),
    ...['EDITOR', 'VISUAL'].flatMap((name) =>
      isEdited ? hasVariable(name, 'long messages come by an editor of the bridge') : [],
    ),
    ...Object.keys(env)
      .filter((name) => /_proxy$/i.test(name))
      .flatMap((name) => hasVariable(name, 'hooks go past a proxy')),
  ];
}

/** Returns the file whose sandbox Bash runs in unasked. @param settings all that hold in one folder */
export function unaskedSandbox(settings: readonly ClaudeSettings[]): string | undefined {
  const switched = settings.findLast(({ sandbox }) => sandbox?.enabled !== undefined);
  const asking = settings.findLast(({ sandbox }) => sandbox?.autoAllowBashIfSandboxed !== undefined);
  const isUnasked = switched?.sandbox?.enabled && asking?.sandbox?.autoAllowBashIfSandboxed !== false;
  return isUnasked ? switched.path : undefined;
}
