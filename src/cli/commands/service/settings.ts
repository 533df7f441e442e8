// What a service is made of. It is kept in the unit or agent, so that a second `install` changes only what it is told to.
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';

export const ServiceSettings = z.object({
  /** Release that made the unit. */
  version: z.string(),
  /** Absolute paths: Node, and the program that it runs. */
  node: z.string(),
  program: z.string(),
  /** Absolute path of Claude Code; null when none was found. */
  claude: z.string().nullable(),
  home: z.string(),
  /** Working folder of sessions, unless the configuration names one. */
  cwd: z.string(),
  stateDir: z.string(),
  /** What of the environment the service is to have as well. */
  env: z.record(z.string(), z.string()),
  /** Kind of session that launchd keeps it in; left out for the one at the screen, and for systemd. */
  session: z.literal('Background').optional(),
});
export type ServiceSettings = z.infer<typeof ServiceSettings>;

/** They choose folders and settings. None holds a secret: a unit is no place for one. */
const carried = [
  'SYNTHESIS_HOME',
  'SYNTHESIS_PORT',
  'SYNTHESIS_CLAUDE',
  'SYNTHESIS_CWD',
  'SYNTHESIS_PERMISSION_MODE',
  'SYNTHESIS_DELIVERY',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'CLAUDE_CONFIG_DIR',
];

type Env = Readonly<Record<string, string | undefined>>;

export const carriedOf = (env: Env): Record<string, string> =>
  Object.fromEntries(carried.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));

/** The PATH of a manager is poor: Node and Claude Code are found where they were at the install. */
export const pathOf = ({ node, claude, home }: ServiceSettings): string =>
  [
    ...new Set([
      dirname(node),
      ...(claude === null ? [] : [dirname(claude)]),
      join(home, '.local/bin'),
      '/usr/local/bin',
      '/usr/bin',
      '/bin',
    ]),
  ]
    .filter((dir) => isAbsolute(dir) && !dir.includes(delimiter))
    .join(delimiter);

/** Arguments of Node. A service asks nothing, and its restart cuts nothing. */
export const argumentsOf = ({ program, stateDir }: ServiceSettings): string[] => [
  program,
  'up',
  '--quiet',
  '--on-exit',
  'keep',
  '--state-dir',
  stateDir,
];
