// All of Claude Code in bubblewrap, with the real one: what its shell tries to leave by, each also outside, where it works, or
// the try would prove nothing; and that ordinary work goes on inside.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeIn } from '../support/code-in.ts';
import { Pty } from '../support/pty.ts';
import { until } from '../support/until.ts';
import { stateDirOf } from './support/bridge.ts';
import { runs } from './support/processes.ts';
import { usesTools } from './support/using-model.ts';
import { WatchedWorld } from './support/watched-world.ts';
import { World } from './support/world.ts';

const program = resolve(import.meta.dirname, '../../bin/synthesis.js');
const config = {
  contain: 'required',
  profiles: [
    { match: 'outside', contain: 'off' },
    { match: 'let', contain: 'required', containLet: ['bus'], containWrite: ['~/shared'] },
    { match: 'boxed', sandbox: 'required' },
  ],
  policy: [
    { session: 'asks', decision: 'ask' },
    { tool: 'Bash', decision: 'allow' },
  ],
};

let world: WatchedWorld;
let state: string;
let shell: Pty;
const tmux = `contain-${process.pid}`;
const listening: Server[] = [];
const home = (...path: string[]) => join(world.home.path, ...path);
const work = (...path: string[]) => join(world.cwd, ...path);
const bridge = () =>
  JSON.parse(readFileSync(join(state, 'bridge.json'), 'utf8')) as {
    pid: number;
    url: string;
    control: string;
  };

async function listen(path: string): Promise<void> {
  const server = createServer((peer) => peer.end()).listen(path);
  await once(server, 'listening');
  listening.push(server);
}

beforeAll(async () => {
  world = await WatchedWorld.start('contain', { config });
  state = stateDirOf(world.home.path);
  usesTools(world.api);
  const files = [
    '.ssh/id',
    '.gnupg/key',
    '.aws/credentials',
    '.config/gh/hosts.yml',
    '.bashrc',
    '.local/bin/tool',
  ];
  for (const file of [
    ...files,
    '.claude/settings.json',
    '.claude/skills/mine',
    '.claude/projects/-other/x.jsonl',
  ]) {
    mkdirSync(home(file, '..'), { recursive: true });
    writeFileSync(home(file), file.endsWith('.json') ? '{}' : 'MINE');
  }
  mkdirSync(home('shared'));
  mkdirSync(home('.npm/_cacache'), { recursive: true });
  for (const name of ['CLAUDE.md', '.mcp.json']) writeFileSync(work(name), '{}');
  execFileSync('git', ['init', '-q', world.cwd]);
  await listen(home('run/bus'));
  await listen(home('agent.sock'));
  // A window that is the user's own, and a shell that is.
  execFileSync('tmux', ['-L', tmux, '-f', '/dev/null', 'new-session', '-d', 'cat']);
  shell = new Pty(['/bin/sh', '-c', 'tty; exec cat'], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    cols: 80,
    rows: 24,
  });
  await until('its terminal', () => /\/dev\/pts\/\d+/.test(shell.raw));
});
afterAll(async () => {
  for (const server of listening) server.close();
  execFileSync('tmux', ['-L', tmux, 'kill-server']);
  shell?.type('\x03');
  await world?.[Symbol.asyncDispose]();
});

/** Lets the Claude of a chat run a script, and returns what it printed. */
async function script(chat: string, name: string, text: string): Promise<string> {
  writeFileSync(work(name), text);
  const use = { command: `sh ${name} >${chat}-${name}.out 2>&1`, description: 'Try it' };
  await world.ask(chat, `use Bash ${JSON.stringify(use)}`);
  return readFileSync(work(`${chat}-${name}.out`), 'utf8');
}

const node = (source: string) => `${process.execPath} -e ${JSON.stringify(source)}`;
const dial = (where: string) =>
  node(
    `require('net').connect(${JSON.stringify(where)}).on('connect', () => process.exit(0)).on('error', () => process.exit(1))`,
  );
const reads = (path: string) => `[ -s '${path}' ] && cat '${path}' >/dev/null`;
const appends = (path: string) => `echo '# x' >>'${path}'`;

