// A trial on one machine, as the guide has it: one server, and the lines that it prints.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { lastingPort } from '../../support/lasting-port.ts';
import { natsTest } from '../../support/nats-test.ts';
import { until } from '../../support/until.ts';
import { Home, simulatedClaude } from '../support/program.ts';

interface Trial {
  child: ChildProcess;
  out(): string;
  err(): string;
}

function start(home: Home, port: number, ...args: string[]): Trial {
  const [file, ...rest] = home.argv('cluster', 'up', '--local', '--port', `${port}`, ...args);
  const child = spawn(file, rest, { env: home.env(), stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGINT');
    await once(child, 'exit');
  });
  const said = { out: '', err: '' };
  child.stdout?.on('data', (text) => (said.out += text));
  child.stderr?.on('data', (text) => (said.err += text));
  return { child, out: () => said.out, err: () => said.err };
}

const isReady = ({ err }: Trial) => err().includes('Press Ctrl-C');
const trialHome = (home: Home) => join(home.path, '.local/state/synthesis');

natsTest(
  'two bridges are one after the lines that it prints, and go on when Ctrl-C has ended it',
  async () => {
    await using home = new Home();
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    const trial = start(home, await lastingPort());
    await until('the server', () => isReady(trial));
    const dir = join(trialHome(home), 'nats');
    for (const name of ['.', ...readdirSync(dir, { recursive: true, encoding: 'utf8' })]) {
      const stats = statSync(join(dir, name));
      expect([name, (stats.mode & 0o777).toString(8)]).toEqual([name, stats.isDirectory() ? '700' : '600']);
    }
    // As in a shell, but for the bridges: those need the simulated Claude.
    mkdirSync(join(home.path, 'bin'));
    symlinkSync(resolve('bin/synthesis.js'), join(home.path, 'bin/synthesis'));
    const env = home.env({ PATH: `${join(home.path, 'bin')}:${process.env.PATH}` });
    const lines = trial.out().trim().split('\n');
    expect(lines.map((line) => /synthesis (?:config set cluster|up) /.test(line))).toEqual(
      Array(4).fill(true),
    );
    for (const line of lines.filter((each) => each.includes('config set')))
      await execa('sh', ['-c', line], { env, extendEnv: false });
    const args = ['--claude', simulatedClaude, '--delivery', 'terminal'];
    const first = await home.up({ args });
    await using other = new Home();
    const second = await other.up({
      args,
      env: { ...env, SYNTHESIS_HOME: join(home.path, 'synthesis-second') },
    });
    const sees = async (state: string) =>
      (await other.run(['cluster', 'status', '--json', '--state-dir', other.state])).stdout.includes(
        `"state":"${state}"`,
      );
    await until('both nodes', () => sees('alive'), 20_000);
    expect(await first.ask('work', 'hello')).toContain('hello');
    expect(await second.ask('work', '[[recall]]')).toContain('hello');

    const again = await home.run(['cluster', 'up', '--port', `${await lastingPort()}`]);
    expect(again).toMatchObject({ code: 8, stderr: expect.stringContaining('runs already (pid ') });

    trial.child.kill('SIGINT');
    const [code] = await once(trial.child, 'exit');
    expect([code, trial.err()]).toEqual([0, expect.stringContaining('The nats-server has stopped.')]);
    await until('the loss', () => sees('lost'), 20_000);
    expect(await first.ask('work', '[[recall]]')).toContain('hello');
  },
  90_000,
);

natsTest('says what is wrong when the port is taken, and when the server dies; its token stays', async () => {
  await using home = new Home();
  const port = await lastingPort();
  const trial = start(home, port);
  await until('the server', () => isReady(trial));
  const store = mkdtempSync(join(tmpdir(), 'nats-store-'));
  onTestFinished(() => rmSync(store, { recursive: true, force: true }));
  const taken = await home.run(['cluster', 'up', '--port', `${port}`, '--store', store]);
  expect(taken).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`Port ${port} on 127.0.0.1 is in use`),
  });
  const token = () => readFileSync(join(trialHome(home), 'nats/token'), 'utf8');
  const before = token();
  const { pid } = JSON.parse(readFileSync(join(trialHome(home), 'nats/server.json'), 'utf8'));
  process.kill(pid, 'SIGKILL');
  const [code] = await once(trial.child, 'exit');
  expect([code, trial.err()]).toEqual([1, expect.stringContaining('The nats-server ended')]);
  const next = start(home, port);
  await until('the next server', () => isReady(next));
  expect(token()).toBe(before);
});

// Only root can take it away.
test.runIf(process.geteuid?.() === 0)('says what to install where there is no nats-server', async () => {
  await using home = new Home();
  const hidden = ['-c', 'mount -t tmpfs none /usr/sbin && exec "$@"', 'sh', ...home.argv('cluster', 'up')];
  const { exitCode, stderr } = await execa('unshare', ['--mount', 'sh', ...hidden], {
    env: home.env(),
    extendEnv: false,
    reject: false,
  });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('apt install nats-server')]);
});
