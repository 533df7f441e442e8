// What a contained Claude Code sees, on a disk that is made up.
import { expect, test } from 'vitest';
import { holds } from '../../../../src/bridge/claude/contain/contain-args.ts';
import {
  type ContainAccess,
  containMounts,
  type Room,
} from '../../../../src/bridge/claude/contain/contain-mounts.ts';
import type { Disk } from '../../../../src/bridge/claude/contain/disk.ts';
import { doors } from '../../../../src/bridge/claude/contain/let-in.ts';
import { ContainLet } from '../../../../src/protocol/settings/contain.ts';

const folders = [
  ...['/tmp', '/run', '/run/user/7', '/run/user/7/gnupg', '/run/dbus', '/home/u', '/home/u/.cache'],
  ...['/home/u/.cache/synthesis', '/home/u/.ssh', '/home/u/.gnupg', '/home/u/.aws', '/home/u/.claude'],
  ...['/home/u/.gnupg/private-keys-v1.d', '/home/u/.claude/skills', '/home/u/.claude/projects'],
  ...[
    '/home/u/.claude/projects/-w',
    '/home/u/.claude/sessions',
    '/home/u/notes',
    '/w',
    '/w/.git',
    '/w/.git/hooks',
  ],
  ...[
    '/state',
    '/state/s1',
    '/state/s1/text',
    '/state/memory',
    '/state/media',
    '/home/u/build',
    '/etc',
    '/proc/sys',
    '/tmp/bin',
    '/run/sw/bin',
  ],
];
const files = [
  ...[
    '/proc/mtrr',
    '/tmp/bin/claude',
    '/run/docker.sock',
    '/run/user/7/bus',
    '/home/u/.config.json',
    '/home/u/.claude/settings.json',
  ],
  ...['/home/u/.claude/.credentials.json', '/home/u/.claude/history.jsonl', '/w/.git/config', '/w/CLAUDE.md'],
  ...['/run/resolv.conf', '/home/u/agent.sock', '/home/u/.ssh/known_hosts'],
];
const links: Record<string, string> = { '/etc/resolv.conf': '/run/resolv.conf', '/w/.claude': '/elsewhere' };

const disk: Disk = {
  real: (path) => {
    const real = links[path] ?? path;
    return folders.includes(real) || files.includes(real) ? real : undefined;
  },
  kind: (path) =>
    folders.includes(path) ? 'folder' : files.includes(links[path] ?? path) ? 'file' : undefined,
  names: (path) =>
    [...folders, ...files].flatMap((each) => {
      const rest = each.slice(path.length + 1);
      return each.startsWith(`${path}/`) && !rest.includes('/') ? [rest] : [];
    }),
};

const access: ContainAccess = {
  home: '/home/u',
  runtime: '/run/user/7',
  env: { PATH: '/usr/bin:/run/sw/bin', SSH_AUTH_SOCK: '/home/u/agent.sock' },
  own: ['/state', '/home/u/.config.json', '/home/u/.cache/synthesis', '/run/user/7/synthesis'],
  memory: '/state/memory',
  media: '/state/media',
  secret: ['/home/u/.ssh', '/home/u/.gnupg', '/home/u/.aws', '/home/u/.nothing', '/home/u/notes'],
  write: [],
  lets: [],
  isRoot: false,
  claude: { folder: '/home/u/.claude', config: '/home/u/.claude.json' },
};
const own = {
  dir: '/state/s1',
  claude: '/state/s1/claude',
  text: '/state/s1/text',
  cache: '/state/s1/cache',
  projects: ['projects/-w'],
  closed: ['projects/-w/memory'],
};

/** How a path is seen: by the nearest mount. */
function seen(more: Partial<ContainAccess> = {}, room: Partial<Room> = {}) {
  const mounts = containMounts(
    { access: { ...access, ...more }, cwd: '/w', programs: [], own, ...room },
    disk,
  );
  const last = [...new Map(mounts.map((mount) => [mount.path, mount])).values()];
  return (path: string) =>
    last
      .filter((mount) => holds(mount.path, path))
      .sort((one, other) => one.path.length - other.path.length)
      .at(-1)?.as ?? 'read';
}

