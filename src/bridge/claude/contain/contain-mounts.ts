// What a contained Claude Code sees of the machine: everything to read, its own to write, and of what reaches further nothing.
import { dirname, join } from 'node:path';
import { ContainLet } from '../../../protocol/settings/contain.ts';
import { lasting } from '../sandbox/sandbox-settings.ts';
import { holds, type Mount } from './contain-args.ts';
import type { Disk } from './disk.ts';
import { doors, type Surroundings } from './let-in.ts';
import type { PrivateClaude } from './private-claude.ts';

/** Absolute paths, by the configuration and the environment. */
export interface ContainAccess extends Surroundings {
  /** The bridge's own: nothing lets them in. */
  own: readonly string[];
  /** In those, what is the session's: its memory and the pictures of its messages. */
  memory: string;
  media: string;
  /** Keys and vaults: absent unless `write` names them. */
  secret: readonly string[];
  write: readonly string[];
  lets: readonly ContainLet[];
  /** Everything runs as root, whose files in `/proc` are settings of the kernel. */
  isRoot: boolean;
  /** Claude Code's own folder, and the file beside it. */
  claude: { folder: string; config: string };
}

export interface Room {
  access: ContainAccess;
  /** Work folder. */
  cwd: string;
  /** Programs that have to be there, wherever they lie. */
  programs: readonly string[];
  /** The session's; absent where nothing but a trial is to run. */
  own?: PrivateClaude;
}

/** In the home folder: what package managers keep. What they keep programs in (`~/.npm/_npx`) is left out. */
const caches = [
  ...['.npm/_cacache', '.npm/_logs', '.cargo/registry', '.cargo/git', '.m2/repository'],
  ...['.gradle/caches', 'go/pkg', '.local/share/pnpm/store', '.nuget/packages'],
];

/** In Claude Code's own folder, what it writes for itself: a contained one has its own. */
const runState = new Set([
  ...['projects', 'sessions', 'todos', 'tasks', 'plans', 'teams', 'jobs', 'ide', 'file-history'],
  ...['paste-cache', 'image-cache', 'shell-snapshots', 'session-env', 'history.jsonl', 'backups', 'cache'],
  ...['debug', 'logs', 'statsig', 'telemetry', 'usage-data', 'stats-cache.json', 'downloads', 'uploads'],
]);

/** What it signs in with: kept where the user has it, or nobody could sign in after a renewal. */
const signIn = ['.credentials.json', '.device-keys.json'];

/** Besides `lasting`: git runs programs that its configuration names, and Claude Code those of `.mcp.json`. */
const alsoLasting = ['.git/config', '.mcp.json'];

/**
 * Of root, and writable for it without any capability: through `sys/kernel/core_pattern` alone the kernel starts programs,
 * outside and as root. bubblewrap 0.8 closes only what it may write to itself. Claude Code's own sandbox cannot be made where
 * these are mounted, and as root never.
 */
const ofKernel = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'mtrr', 'acpi', 'scsi'];

/** Returns what is mounted, in no order. What is not there cannot be hidden, and is left out. */
export function containMounts(room: Room, disk: Disk): Mount[] {
  const { access } = room;
  const base = [...emptied(access, disk), ...needed(room, disk)];
  const work = [...writable(room, disk), ...claudeFolder(room, disk), ...workFolder(room.cwd, disk)];
  const open = ContainLet.options.filter((name) => access.lets.includes(name));
  const shut = ContainLet.options.filter((name) => !access.lets.includes(name));
  const secret = [...access.secret, ...shut.flatMap((name) => doors[name].places(access))];
  const within = open.flatMap((name) => doors[name].without?.(access) ?? []);
  const own = access.own.flatMap((path) => hidden(path, disk));
  const cwd = disk.real(room.cwd) ?? room.cwd;
  // Where the work folder lies in one of them, it is seen all the same.
  const isOwn = (path: string) =>
    own.some((each) => holds(each.path, path) && !(holds(each.path, cwd) && holds(cwd, path)));
  const kernel = access.isRoot ? ofKernel.map((name) => `/proc/${name}`) : [];
  return [
    ...kernel.flatMap((path) => shown(path, 'read', disk)),
    ...base,
    ...secret.flatMap((path) => hidden(path, disk)),
    ...work,
    ...open
      .flatMap((name) => [...doors[name].places(access), ...(doors[name].with?.(access) ?? [])])
      .flatMap((path) => shown(path, 'read', disk)),
    ...within.flatMap((path) => hidden(path, disk)),
    ...access.write.flatMap((path) => shown(path, 'write', disk)),
  ]
    .filter(({ path }) => !isOwn(path))
    .concat(own.filter(({ path }) => path !== cwd))
    .concat(holes(room, disk));
}

