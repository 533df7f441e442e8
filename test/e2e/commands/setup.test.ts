// A folder, a trust or a mode that does not fit is said at once, everywhere alike, and what is corrected is cured.
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashId } from '../../../src/base/digest.ts';
import type { Diagnosis } from '../../../src/domain/views/check.ts';
import type { SessionRow } from '../../../src/domain/views/session/session-row.ts';
import { until } from '../../support/until.ts';
import { Home, type Ran, type RunningBridge, simulatedClaude } from '../support/program.ts';

const key = 'chat';

/** One whose bridges work where the configuration says, and whose Claude Code was set up by this user. */
class SetUp extends Home {
  readonly gone = join(this.path, 'gone');
  readonly right = join(this.path, 'right');

  constructor() {
    super();
    mkdirSync(this.right);
    this.trusts(this.path);
  }

  /** Folders that Claude Code trusts. */
  trusts(...folders: string[]): void {
    const projects = Object.fromEntries(folders.map((each) => [each, { hasTrustDialogAccepted: true }]));
    writeFileSync(
      join(this.path, '.claude.json'),
      JSON.stringify({ hasCompletedOnboarding: true, projects }),
    );
  }

  has(config: object): void {
    this.configure({ port: 0, claude: simulatedClaude, delivery: 'terminal', ...config });
  }

  override command(name: string, ...args: string[]): Promise<Ran> {
    return this.run([name, ...args, '--state-dir', this.state]);
  }

  set(setting: string, value: string): Promise<Ran> {
    return this.run(['config', 'set', setting, value]);
  }

  start(env: Record<string, string> = {}): Promise<RunningBridge> {
    return this.up({ args: [], env, places: false });
  }

  async row(): Promise<SessionRow> {
    return JSON.parse((await this.command('ps', '--json')).stdout)[0];
  }

  async findings(): Promise<Diagnosis> {
    return JSON.parse((await this.command('doctor', '--json')).stdout);
  }
}

const notOk = ({ checks }: Diagnosis) =>
  checks.filter(({ status }) => status !== 'ok').map(({ name, message }) => `${name}: ${message}`);

test('a folder that is not there is refused by `config set` with what to do, and nothing is changed', async () => {
  await using home = new SetUp();
  home.has({ cwd: home.right });
  const file = join(home.path, 'file');
  writeFileSync(file, '');
  for (const [folder, words] of [
    [home.gone, 'does not exist: sessions (`cwd`) cannot work there. Nothing was changed.'],
    [file, 'is no folder'],
    [join(file, 'in-it'), 'does not exist'],
    ['~/work', 'only a shell knows'],
  ] as const) {
    const { code, stderr } = await home.set('cwd', folder);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(stderr).toContain('`synthesis config set cwd <folder>`');
  }
  expect((await home.run(['config', 'get', 'cwd'])).stdout).toBe(home.right);
});

test('`config set` takes a folder as it is seen from here, warns of what may come yet, and says how it comes into force', async () => {
  await using home = new SetUp();
  home.has({ profiles: [{ match: 'a*', model: 'haiku' }] });
  home.trusts(home.right);
  const relative = await home.set('cwd', '.');
  expect([relative.code, relative.stderr]).toEqual([
    0,
    expect.stringContaining(`Claude Code does not trust ${home.cwd} yet. Run \`claude\` in ${home.cwd} once`),
  ]);
  expect(relative.stderr).toContain('It holds from the next `synthesis up` on.');
  expect((await home.run(['config', 'get', 'cwd'])).stdout).toBe(home.cwd);
  const unmounted = await home.set('cwd', '/mnt/no-such-disk');
  expect([unmounted.code, unmounted.stderr]).toEqual([0, expect.stringContaining('Mount its disk')]);
  // It was so before, and is no reason to refuse something else.
  expect((await home.set('permissionMode', 'plan')).stderr).not.toContain('no-such-disk');
  expect((await home.set('delivery', 'channel')).stderr).toContain(
    'without consent to it messages are typed',
  );
  expect((await home.set('profiles.0.cwd', home.gone)).code).toBe(2);
  expect((await home.set('profiles.0.cwd', home.right)).code).toBe(0);
  const kept = JSON.parse((await home.run(['config', 'get', 'profiles'])).stdout);
  expect(kept).toEqual([{ match: 'a*', model: 'haiku', cwd: home.right }]);
  const overruled = await home.run(['config', 'set', 'cwd', home.right], { env: { SYNTHESIS_CWD: '/tmp' } });
  expect(overruled.stderr).toContain('A variable of this environment says "/tmp" instead');
});

