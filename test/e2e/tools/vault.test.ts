// The notes behind the built program: from the first `vault init` to an MCP client, and what happens when a disk lies.
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Envelope } from '../../../src/protocol/envelope.ts';
import { vaultTools } from '../../../src/protocol/settings/vault.ts';
import { samples } from '../../secrets/samples.ts';
import { Pty } from '../../support/pty.ts';
import { until } from '../../support/until.ts';
import { Home, type Ran } from '../support/program.ts';

let home: Home;
let notes: string;
beforeEach(() => {
  home = new Home();
  notes = join(home.path, 'notes');
  mkdirSync(join(notes, 'House'), { recursive: true });
  note('House/Garden.md', '# Garden\n\nThe fence is to be painted before winter.\n');
  note('Rent.md', '---\ntags: [money/house]\n---\n\nThe rent is due on the third.\n');
});
afterEach(() => home[Symbol.asyncDispose]());

const note = (name: string, text: string) => writeFileSync(join(notes, name), text);

const vault = (command: string, ...args: string[]): Promise<Ran> =>
  home.run(['vault', command, '--state-dir', home.state, ...args]);

const envelopeOf = ({ stdout }: Ran): Envelope => Envelope.parse(JSON.parse(stdout));

/** The files of the hits. */
const filesOf = (ran: Ran): string[] =>
  (envelopeOf(ran).data as { results: { file: string }[] }).results.map(({ file }) => file);

test('from nothing to an answer, and on: init, search, a change, status, doctor', async () => {
  const first = await vault('init', '~/notes');
  expect(first.code).toBe(0);
  expect(first.stderr).toContain('2 notes in 2 parts are in the index: 2 read, 0 removed');
  expect(first.stderr).toContain('Next: synthesis vault search <words>');
  const found = await vault('search', 'painting', 'fences');
  expect(found).toMatchObject({ code: 0, stderr: '' });
  expect(found.stdout.split('\n')[0]).toBe('House/Garden.md:1  Garden');
  expect(found.stdout).toContain('    The fence is to be painted before winter.');
  note('House/Garden.md', '# Garden\n\nThe fence was painted red.\n');
  note('Roof.md', '# Roof\n\nThe gutter is red, too.\n');
  rmSync(join(notes, 'Rent.md'));
  expect(filesOf(await vault('search', 'red', '--json')).sort()).toEqual(['House/Garden.md', 'Roof.md']);
  expect(filesOf(await vault('search', 'rent', '--json'))).toEqual([]);
  const status = envelopeOf(await vault('status', '--json'));
  expect(status.data).toMatchObject({
    folder: notes,
    index: 'ready',
    engine: 'lexical',
    notes: 2,
    behind: 0,
    memories: 'Memories',
    skipped: [],
    bridge: 'none',
  });
  const doctor = await vault('doctor', '--json');
  expect([doctor.code, JSON.parse(doctor.stdout).status]).toEqual([0, 'healthy']);
  expect((await vault('doctor')).stdout).toMatch(/^ok +index +The index is what was written/m);
});

test('the same twice in a row works twice, and reads nothing the second time', async () => {
  await vault('init', notes);
  const again = await vault('init', notes, '--json');
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({
    vault: { path: notes },
    running: false,
    index: { status: 'healthy', data: { notes: 2, job: { read: 0, removed: 0 } } },
  });
  expect((await vault('index')).stderr).toContain('2 notes in 2 parts are in the index: 0 read, 0 removed');
  const rebuilt = envelopeOf(await vault('index', '--rebuild', '--json'));
  expect(rebuilt.data).toMatchObject({ notes: 2, job: { read: 2 } });
});

