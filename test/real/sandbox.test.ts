// Claude Code's own sandbox, as the bridge switches it on: each key by what a command in it cannot do, the questions that
// stay, and what is said where there can be none.

import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { stateDirOf } from './support/bridge.ts';
import { isolatedHome } from './support/isolated-home.ts';
import { usesTools } from './support/using-model.ts';
import { WatchedWorld } from './support/watched-world.ts';

/** Of the user's own settings: what a session is started with wins over each. */
const opposite = {
  autoAllowBashIfSandboxed: true,
  allowUnsandboxedCommands: true,
  allowNestedUserNamespaces: true,
  network: { allowAllUnixSockets: true },
  filesystem: { disabled: true },
};

const program = resolve(import.meta.dirname, '../../bin/synthesis.js');
const config = {
  sandbox: 'required',
  profiles: [
    { match: 'loose*', sandbox: 'on' },
    { match: 'outside', sandbox: 'off' },
  ],
  policy: [
    { session: '*free', sandboxed: true, decision: 'allow', reason: 'nothing leaves the sandbox' },
    // What is tried is what works without a sandbox.
    { session: 'outside', tool: 'Bash', decision: 'allow' },
  ],
};

let world: WatchedWorld;
let state: string;
let allowed: Server;
const allowedHost = () => `127.0.0.1:${(allowed.address() as AddressInfo).port}`;
const home = (...path: string[]) => join(world.home.path, ...path);
const work = (...path: string[]) => join(world.cwd, ...path);

beforeAll(async () => {
  allowed = createHttpServer((_, answer) => answer.end('ALLOWED')).listen(0, '127.0.0.1');
  await once(allowed, 'listening');
  const hosts = { match: 'hosts-free', allowedDomains: [allowedHost()] };
  world = await WatchedWorld.start('sandbox', {
    config: { ...config, profiles: [...config.profiles, hosts] },
  });
  state = stateDirOf(world.home.path);
  await world.home.directory('.claude');
  writeFileSync(home('.claude/settings.json'), JSON.stringify({ sandbox: opposite }));
  usesTools(world.api);
  for (const folder of ['.ssh', '.aws', '.config/gh', '.gnupg']) {
    await world.home.directory(folder);
    writeFileSync(home(folder, 'secret'), 'MARKED');
  }
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  allowed.close();
});

/** Lets the Claude of a chat run a command. @returns what the chat read: what came of it, or a question */
const run = (chat: string, command: string, more: object = {}): Promise<string> =>
  world.ask(chat, `use Bash ${JSON.stringify({ command, description: 'Try it', ...more })}`);

/** The same as a script, which nothing but the sandbox looks into. */
function script(chat: string, text: string): Promise<string> {
  writeFileSync(work('try.sh'), text);
  return run(chat, 'sh try.sh');
}

const node = (source: string) => `${process.execPath} -e ${JSON.stringify(source)}`;
const dial = (where: string) =>
  node(
    `require('node:net').connect(${where}).on('connect', () => end('REACHED')).on('error', (e) => end('FAILED ' + e.code)); const end = (said) => { console.log(said); process.exit(); }`,
  );

const ruled = (chat: string) => world.events(chat, 'policy.ruled');
const asked = (chat: string) => world.events(chat, 'permission.asked');

test('a command that a rule allows in the sandbox runs unasked, and the trail says why', async () => {
  expect(await run('free', 'echo hello from inside')).toContain('hello from inside');
  await until('the row', () => ruled('free').length > 0, 10_000);
  expect(asked('free')).toEqual([]);
  expect(ruled('free')).toMatchObject([
    { verdict: 'allow', rule: 'rule 1 (allow), as it runs in the sandbox: nothing leaves the sandbox' },
  ]);
  const [row] = JSON.parse(await world.command('ps', '--json'));
  expect(row).toMatchObject({ key: 'free', sandbox: 'required' });
  expect(row.health).not.toContainEqual(expect.objectContaining({ code: 'sandbox_unavailable' }));
  expect(await world.command('inspect', 'free')).toMatch(/^sandbox +required$/m);
});