/** Folders in which programs leave sockets and files for each other. */
function emptied({ runtime, env, home }: ContainAccess, disk: Disk): Mount[] {
  const chosen = [env.TMPDIR, env.CLAUDE_CODE_TMPDIR, runtime].flatMap((path) =>
    folder(path, 'scratch', disk),
  );
  return [
    ...['/tmp', '/var/tmp'].flatMap((path) => folder(path, 'scratch', disk)),
    ...['/run', '/var/run'].flatMap((path) => folder(path, 'empty', disk)),
    ...chosen.filter(({ path }) => !holds(path, disk.real(home) ?? home)),
  ];
}

function folder(path: string | undefined, as: 'scratch' | 'empty', disk: Disk): Mount[] {
  const real = path && disk.real(path);
  return real && disk.kind(real) === 'folder' ? [{ path: real, as }] : [];
}

/** What lies in such a folder and has to be there: homes and programs of a test, resolv.conf, programs of NixOS. */
function needed({ access, programs }: Room, disk: Disk): Mount[] {
  const { home, env } = access;
  const gone = emptied(access, disk);
  const paths = [
    home,
    ...programs.flatMap((path) => [path, disk.real(path) ?? path]).flatMap((path) => [path, dirname(path)]),
    ...(env.PATH ?? '').split(':'),
    disk.real('/etc/resolv.conf') ?? '',
  ];
  return paths
    .filter((path) => path.startsWith('/') && disk.kind(path) !== undefined)
    .filter((path) => gone.some((each) => each.path !== path && holds(each.path, path)))
    .map((path) => ({ path, as: 'read' }));
}

function writable({ access: { home, env }, own }: Room, disk: Disk): Mount[] {
  const places = [env.XDG_CACHE_HOME, join(home, '.cache')]
    .flatMap((path) => folder(path, 'scratch', disk))
    .filter(({ path }) => !holds(path, disk.real(home) ?? home));
  return [
    ...places.map(
      ({ path }): Mount => (own ? { path, as: 'write', from: own.cache } : { path, as: 'scratch' }),
    ),
    ...caches.flatMap((name) => shown(join(home, name), 'write', disk)),
  ];
}

/** Its own folder there is the session's; of the user's it has the settings to read, and the transcripts of its folder. */
function claudeFolder({ access, own }: Room, disk: Disk): Mount[] {
  const path = disk.real(access.claude.folder);
  if (!own || !path) return [];
  const names = disk.names(path);
  const settings = names.filter((name) => !name.startsWith('.') && !runState.has(name));
  const mount = (name: string, as: 'read' | 'write'): Mount[] =>
    disk.kind(join(path, name)) === undefined ? [] : [{ path: join(path, name), as }];
  return [
    { path, as: 'write', from: own.claude },
    ...settings.flatMap((name) => mount(name, 'read')),
    ...signIn.flatMap((name) => mount(name, 'write')),
    ...own.projects.map((name): Mount => ({ path: join(path, name), as: 'write' })),
    ...own.closed.map((name): Mount => ({ path: join(path, name), as: 'read' })),
  ];
}

function workFolder(cwd: string, disk: Disk): Mount[] {
  const path = disk.real(cwd);
  if (!path) return [];
  // A link would have to be followed, and can be replaced: what it leads to is not written to, unless it is in the folder.
  const here = (name: string) =>
    disk.kind(join(path, name)) !== undefined && disk.real(join(path, name)) === join(path, name);
  const kept = [...lasting, ...alsoLasting].filter(here);
  const isRepository = here('.git') && disk.kind(join(path, '.git')) === 'folder';
  return [
    { path, as: 'write' },
    // A place where something is mounted cannot be renamed, and another be put there.
    ...(isRepository ? [{ path: join(path, '.git'), as: 'write' } as const] : []),
    ...kept.map((name): Mount => ({ path: join(path, name), as: 'read' })),
  ];
}

/** In the state folder, what is the session's. */
function holes({ access, own }: Room, disk: Disk): Mount[] {
  if (!own) return [];
  return [
    ...shown(own.dir, 'read', disk),
    ...shown(own.text, 'write', disk),
    ...shown(access.memory, 'write', disk),
    ...shown(access.media, 'read', disk),
  ];
}

function shown(path: string | undefined, as: 'read' | 'write', disk: Disk): Mount[] {
  const real = path && disk.real(path);
  return real ? [{ path: real, as }] : [];
}

function hidden(path: string | undefined, disk: Disk): Mount[] {
  const real = path && disk.real(path);
  return real ? [{ path: real, as: disk.kind(real) === 'folder' ? 'empty' : 'blank' }] : [];
}