test('a part of the notes can be asked, by folder and by tag; what is nowhere is said so', async () => {
  await vault('init', notes);
  expect(filesOf(await vault('search', 'the', '--folder', 'House/', '--json'))).toEqual(['House/Garden.md']);
  expect(filesOf(await vault('search', 'the', '--tag', '#money', '--json'))).toEqual(['Rent.md']);
  const none = await vault('search', 'xylophone');
  expect(none).toMatchObject({ code: 0, stdout: '' });
  expect(none.stderr).toContain('Nothing found.');
  const outside = await vault('search', 'the', '--folder', '../work');
  expect(outside.code).toBe(5);
  expect(outside.stderr).toContain('SECURITY_VIOLATION');
});

test('what was excluded later is in no index any more', async () => {
  await vault('init', notes);
  const before = globSync(join(home.state, 'vault/index-*'));
  await vault('init', notes, '--exclude', 'House', '--replace');
  expect(filesOf(await vault('search', 'fence', '--json'))).toEqual([]);
  expect(before).toHaveLength(1);
  expect(existsSync(String(before[0]))).toBe(false);
});

test('files that are left aside are named with the reason, ten of them', async () => {
  for (let at = 0; at < 8; at += 1) note(`stream${at}:$.md`, 'x');
  for (let at = 0; at < 8; at += 1) note(`bytes${at}.md`, '\u0000'.repeat(200));
  const { stderr, code } = await vault('init', notes);
  expect(code).toBe(0);
  const rows = stderr.split('\n').filter((row) => row.startsWith('  '));
  expect(stderr).toContain('Left aside: 16\n');
  expect(rows).toHaveLength(11);
  expect(rows[0]).toMatch(/^ {2}\S+\.md \S+/);
  expect(rows.at(-1)).toBe('  and 6 more: synthesis vault status --json');
  const all = envelopeOf(await vault('status', '--json')).data as { skipped: unknown[] };
  expect(all.skipped).toHaveLength(16);
});

test('a note shows neither its escape sequences nor a secret, and says that one is missing', async () => {
  const token = samples.find(([kind]) => kind === 'GitHub token')?.[1] ?? '';
  note('Evil.md', `# E\u001b[2Jvil\n\nThe \u001b]0;owned\u0007harbour \u202etoken: ${token}\n`);
  await vault('init', notes);
  const found = await vault('search', 'harbour');
  expect(found.code).toBe(7);
  expect(found.stdout).toContain('    Not shown: GitHub token, line 3');
  expect(found.stderr).toContain('SENSITIVE_FILTERED: A secret was left out');
  const json = await vault('search', 'harbour', '--json');
  expect(json.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  for (const { stdout, stderr } of [found, json]) expect(stdout + stderr).not.toContain(token);
  expect(found.stdout + found.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|owned/);
  for (const file of globSync(join(home.state, 'vault/*/*')))
    expect(readFileSync(file).includes(token), file).toBe(false);
});

test('a folder that went away is unreachable, and all is well when it is back', async () => {
  await vault('init', notes);
  renameSync(notes, `${notes}-away`);
  for (const command of [['search', 'fence'], ['index'], ['status']]) {
    const { code, stderr } = await vault(...(command as [string]));
    expect([code, stderr.split(':')[0]]).toEqual([1, 'VAULT_UNREACHABLE']);
  }
  const doctor = await vault('doctor');
  expect(doctor.code).toBe(7);
  expect(doctor.stdout).toMatch(/^FAIL +folder +The folder of the vault does not exist/m);
  renameSync(`${notes}-away`, notes);
  expect(filesOf(await vault('search', 'fence', '--json'))).toEqual(['House/Garden.md']);
});

test('a damaged index is found out, answers nothing, and is made anew by the command that is suggested', async () => {
  await vault('init', notes);
  const [database = ''] = globSync(join(home.state, 'vault/*/1.db'));
  const bytes = readFileSync(database);
  const middle = Math.floor(bytes.length / 2);
  for (let at = middle; at < middle + 64; at += 1) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  writeFileSync(database, bytes);
  const doctor = await vault('doctor');
  expect(doctor.code).toBe(7);
  expect(doctor.stdout).toMatch(/^FAIL +index +The index is damaged/m);
  const search = await vault('search', 'fence');
  expect(search).toMatchObject({ code: 1, stdout: '' });
  expect(search.stderr).toMatch(/^INDEX_CORRUPTED: .*\nMake it anew: synthesis vault index$/);
  expect(envelopeOf(await vault('status', '--json')).data).toMatchObject({ index: 'damaged' });
  expect((await vault('index')).code).toBe(0);
  expect(filesOf(await vault('search', 'fence', '--json'))).toEqual(['House/Garden.md']);
  expect((await vault('doctor')).code).toBe(0);
});

test('a typo in the configuration is named by every command, and nothing is indexed', async () => {
  home.configure({ vault: { path: notes, exlcude: ['House'] } });
  for (const command of [['init', notes], ['index'], ['search', 'x'], ['status'], ['doctor'], ['serve']]) {
    const { code, stdout, stderr } = await vault(...(command as [string]));
    expect([code, stdout], command[0]).toEqual([2, '']);
    expect(stderr).toContain('exlcude');
  }
  expect(existsSync(join(home.state, 'vault'))).toBe(false);
});

test('without an index, search says how to make one', async () => {
  await vault('init', notes, '--no-index');
  const { code, stderr } = await vault('search', 'fence');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^INDEX_NOT_FOUND: .*\nMake it: synthesis vault index$/);
  expect((await vault('doctor')).stdout).toMatch(/^warn +index +There is no index yet/m);
});