test('it writes in its folder, and nowhere else', async () => {
  const said = await script('free', `echo inside > in.txt; echo outside > ${home('out.txt')}`);
  expect(said).toContain('Read-only file system');
  expect([existsSync(work('in.txt')), existsSync(home('out.txt'))]).toEqual([true, false]);
  await run('outside', 'sh try.sh');
  expect(existsSync(home('out.txt'))).toBe(true);
});

test('it does not read keys, the token, the configuration or anything else of the state folder', async () => {
  const secrets = ['.ssh', '.aws', '.config/gh', '.gnupg'].map((folder) => home(folder, 'secret'));
  const files = [
    ...secrets,
    join(state, 'token'),
    join(state, 'journal.db'),
    home('.config/synthesis/config.json'),
  ];
  for (const file of files) expect(existsSync(file)).toBe(true);
  const said = await script('free', files.map((file) => `cat '${file}' && echo READ`).join('\n'));
  expect(said).not.toMatch(/MARKED|READ/);
  expect((await run('outside', 'sh try.sh')).split('READ')).toHaveLength(files.length + 1);
  expect(said).not.toContain(readFileSync(join(state, 'token'), 'utf8').trim());
});

test('it reaches neither a port of this machine, nor another host, nor a socket', async () => {
  const { control, url } = JSON.parse(readFileSync(join(state, 'bridge.json'), 'utf8'));
  const socket = home('run/other.sock');
  const server = createServer((peer) => peer.end()).listen(socket);
  const port = new URL(url).port;
  const curl = `curl -sS -m 5 -o /dev/null -w '%{http_code}\n'`;
  const dials = [dial(`${port}, '127.0.0.1'`), dial(JSON.stringify(socket)), dial(JSON.stringify(control))];
  const outside = await script('outside', dials.join('\n'));
  const fetches = [
    `${curl} ${url}/v1/models || echo REFUSED`,
    `${curl} -x "$http_proxy" --noproxy '' ${url}/v1/models`,
    `${curl} -x "$http_proxy" http://example.com/`,
  ];
  const said = await script('free', [...dials, ...fetches].join('\n'));
  server.close();
  expect(outside.split('REACHED')).toHaveLength(4);
  expect(said).not.toContain('REACHED');
  expect(said).toMatch(/FAILED ECONNREFUSED.*FAILED EPERM.*FAILED (?:EPERM|ENOENT).*REFUSED.*403.*403/);
  expect(asked('free')).toEqual([]);
});

test('a host that `allowedDomains` names is reached, in those sessions only', async () => {
  const curl = `curl -sS -m 5 -x "$http_proxy" --noproxy '' http://${allowedHost()}/`;
  expect(await script('hosts-free', curl)).toContain('ALLOWED');
  expect(await script('free', curl)).not.toContain('ALLOWED');
});

test('it answers no question: `approve` fails inside, and the question stays open', async () => {
  expect(await run('asks', `touch ${work('asked.txt')}`)).toContain('asked.txt');
  const [ask] = JSON.parse(await world.command('approvals', '--json'));
  const approve = `${process.execPath} ${program} approve ${ask.code} -y --state-dir ${state}`;
  expect(await script('free', `${approve}; echo "exit $?"`)).toMatch(/exit [1-9]/);
  const [still] = JSON.parse(await world.command('approvals', '--json'));
  expect([still.code, existsSync(work('asked.txt'))]).toEqual([ask.code, false]);
  // The same command without the sandbox answers it: the question itself was as ever.
  await world.command('approve', ask.code, '-y');
  await world.says('asks', 'it said');
  expect(existsSync(work('asked.txt'))).toBe(true);
});

test('it reads what its own conversation keeps, not what another one does, and makes no namespace of its own', async () => {
  const memoryOf = async (chat: string): Promise<string> =>
    JSON.parse(await world.command('inspect', chat, '--json')).memory;
  for (const chat of ['free', 'outside']) await run(chat, 'true');
  for (const chat of ['free', 'outside'])
    writeFileSync(join(await memoryOf(chat), 'note.md'), `NOTE-OF-${chat}`);
  const notes = [await memoryOf('free'), await memoryOf('outside')].map((folder) => `cat ${folder}/note.md`);
  const said = await script('free', [...notes, 'unshare -Ur echo NESTED'].join('\n'));
  expect([said.includes('NOTE-OF-free'), said.includes('NOTE-OF-outside')]).toEqual([true, false]);
  expect([said.includes('NESTED'), (await run('outside', 'sh try.sh')).includes('NESTED')]).toEqual([
    false,
    true,
  ]);
});