test('a bridge whose sessions all have no folder does not start, and takes the place of none that runs', async () => {
  await using home = new SetUp();
  home.has({ cwd: home.right });
  const bridge = await home.start();
  home.has({ cwd: home.gone, profiles: [{ match: 'a*', cwd: 'below' }] });
  for (const flags of [['--replace'], ['--detach', '--replace']]) {
    const { code, stderr } = await home.command('up', ...flags);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${home.gone} does not exist`)]);
    expect(stderr).toContain('Nothing was started.');
  }
  expect(await bridge.ask(key, 'still there?')).toContain('still there?');
});

test('where some sessions have a folder the bridge starts, says which have none, and serves the others', async () => {
  await using home = new SetUp();
  home.has({ cwd: home.gone, profiles: [{ match: 'good:*', cwd: home.right }] });
  const bridge = await home.start();
  const said = `${home.gone} does not exist: sessions (\`cwd\`) cannot work there.`;
  expect(bridge.lines[0]?.notices).toEqual([
    `${said} Make it, or choose another: \`synthesis config set cwd <folder>\`.`,
  ]);
  expect(await bridge.ask('good:1', 'hello')).toContain('hello');
  expect((await home.command('ps')).stderr).toContain(said);
  expect((await home.command('ps', '--check')).code).toBe(7);
  const diagnosis = await home.findings();
  expect([diagnosis.status, notOk(diagnosis)]).toEqual(['unavailable', [`folders: ${said}`]]);
});

test('the chat, ps, inspect, doctor and restart all name the folder and what mends it, and none sends to another in a circle', async () => {
  await using home = new SetUp();
  home.has({ cwd: home.right });
  const bridge = await home.start();
  rmSync(home.right, { recursive: true });
  const why = `${home.right} does not exist`;
  const command = '`synthesis config set cwd <folder>`';
  const answer = await bridge.ask(key, 'hello');
  expect(answer).toContain(`Claude Code cannot work in its folder. \`${why}.\``);
  expect(answer).toContain('Claude has not seen it');
  const everywhere = [
    answer,
    (await home.command('ps')).stderr,
    (await home.command('inspect', key)).stdout,
    (await home.command('restart', key)).stderr,
    (await home.command('doctor')).stdout,
  ];
  for (const words of everywhere) {
    expect(words).toContain(why);
    expect(words).toContain(command);
  }
  // The place that they name knows which setting it is.
  expect(answer).toContain('`synthesis doctor` names the setting');
  expect((await home.command('doctor')).stdout).toMatch(/^FAIL {2}folders .*\(`cwd`\) cannot work there/m);
  expect(await home.row()).toMatchObject({ failure: 'folder_unusable', failure_words: `${why}.` });
  mkdirSync(home.right);
  expect(await bridge.ask(key, 'and now?')).toContain('and now?');
  expect(notOk(await home.findings())).toEqual([]);
});

/** What a chat names as the place that knows more, run as it stands there. */
async function placeOf(home: SetUp, answer: string): Promise<string> {
  const named = [...answer.matchAll(/`synthesis ((?:doctor|inspect)[^`]*)`/g)].map(([, line = '']) => line);
  expect(named.length).toBe(1);
  const [name = '', ...args] = (named[0] ?? '').split(' ');
  return (await home.command(name, ...args)).stdout;
}

test.each<[what: string, config: object, env: Record<string, string>, knows: RegExp]>([
  [
    'a Claude Code that is not there',
    { claude: '/nowhere/claude' },
    {},
    /^FAIL {2}claude .*"\/nowhere\/claude" was not found/m,
  ],
  [
    'one that is too old',
    {},
    { SIM_START: 'old' },
    /^warn {2}sessions .*claude_too_old: Claude Code 1\.0\.0 is older than/m,
  ],
  [
    'one that ends at once',
    {},
    { SIM_START: 'exit:3' },
    /^failure {6}start_exited: Claude Code ended at once \(exit code 3\)/m,
  ],
  ['a folder that is not trusted', {}, { SIM_DIALOG: 'trust' }, /^warn {2}first-run .*does not trust/m],
])('the place that a chat names knows more: %s', async (_, config, env, knows) => {
  await using home = new SetUp();
  home.trusts(home.right);
  home.has({ cwd: home.cwd, ...config });
  const bridge = await home.start(env);
  expect(await placeOf(home, await bridge.ask(key, 'hello'))).toMatch(knows);
});

test('a path that would draw on the terminal is shown harmless wherever it is named', async () => {
  await using home = new SetUp();
  const drawn = `${home.gone}\u001b[31m`;
  home.has({ cwd: drawn, profiles: [{ match: 'good:*', cwd: home.right }] });
  const words = [await home.set('profiles.0.cwd', drawn), await home.command('up', '--detach')];
  try {
    words.push(await home.command('ps'), await home.command('doctor'), await home.command('down'));
  } finally {
    await home.command('down');
  }
  for (const { stdout, stderr } of words) expect(stdout + stderr).not.toContain('\u001b');
  expect(words.slice(0, 4).map(({ stdout, stderr }) => (stdout + stderr).includes('does not exist'))).toEqual(
    Array(4).fill(true),
  );
});

test('a mode in which nobody is asked, and a rule that asks, are said to contradict each other', async () => {
  await using home = new SetUp();
  home.has({ cwd: home.right, permissionMode: 'dontAsk' });
  const rule = JSON.stringify([{ tool: 'Bash', command: 'git push', decision: 'operator' }]);
  const said =
    'By rule 1 of the policy somebody is to be asked, and sessions whose profile says no other mode ask nobody (dontAsk)';
  expect((await home.set('policy', rule)).stderr).toContain(said);
  const bridge = await home.start();
  expect(bridge.lines[0]?.notices).toEqual([expect.stringContaining(said)]);
  expect(notOk(await home.findings())).toContainEqual(expect.stringContaining(`modes: ${said}`));
});

test('a conversation that never began takes the corrected folder by itself, and one that did is told the command', async () => {
  await using home = new SetUp();
  const old = join(home.path, 'old');
  mkdirSync(old);
  home.has({ cwd: old });
  const first = await home.start();
  await first.ask('began', 'hello');
  await home.command('stop', 'began');
  rmSync(old, { recursive: true });
  await first.ask(key, 'hello');
  expect((await home.row()).cwd).toBe(old);
  const set = await home.set('cwd', home.right);
  expect(set.code).toBe(0);
  await first.end();
  const second = await home.start();
  expect(second.lines[0]?.notices).toEqual([
    `${old} does not exist: conversation began cannot work there. Make it, or go on where the configuration has it now: \`synthesis restart ${hashId('began', 12)}\`.`,
  ]);
  expect(await second.ask(key, 'hello again')).toContain('hello again');
  const told = await second.ask('began', 'hello again');
  expect(told).toContain(`The configuration names \`${home.right}\` by now: \`synthesis restart began\``);
  expect((await home.command('inspect', 'began')).stdout).toMatch(/^to do .*`synthesis restart began`/m);
  expect((await home.command('restart', 'began')).code).toBe(0);
  expect(await second.ask('began', 'and now?')).toContain('I remember 1 earlier');
  expect(notOk(await home.findings())).toEqual([]);
});