test('any MCP client has the notes, without the tool that releases secrets, and nothing else is on its wire', async () => {
  await vault('init', notes);
  const [command, ...args] = home.argv('vault', 'serve', '--state-dir', home.state);
  const transport = new StdioClientTransport({ command, args, env: home.env(), stderr: 'pipe' });
  const client = new Client({ name: 'test', version: '1' });
  const faults: Error[] = [];
  client.onerror = (error) => void faults.push(error);
  await client.connect(transport);
  const { tools } = await client.listTools();
  const { release, ...others } = vaultTools;
  expect(tools.map(({ name }) => name).sort()).toEqual(Object.values(others).sort());
  const search = { name: vaultTools.search, arguments: { query: 'fence' } };
  const { structuredContent } = await client.callTool(search);
  expect(Envelope.parse(structuredContent)).toMatchObject({
    status: 'healthy',
    data: { results: [{ file: 'House/Garden.md', line: 1 }] },
  });
  const stored = await client.callTool({
    name: vaultTools.store,
    arguments: { text: 'The fence is red.', topic: 'Fence' },
  });
  expect(Envelope.parse(stored.structuredContent).status).toBe('healthy');
  expect(globSync(join(notes, 'Memories/*.md'))).toHaveLength(1);
  await client.close();
  expect(faults).toEqual([]);
  expect(release).toBe('obsidian_rag_release');
});