/** What is tried, as a command that ends with 0 when it worked. `inside`: outside it does not work, or to root alone, and is not tried. */
const ways: Record<string, { try: () => string; inside?: true }> = {
  'reads the token': { try: () => reads(join(state, 'token')) },
  'reads the secret of the hosts': { try: () => reads(join(state, 'secrets/hosts')) },
  'reads the journal': { try: () => reads(join(state, 'journal.db')) },
  'reads the configuration': { try: () => reads(home('.config/synthesis/config.json')) },
  'reads keys of ssh': { try: () => reads(home('.ssh/id')) },
  'reads keys of gpg': { try: () => reads(home('.gnupg/key')) },
  'reads keys of AWS': { try: () => reads(home('.aws/credentials')) },
  'reads the token of gh': { try: () => reads(home('.config/gh/hosts.yml')) },
  'reads the transcript of another folder': { try: () => reads(home('.claude/projects/-other/x.jsonl')) },
  'reads the token by the root of the first process': {
    try: () => reads(`/proc/1/root${join(state, 'token')}`),
    inside: true,
  },
  'opens a setting of the kernel to write': {
    try: () => 'exec 3>>/proc/sys/kernel/core_pattern',
    inside: true,
  },
  'connects to the control socket': { try: () => dial(bridge().control) },
  'connects to the socket of a host': { try: () => dial(hostSocket()) },
  'connects to the session bus': { try: () => dial(home('run/bus')) },
  'opens a window in the user’s tmux': { try: () => `tmux -L ${tmux} new-window -d true` },
  'types into the user’s tmux': { try: () => `tmux -L ${tmux} send-keys x` },
  'writes on the user’s terminal': { try: () => `[ -c ${ttyOf()} ] && echo boo >${ttyOf()}` },
  'looks into the memory of the user’s shell': { try: () => `exec 3</proc/${shell.pid}/mem` },
  'signals the user’s shell': { try: () => `kill -0 ${shell.pid}` },
  'signals the bridge': { try: () => `kill -0 ${bridge().pid}` },
  'sees the bridge': { try: () => `grep -aq synthesis /proc/${bridge().pid}/cmdline` },
  'changes what the shell starts with': { try: () => appends(home('.bashrc')) },
  'adds something the shell starts with': { try: () => appends(home('.profile')) },
  'replaces a program of the user': { try: () => appends(home('.local/bin/tool')) },
  'adds a program': { try: () => appends(home('.local/bin/ls')) },
  'changes this program': { try: () => `[ -w ${program} ]`, inside: true },
  'changes the user’s settings of Claude Code': {
    try: () => `cp ${home('.claude/settings.json')} x && cp x ${home('.claude/settings.json')}`,
  },
  'changes a skill of the user': { try: () => appends(home('.claude/skills/mine')) },
  'adds a hook of git': { try: () => appends('.git/hooks/post-commit') },
  'changes the configuration of git': { try: () => 'git config core.fsmonitor evil' },
  'puts another repository in its place': { try: () => 'mv .git .old && mv .old .git' },
  'changes what Claude Code is told in this folder': {
    try: () => `mkdir -p ${memoryOf()} && echo x >>${memoryOf()}/MEMORY.md`,
  },
  'changes CLAUDE.md': { try: () => appends('CLAUDE.md') },
  'changes .mcp.json': { try: () => 'cp .mcp.json x && cp x .mcp.json' },
  'gains a right by a program that has one': { try: () => "grep -q 'NoNewPrivs:.0' /proc/self/status" },
  'makes the system writable': { try: () => 'mount -o remount,rw /', inside: true },
  'takes away what hides the state folder': { try: () => `umount ${state}`, inside: true },
  'the same in a namespace of its own': {
    try: () => `unshare -Urm sh -c 'umount ${state} || umount -l ${state}'`,
    inside: true,
  },
  'answers a question': {
    try: () => `${process.execPath} ${program} approve ${asked} -y --state-dir ${state}`,
    inside: true,
  },
  'says yes by the port, as the chat': {
    try: () =>
      `curl -sf -m 5 -H "Authorization: Bearer $(cat ${join(state, 'token')})" -H 'x-synthesis-session: asks' -H 'content-type: application/json' -d '{"model":"claude","messages":[{"role":"user","content":"yes ${asked}"}]}' ${bridge().url}/v1/chat/completions`,
    inside: true,
  },
};