test('a folder that Claude Code does not trust is known at the start, and correcting it cures the conversation', async () => {
  await using home = new SetUp();
  home.trusts(home.right);
  home.has({ cwd: home.cwd });
  const untrusted = { SIM_DIALOG: 'trust' };
  const said = `Claude Code does not trust ${home.cwd} yet.`;
  const first = await home.start(untrusted);
  expect(first.lines[0]?.notices).toEqual([`${said} Run \`claude\` in ${home.cwd} once and accept it.`]);
  expect((await home.command('ps')).stderr).toContain(said);
  expect(notOk(await home.findings())).toEqual([`first-run: ${said}`]);
  const answer = await first.ask(key, 'hello');
  expect(answer).toContain('has not been told to trust its working folder');
  expect(answer).toContain('`synthesis doctor` names the setting');
  const diagnosis = await home.findings();
  expect(notOk(diagnosis)).toEqual([
    `first-run: ${said}`,
    'sessions: Claude Code does not run in chat (folder_untrusted).',
  ]);
  await home.set('cwd', home.right);
  await first.end();
  const second = await home.start(untrusted);
  expect(second.lines[0]?.notices).toEqual([]);
  expect(await second.ask(key, 'hello again')).toContain('hello again');
});

test('a conversation is not warmed in a folder that Claude Code would ask about: it asks once, for the message', async () => {
  await using home = new SetUp();
  home.trusts(home.right);
  home.has({ cwd: home.cwd, profiles: [{ match: 'good:*', cwd: home.right }] });
  const bridge = await home.start({ SIM_DIALOG: 'trust' });
  const { baseURL, apiKey } = bridge.client('unused');
  const warm = async (name: string) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'x-synthesis-session': name };
    return (await fetch(`${baseURL}/warm`, { method: 'POST', headers })).json();
  };
  expect(await warm(key)).toEqual({ session: key, started: false, why: 'folder' });
  expect(await warm('good:1')).toEqual({ session: 'good:1', started: true });
  await bridge.ask(key, 'hello');
  const asked = () =>
    bridge.lines.filter(({ event }) => event === 'agent.dialog').map(({ session }) => session);
  await until('its question', () => asked().length > 0);
  expect(asked()).toEqual([key]);
});

