// The folder that a contained Claude Code has for its own: at `~/.claude` inside, in the session's folder outside. What it, or
// its shell, writes there reaches no Claude Code but the session's.
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { claimDirectory } from '../../../base/files/own-path.ts';
import { readPrivate, writePrivate } from '../../../base/files/private-file.ts';
import { transcriptFor, transcriptOf } from '../transcripts.ts';
import { claimTextFolder } from './text-folder.ts';

/** What a resumed conversation may want of it. Everything else is made anew at each start. */
const kept = new Set(['tasks', 'todos', 'plans', 'file-history', 'paste-cache', 'history.jsonl']);

/** Claude Code puts a sum behind names that are longer (2.1.332). */
const longestName = 200;

const configFile = '.claude.json';

export interface PrivateClaude {
  dir: string;
  claude: string;
  text: string;
  /** What stands at `~/.cache`: shells and git hooks run what lies in the user's. It stays for the next start. */
  cache: string;
  /** Folders of its transcripts, in Claude Code's own folder of the user. */
  projects: string[];
  /** In those, what every Claude Code of the folder is told: to read alone, unless it is this session's memory, too. */
  closed: string[];
}

export interface Contained {
  /** Id of its Claude session. */
  claude: string;
  /** Without links. */
  cwd: string;
  /** It goes on with a conversation; else nothing of the one before is kept. */
  resumes: boolean;
  sharesMemory: boolean;
}

/**
 * Makes it as it is at a start.
 * @param dir the session's @param user Claude Code's own folder of the user, and the file beside it
 * @throws UnsafePathError, or the system's error
 */
export function privateClaude(
  dir: string,
  user: { folder: string; config: string },
  { claude: id, cwd, resumes, sharesMemory }: Contained,
): PrivateClaude {
  const text = claimTextFolder(dir);
  const claude = claimDirectory(join(dir, 'contain', 'claude'));
  const cache = claimDirectory(join(dir, 'contain', 'cache'));
  const before = configIn(() => readPrivate(join(claude, configFile)));
  for (const name of readdirSync(claude)) {
    const path = join(claude, name);
    // A link in the place of a folder would have bubblewrap make places where it leads.
    if (!resumes || !kept.has(name) || lstatSync(path).isSymbolicLink())
      rmSync(path, { recursive: true, force: true });
  }
  writePrivate(
    join(claude, configFile),
    JSON.stringify(
      merged(
        configIn(() => readFileSync(user.config, 'utf8')),
        before,
        cwd,
      ),
    ),
  );
  const projects = projectsOf(user.folder, id, cwd);
  const closed = sharesMemory
    ? []
    : projects.filter((name) => name !== 'projects').map((name) => join(name, 'memory'));
  for (const name of closed) mkdirSync(join(user.folder, name), { recursive: true, mode: 0o700 });
  return { dir, claude, text, cache, projects, closed };
}

type Config = Record<string, unknown>;

/** The user's own, with what was said inside of trust in this folder. Nothing else that was written there counts. */
function merged(user: Config, before: Config, cwd: string): Config {
  if (!isTrusted(before, cwd)) return user;
  const projects = objectOf(user.projects);
  return {
    ...user,
    projects: { ...projects, [cwd]: { ...objectOf(projects[cwd]), hasTrustDialogAccepted: true } },
  };
}

const isTrusted = ({ projects }: Config, cwd: string): boolean =>
  objectOf(objectOf(projects)[cwd]).hasTrustDialogAccepted === true;

const objectOf = (value: unknown): Config =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Config) : {};

/** What is not there, or cannot be read as one, says nothing. */
function configIn(read: () => string | undefined): Config {
  try {
    return objectOf(JSON.parse(read() ?? ''));
  } catch {
    return {};
  }
}

function projectsOf(folder: string, id: string, cwd: string): string[] {
  const own = dirname(transcriptFor(folder, id, cwd));
  // Where it began in another folder, it is resumed from there.
  const old = transcriptOf(folder, id);
  const isLong = own.length - dirname(own).length - 1 > longestName;
  const found = isLong ? [dirname(own)] : [own, ...(old === undefined ? [] : [dirname(old)])];
  for (const path of found) mkdirSync(path, { recursive: true, mode: 0o700 });
  return [...new Set(found)].map((path) => relative(folder, path));
}