test('it leaves nothing that runs or instructs later', async () => {
  const places = [
    '.git/hooks/post-commit',
    '.claude/commands/x.md',
    '.claude/notes.md',
    'CLAUDE.md',
    'CLAUDE.local.md',
  ];
  const lines = places.map((name) => `mkdir -p "$(dirname ${name})"; echo x > ${name}`);
  await script('free', lines.join('\n'));
  expect(places.filter((name) => existsSync(work(name)))).toEqual([]);
  mkdirSync(work('.git/hooks'), { recursive: true });
  writeFileSync(work('CLAUDE.md'), 'mine\n');
  await script('free', [...lines, 'mv .git .old', 'rm -f CLAUDE.md'].join('\n'));
  expect(readFileSync(work('CLAUDE.md'), 'utf8')).toBe('mine\n');
  expect(readdirSync(work('.git/hooks'))).toEqual([]);
});

test('a command that asks to run outside of it is asked about, and runs inside all the same', async () => {
  const before = ruled('free').length;
  const out = home('unsandboxed.txt');
  expect(await run('free', `cp /etc/hostname ${out}`, { dangerouslyDisableSandbox: true })).toContain(
    'unsandboxed.txt',
  );
  expect(ruled('free')).toHaveLength(before);
  const [ask] = JSON.parse(await world.command('approvals', '--json'));
  await world.command('approve', ask.code, '-y');
  await world.says('free', 'Read-only file system');
  expect(existsSync(out)).toBe(false);
});

test('ten commands in a row are all heard of', async () => {
  const heard = (type: string) =>
    world.events('heard-free', 'activity').filter(({ phase }) => phase === type);
  for (let turn = 1; turn <= 10; turn += 1)
    expect(await run('heard-free', `echo turn ${turn}`)).toContain(`turn ${turn}`);
  expect([heard('started').length, heard('succeeded').length]).toEqual([10, 10]);
});

/** All programs of this machine but those of the sandbox. */
async function withoutSandbox(folder: string): Promise<string> {
  for (const bin of ['/usr/local/bin', '/usr/bin', '/bin'])
    for (const name of readdirSync(bin))
      if (!['bwrap', 'socat', 'node'].includes(name) && !existsSync(join(folder, name)))
        symlinkSync(join(bin, name), join(folder, name));
  symlinkSync(process.execPath, join(folder, 'node'));
  return folder;
}

test('without bubblewrap `required` starts nothing and says what to install, `on` says that there is no sandbox', async () => {
  await using programs = await isolatedHome('sandbox-programs');
  const env = { PATH: await withoutSandbox(await programs.directory('bin')) };
  await using bare = await WatchedWorld.start('sandbox-bare', { config, env });
  usesTools(bare.api);
  const refused = await bare.ask('strict', 'hello');
  expect(refused).toContain('This conversation requires a sandbox');
  expect(refused).toContain('apt-get install bubblewrap socat');
  expect(bare.events('strict', 'agent.ready')).toEqual([]);
  const use = { command: `touch ${join(bare.cwd, 'x')}`, description: 'Try it' };
  expect(await bare.ask('loose-free', `use Bash ${JSON.stringify(use)}`)).toContain('touch');
  await until('a question', () => bare.events('loose-free', 'permission.asked').length === 1, 10_000);
  expect(bare.events('loose-free', 'policy.ruled')).toEqual([]);
  const rows = JSON.parse(await bare.command('ps', '--json'));
  expect(rows).toContainEqual(
    expect.objectContaining({
      key: 'loose-free',
      sandbox: 'on',
      health: [expect.objectContaining({ code: 'sandbox_unavailable' })],
    }),
  );
});