test('doctor judges the folder that the running bridge works in, wherever it is run', async () => {
  await using home = new SetUp();
  home.trusts(home.right);
  home.has({});
  const untrusted = async () => notOk(await home.findings()).filter((each) => each.startsWith('first-run'));
  expect(await untrusted()).toHaveLength(1);
  await home.up({ args: ['--cwd', home.right], places: false });
  expect(await untrusted()).toEqual([]);
});

test('doctor --fix sets right what is safe, says what it did, and finds nothing to do the second time', async () => {
  await using home = new SetUp();
  home.has({ cwd: '~/right' });
  const fix = async () => {
    const { code, stdout } = await home.command('doctor', '--fix', '--json');
    const { fixed, ...diagnosis }: Diagnosis & { fixed: { name: string; message: string; done: boolean }[] } =
      JSON.parse(stdout);
    return {
      code,
      fixed: fixed.map(({ name, message, done }) => `${done} ${name}: ${message}`),
      left: notOk(diagnosis),
    };
  };
  const before = await home.findings();
  expect(before.checks.find(({ name }) => name === 'folders')?.suggestion).toContain(
    '`synthesis doctor --fix`',
  );
  expect(await fix()).toEqual({
    code: 0,
    fixed: [
      `true state: ${home.state} is made, for this user alone.`,
      `true folders: \`cwd\` is ${home.right} now (it was ~/right, and only a shell knows what "~" is).`,
    ],
    left: [],
  });
  const bridge = await home.start();
  await bridge.ask(key, 'hello');
  await bridge.kill();
  await home.killHosts();
  const trust = statSync(join(home.path, '.claude.json')).mtimeMs;
  chmodSync(home.state, 0o755);
  chmodSync(join(home.state, 'token'), 0o644);
  const found = await home.command('doctor');
  expect(found.stdout).toMatch(/^ok {4}leftovers .*`synthesis doctor --fix` takes them away/m);
  expect(found.stdout).toMatch(/^warn {2}state [\s\S]*?Run `synthesis doctor --fix`/m);
  const { fixed, left } = await fix();
  expect(fixed).toEqual([
    `true state: ${home.state} is closed to others (it was 0755).`,
    `true state: ${join(home.state, 'token')} is closed to others (it was 0644).`,
    expect.stringMatching(/^true leftovers: .*\.sock of a bridge that is gone/),
    expect.stringMatching(/^true leftovers: state\/bridge\.json of a bridge that is gone/),
    expect.stringMatching(/^true leftovers: locks\/\w+\.lock of a process that is gone/),
    expect.stringMatching(/^true leftovers: run\/\w+\.sock of a host that is gone/),
    expect.stringMatching(/^true leftovers: \w+\/host\.json of a host that is gone/),
  ]);
  expect(left).toEqual([]);
  expect([existsSync(join(home.state, 'bridge.json')), readdirSync(join(home.state, 'locks'))]).toEqual([
    false,
    [],
  ]);
  expect(await fix()).toEqual({ code: 0, fixed: [], left: [] });
  expect(statSync(join(home.path, '.claude.json')).mtimeMs).toBe(trust);
  // Nothing of a bridge that runs is anybody's leftover.
  const next = await home.start();
  expect((await fix()).fixed).toEqual([]);
  expect(await next.ask(key, 'hello again')).toContain('I remember 1 earlier');
});