test.each([
  ...['/state/token', '/state/journal.db', '/home/u/.config.json'],
  ...['/home/u/.ssh/id', '/home/u/.gnupg/x', '/home/u/.aws/x', '/home/u/notes/a.md', '/home/u/agent.sock'],
  ...[
    '/run/docker.sock',
    '/run/dbus/x',
    '/run/user/7/bus',
    '/run/user/7/synthesis/1.sock',
    '/tmp/tmux-7/default',
  ],
])('%s is not there', (path) => {
  expect(['empty', 'blank', 'scratch']).toContain(seen()(path));
});

test.each<[string, string]>([
  ['/w/x', 'write'],
  ['/w/.git/objects/x', 'write'],
  ['/state/memory/x', 'write'],
  ['/state/s1/text/x', 'write'],
  ['/home/u/.cache/x', 'write'],
  ['/home/u/.claude/todos/x', 'write'],
  ['/home/u/.claude/projects/-w/x', 'write'],
  ['/home/u/.claude/.credentials.json', 'write'],
  ['/home/u/.bashrc', 'read'],
  ['/home/u/.claude/settings.json', 'read'],
  ['/home/u/.claude/projects/-w/memory/MEMORY.md', 'read'],
  ['/home/u/.claude/skills/x', 'read'],
  ['/w/.git/hooks/x', 'read'],
  ['/w/.git/config', 'read'],
  ['/w/CLAUDE.md', 'read'],
  ['/state/s1/settings.json', 'read'],
  ['/state/media/x', 'read'],
  ['/run/resolv.conf', 'read'],
])('%s is there to %s', (path, as) => {
  expect(seen()(path)).toBe(as);
});

test.each(ContainLet.options)('%s is let in alone, and its price is said', (name) => {
  const places = (each: ContainLet) =>
    doors[each].places(access).filter((path) => path !== undefined && disk.real(path) !== undefined);
  const look = seen({ lets: [name] });
  for (const each of ContainLet.options)
    for (const path of places(each))
      expect([path, look(String(path)) === 'read']).toEqual([path, each === name]);
  expect(doors[name].price).toMatch(new RegExp(`^${name}: .*\\.$`));
});

test('a key stays out where its agent is let in', () => {
  expect(seen({ lets: ['gpg'] })('/home/u/.gnupg/private-keys-v1.d/x')).toBe('empty');
  const look = seen({ lets: ['ssh-agent'] });
  expect([look('/home/u/.ssh/known_hosts'), look('/home/u/.ssh/id')]).toEqual(['read', 'empty']);
});

test('what the configuration opens is open, but for what is the bridge’s', () => {
  const look = seen({
    write: ['/home/u/build', '/home/u/notes', '/state', '/state/s1', '/home/u/.config.json'],
  });
  expect([look('/home/u/build/x'), look('/home/u/notes/x')]).toEqual(['write', 'write']);
  expect([look('/state/token'), look('/state/s1/x'), look('/home/u/.config.json')]).toEqual([
    'empty',
    'read',
    'blank',
  ]);
  // Nor by a folder around it.
  expect(seen({ write: ['/', '/home/u'] })('/state/token')).toBe('empty');
  expect(seen({ write: ['/home/u'] })('/home/u/.ssh/id')).toBe('empty');
});

test('a vault that is the work folder is worked in', () => {
  expect(seen({ secret: ['/w'] })('/w/x')).toBe('write');
  expect(seen({ secret: ['/w'] }, { cwd: '/w' })('/w/.git/hooks/x')).toBe('read');
});

test('as root, and only then, the settings of the kernel are closed', () => {
  const closed = (isRoot: boolean) =>
    containMounts({ access: { ...access, isRoot }, cwd: '/w', programs: [], own }, disk)
      .filter(({ path, as }) => path.startsWith('/proc/') && as === 'read')
      .map(({ path }) => path);
  // What is mounted in /proc keeps Claude Code's own sandbox from being made.
  expect([closed(false), closed(true)]).toEqual([[], ['/proc/sys', '/proc/mtrr']]);
});

test('programs that lie where everything else is absent are there, and so is what PATH names', () => {
  const look = seen({}, { programs: ['/tmp/bin/claude'] });
  expect(['/tmp/bin/claude', '/run/sw/bin/git', '/tmp/other', '/run/sw/x'].map(look)).toEqual([
    'read',
    'read',
    'scratch',
    'empty',
  ]);
  expect(seen()('/tmp/bin/claude')).toBe('scratch');
  expect(seen({ home: '/home/u', env: { TMPDIR: '/home' } })('/home/u/.bashrc')).toBe('read');
});