test('serve ends with its client, and speaks to nobody without a vault', async () => {
  const without = await vault('serve');
  expect(without).toMatchObject({ code: 2, stdout: '' });
  expect(without.stderr).toContain('synthesis vault init <folder>');
  await vault('init', notes);
  expect(await vault('serve')).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('on a terminal, serve says what it is, and Ctrl-C ends it', async () => {
  await vault('init', notes);
  const size = { cwd: home.cwd, env: home.env(), cols: 80, rows: 24 };
  await using seat = new Pty(home.argv('vault', 'serve', '--state-dir', home.state), size);
  await seat.shows('Ctrl-C ends it.');
  seat.type('\u0003');
  expect(await seat.exited()).toBe(0);
});

test('Tab knows the commands and their flags', async () => {
  const offered = async (...words: string[]) => (await home.run(['complete', '--', ...words])).stdout;
  expect(await offered('vault', 's')).toMatch(/^search\t[\s\S]*^status\t/m);
  expect(await offered('vault', 'init', '--ex')).toMatch(/^--exclude\t/m);
});

test('a running bridge takes a vault over when it is chosen, and another one in its place', async () => {
  await home.up();
  const { code, stderr } = await vault('init', notes);
  expect(code).toBe(0);
  expect(stderr).toContain('taken over by the running bridge');
  await until('a healthy vault', async () => {
    const { data } = envelopeOf(await vault('status', '--json'));
    return (data as { bridge: string }).bridge === 'healthy';
  });
  expect((await vault('doctor')).stdout).toMatch(/^ok +bridge +The running bridge has it: obsidian_rag/m);
  const other = join(home.path, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'Boat.md'), '# Boat\n\nIt leaks.\n');
  expect((await vault('init', other, '--replace')).code).toBe(0);
  const call = ['tools', 'call', '--state-dir', home.state, 'obsidian_rag', vaultTools.search];
  const answer = await home.run([...call, '{"query":"fence leaks"}', '--json']);
  expect(filesOf(answer)).toEqual(['Boat.md']);
  expect(globSync(join(home.state, 'vault/index-*'))).toHaveLength(1);
});

test('on a terminal, the work is seen in one row, Ctrl-C ends it, and the rest is done the next time', async () => {
  const count = 3_000;
  for (let at = 0; at < count; at += 1)
    note(`n${at}.md`, `# Note ${at}\n\n${'Some words of it. '.repeat(40)}\n`);
  await vault('init', notes, '--no-index');
  const size = { cwd: home.cwd, env: home.env({ TERM: 'xterm-256color' }), cols: 80, rows: 24 };
  {
    await using seat = new Pty(home.argv('vault', 'index', '--state-dir', home.state), size);
    await seat.shows(/[\d,]+ of 3,002 notes {2}\[█*░+\]/);
    expect(seat.rows.filter((row) => row.includes(' of 3,002 notes'))).toHaveLength(1);
    seat.type('\u0003');
    expect(await seat.exited()).toBe(130);
    expect(seat.screen).toContain('Stopped. What was indexed is kept');
    expect(seat.screen).not.toContain(' of 3,002 notes');
  }
  const { stderr } = await vault('index');
  const [, read = ''] = /([\d,]+) read/.exec(stderr) ?? [];
  expect(stderr).toContain('3,002 notes in');
  expect(Number(read.replace(',', ''))).toBeLessThan(count);
});

test('on a terminal, places and words are seen, and without colour where nobody wants any', async () => {
  await vault('init', notes);
  const argv = home.argv('vault', 'search', 'fence', '--state-dir', home.state);
  const size = { cwd: home.cwd, cols: 80, rows: 24 };
  await using coloured = new Pty(argv, { ...size, env: home.env({ TERM: 'xterm-256color' }) });
  await coloured.exited();
  expect(coloured.raw).toContain('\u001b[1;33mfence\u001b[22;39m');
  await using bare = new Pty(argv, { ...size, env: home.env({ TERM: 'xterm-256color', NO_COLOR: '1' }) });
  await bare.exited();
  expect(bare.raw).toContain('\u001b[1mfence\u001b[22m');
  expect(bare.raw).not.toMatch(/\u001b\[[\d;]*3\d/);
});

test('a reader that leaves early is no failure', async () => {
  await vault('init', notes);
  const line = home
    .argv('vault', 'search', 'the', '--state-dir', home.state)
    .map((part) => `'${part}'`)
    .join(' ');
  const script = `{ ${line}; echo "its end: $?" >&2; } | true`;
  const size = { cwd: home.cwd, env: home.env(), cols: 80, rows: 24 };
  await using seat = new Pty(['/bin/sh', '-c', script], size);
  await seat.shows('its end: 0');
  await seat.exited();
  expect(seat.screen).not.toMatch(/EPIPE|failed/);
});