let asked = '';
const memoryOf = () => home('.claude/projects', world.cwd.replaceAll(/[^A-Za-z0-9]/g, '-'), 'memory');
const ttyOf = () => /\/dev\/pts\/\d+/.exec(shell.raw)?.[0] ?? '/dev/none';
const hostSocket = (): string => {
  const folders = readdirSync(join(state, 'sessions')).map((name) =>
    join(state, 'sessions', name, 'host.json'),
  );
  return JSON.parse(readFileSync(folders.find((file) => existsSync(file)) ?? '', 'utf8')).socket;
};
const tries = (where: 'inside' | 'outside') =>
  Object.values(ways)
    .map((way, at) =>
      where === 'outside' && way.inside
        ? ''
        : `if (${way.try()}) >/dev/null 2>&1 </dev/null; then echo "way ${at}: worked"; else echo "way ${at}: failed"; fi`,
    )
    .join('\n');
const worked = (said: string): string[] =>
  Object.keys(ways).filter((_, at) => new RegExp(`^way ${at}: worked$`, 'm').test(said));

test('whatever its shell tries to leave by fails inside, and works outside', async () => {
  const question = await world.ask(
    'asks',
    `use Bash ${JSON.stringify({ command: `touch ${work('asked.txt')}` })}`,
  );
  asked = codeIn(question);
  expect(asked, question).not.toBe('');
  const before = Object.fromEntries(
    ['.bashrc', '.local/bin/tool'].map((name) => [name, readFileSync(home(name), 'utf8')]),
  );
  const inside = await script('inside', 'ways.sh', tries('inside'));
  expect(inside.match(/^way \d+: /gm)).toHaveLength(Object.keys(ways).length);
  expect(worked(inside)).toEqual([]);
  for (const [name, text] of Object.entries(before)) expect(readFileSync(home(name), 'utf8')).toBe(text);
  expect(
    [home('.profile'), home('.local/bin/ls'), work('.git/hooks/post-commit'), work('asked.txt')].filter(
      existsSync,
    ),
  ).toEqual([]);
  const outside = await script('outside', 'ways.sh', tries('outside'));
  const possible = Object.entries(ways).filter(([, way]) => !way.inside);
  expect(worked(outside)).toEqual(possible.map(([name]) => name));
  await world.command('deny', asked);
}, 180_000);

test('ordinary work goes on: files, git, node, a server of its own, caches, its memory', async () => {
  const memory = JSON.parse(await world.command('inspect', 'inside', '--json')).memory as string;
  const lines = [
    'echo content > file.txt && sed -i s/content/changed/ file.txt && cat file.txt',
    'git add file.txt && git -c user.name=n -c user.email=e@e commit -qm first && git log --oneline | wc -l',
    node('console.log("node " + (1 + 1))'),
    `${node('require("http").createServer((_, a) => a.end("SERVED")).listen(28123, "127.0.0.1"); setTimeout(() => process.exit(), 8000)')} & for i in 1 2 3 4 5 6 7 8 9; do curl -sf http://127.0.0.1:28123/ && break; sleep 0.3; done`,
    `mkdir -p ~/.cache/tool && echo cached > ~/.cache/tool/x && cat ~/.cache/tool/x`,
    `echo remembered > ${memory}/note.md`,
    'mktemp && python3 -c "import os; print(len([p for p in os.listdir(\'/proc\') if p.isdigit()]) < 20)"',
  ];
  const said = await script('inside', 'work.sh', lines.join('\n'));
  for (const words of ['changed', '1', 'node 2', 'SERVED', 'cached', '/tmp/', 'True'])
    expect(said).toContain(words);
  expect(readFileSync(work('file.txt'), 'utf8')).toBe('changed\n');
  // The user's shell may run what lies in the user's own.
  expect(existsSync(home('.cache/tool'))).toBe(false);
  expect(readFileSync(join(memory, 'note.md'), 'utf8')).toBe('remembered\n');
});

test('what is let in is reached, and nothing else is', async () => {
  const lines = [
    dial(home('run/bus')),
    appends(home('shared/x')),
    dial(bridge().control),
    reads(home('.ssh/id')),
  ];
  const said = await script(
    'let',
    'let.sh',
    lines.map((each) => `(${each}) 2>/dev/null && echo yes || echo no`).join('\n'),
  );
  expect(said.trim().split('\n')).toEqual(['yes', 'yes', 'no', 'no']);
});

test('what is not held is as the documentation admits it', async () => {
  const [abstract, port] = [
    `contain-${process.pid}`,
    createServer((peer) => peer.end()).listen(0, '127.0.0.1'),
  ];
  await once(port, 'listening');
  listening.push(port);
  await listen(`\0${abstract}`);
  const lines = {
    'abstract sockets': node(
      `require('net').connect('\\0' + '${abstract}').on('connect', () => process.exit(0)).on('error', () => process.exit(1))`,
    ),
    ports: node(
      `require('net').connect(${(port.address() as AddressInfo).port}, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(1))`,
    ),
    'Sockets elsewhere': dial(home('agent.sock')),
    '`.git/commondir`': 'touch .git/commondir && rm .git/commondir',
    '`package.json`': 'echo {} >package.json',
    cache: 'touch ~/.npm/_cacache/filled',
  };
  const said = await script(
    'inside',
    'admits.sh',
    Object.values(lines)
      .map((each) => `(${each}) && echo yes || echo no`)
      .join('\n'),
  );
  expect(said.trim().split('\n')).toEqual(Object.keys(lines).map(() => 'yes'));
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/reference/config.md'), 'utf8');
  const [, admitted = ''] = /\*\*What it does not hold\.\*\*(.+)/.exec(page) ?? [];
  for (const words of Object.keys(lines)) expect(admitted).toContain(words);
});

test('Claude Code’s own sandbox works inside, or is refused in words where it cannot', async () => {
  const command = {
    command: `touch in.txt; touch ${home('out.txt')}; (echo >/dev/tcp/127.0.0.1/${new URL(bridge().url).port}) && echo REACHED`,
    description: 'Try it',
  };
  const said = await world.ask('boxed', `use Bash ${JSON.stringify(command)}`);
  if (process.getuid?.() === 0)
    expect(said).toContain('cannot make a sandbox where Claude Code is contained');
  else {
    expect([existsSync(work('in.txt')), existsSync(home('out.txt'))]).toEqual([true, false]);
    expect(said).not.toContain('REACHED');
  }
});

/** Leaves a loop behind that has taken the mark of its run off, and is a session of its own. */
async function leaves(chat: string): Promise<string> {
  const loop = `${chat}-loop.sh`;
  writeFileSync(work(loop), `while :; do date >${work(`${chat}.beat`)}; sleep 0.2; done`);
  await script(
    chat,
    'leave.sh',
    `env -i PATH="$PATH" setsid --fork sh ${work(loop)} >/dev/null 2>&1 </dev/null`,
  );
  await until('the loop', () => runs(work(loop)));
  return work(loop);
}

test('what is left behind ends with its Claude Code, with a killed host, and by a panic', async () => {
  const first = await leaves('inside');
  await world.command('stop', 'inside');
  await until('its end', () => !runs(first));

  const second = await leaves('inside');
  const rows = JSON.parse(await world.command('ps', '--json')) as { key: string; pid: number }[];
  const { pid = 0 } = rows.find(({ key }) => key === 'inside') ?? {};
  const host = Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  expect(readFileSync(`/proc/${host}/cmdline`, 'utf8')).toContain('host');
  process.kill(host, 'SIGKILL');
  await until('its end', () => !runs(second));

  const third = await leaves('inside');
  await world.command('panic');
  expect([runs(third), runs(`${basename(world.home.path)}/state/sessions`)]).toEqual([false, false]);
}, 120_000);

test('a contained Claude Code goes on with the next bridge, is resumed after a restart, and takes long messages', async () => {
  await using other = await World.start('contained', { config: { contain: 'required' } });
  other.api.on('remember', (answer, { body }) => answer.text(`there are ${body.messages.length} messages`));
  expect(await other.bridge.ask('c', 'remember me')).toMatch(/there are \d+ messages/);
  const pidOf = async (): Promise<number> => JSON.parse(await other.bridge.command('ps', '--json'))[0].pid;
  const before = await pidOf();
  await other.crash();
  expect(await other.bridge.ask('c', 'hello again')).toContain('hello again');
  expect(await pidOf()).toBe(before);
  const long = `${'a line of a long text\n'.repeat(4_000)}THE END`;
  expect(await other.bridge.ask('c', long)).toContain('THE END');
  await other.bridge.command('restart', 'c');
  expect(await pidOf()).not.toBe(before);
  const [, count] = /there are (\d+) messages/.exec(await other.bridge.ask('c', 'remember me')) ?? [];
  expect(Number(count)).toBeGreaterThan(4);
  const rows = JSON.parse(await other.bridge.command('ps', '--json'));
  expect(rows[0]).toMatchObject({ contain: 'required', health: [] });
}, 120_000);
