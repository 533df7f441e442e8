// The setup of docs/guides/another-user.md: the bridge and its Claude Codes belong to a user that nobody logs in as. What
// Claude's shell does there ends at the system's own wall, and the person decides by one more word on the line.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { codeIn } from '../../support/code-in.ts';
import { Pty } from '../../support/pty.ts';
import { until } from '../../support/until.ts';
import { Home, type RunningBridge } from '../support/program.ts';

/** Of nobody else. */
const uid = 61_461;
const become = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];

/** The home of the person, with what is theirs in it, a shell of theirs that runs, and their tmux server. */
class Person implements AsyncDisposable {
  readonly home = mkdtempSync(join(tmpdir(), 'synthesis-person-'));
  readonly shell = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
  readonly socket = join(this.home, 'tmux.sock');

  constructor() {
    // A home as most systems make it: others may look into it.
    chmodSync(this.home, 0o755);
    writeFileSync(join(this.home, '.bashrc'), '# mine\n', { mode: 0o644 });
    mkdirSync(join(this.home, '.openclaw'), { mode: 0o700 });
    writeFileSync(join(this.home, '.openclaw', 'token'), 'the token of the hub\n', { mode: 0o600 });
  }

  async start(): Promise<void> {
    await execa('tmux', ['-S', this.socket, '-f', '/dev/null', 'new-session', '-d', '-x', '80', '-y', '24']);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await execa('tmux', ['-S', this.socket, 'kill-server'], { reject: false });
    this.shell.kill('SIGKILL');
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** Approves as the person does: `sudo -Hu`, without a password prompt in between. */
async function approve(home: Home, code: string): Promise<string> {
  const pty = new Pty(
    [become[0] ?? '', ...become.slice(1), ...home.argv('approve', code, '-y', '--state-dir', home.state)],
    { cwd: '/', env: home.env(), cols: 80, rows: 24 },
  );
  await until(
    () => `the end of approve: ${pty.raw}`,
    () => pty.exitCode !== undefined,
    20_000,
  );
  expect([pty.exitCode, pty.raw]).toEqual([0, expect.stringContaining(code)]);
  return pty.raw;
}

async function asks(bridge: RunningBridge, command: string): Promise<string> {
  const question = await bridge.ask('s', `[[bash:${command}]]`);
  const code = codeIn(question);
  expect(code, question).not.toBe('');
  return code;
}

// Only root can become somebody else.
test.runIf(process.geteuid?.() === 0)(
  'with a user of its own Claude’s shell reaches no session, file or program of the person, who decides as ever',
  async () => {
    const home = new Home();
    onTestFinished(() => home[Symbol.asyncDispose]());
    chmodSync(home.path, 0o755);
    await using person = new Person();
    await person.start();
    const bridge = await home.up({
      under: ['sh', '-c', `chown -R ${uid}:${uid} "$0"; exec ${become.join(' ')} "$@"`, home.path],
    });
    const tries = {
      // A window of theirs is a terminal of theirs.
      tmux: `tmux -S ${person.socket} new-window touch ${home.cwd}/window`,
      keys: `tmux -S ${person.socket} send-keys touch Space ${home.cwd}/keys Enter`,
      startup: `echo evil >>${person.home}/.bashrc`,
      program: `mkdir -p ${person.home}/.local/bin`,
      token: `cat ${person.home}/.openclaw/token`,
      memory: `head -c 1 /proc/${person.shell.pid}/mem`,
      environment: `cat /proc/${person.shell.pid}/environ`,
      signal: `kill -9 ${person.shell.pid}`,
      terminal: `echo evil >$(tmux -S ${person.socket} display -p '#{pane_tty}' 2>/dev/null || echo ${person.home})`,
    };
    const told = join(home.cwd, 'told.txt');
    writeFileSync(
      join(home.cwd, 'tries.sh'),
      Object.entries(tries)
        .map(
          ([name, line]) =>
            `if ( ${line} ) >/dev/null 2>>${told}; then echo "${name} did" >>${told}; else echo "${name} failed" >>${told}; fi`,
        )
        .join('\n'),
    );
    const first = await asks(bridge, 'sh tries.sh; id -u');
    expect(await approve(home, first)).toContain('Allowed');
    const said = await until('the last try', () => {
      const text = existsSync(told) ? readFileSync(told, 'utf8') : '';
      return text.includes(`${Object.keys(tries).at(-1)} `) ? text : undefined;
    });
    expect(said.match(/^\w+ (?:did|failed)$/gm)).toEqual(Object.keys(tries).map((name) => `${name} failed`));
    expect([existsSync(join(home.cwd, 'window')), existsSync(join(home.cwd, 'keys'))]).toEqual([
      false,
      false,
    ]);
    expect(readFileSync(join(person.home, '.bashrc'), 'utf8')).toBe('# mine\n');
    expect(person.shell.exitCode ?? person.shell.signalCode).toBe(null);
    // The person themself reads nothing there by accident, but can ask the bridge as its user.
    const { stdout } = await execa(
      'setpriv',
      [...become.slice(1), ...home.argv('audit', '--state-dir', home.state, '--json')],
      {
        env: home.env(),
        extendEnv: false,
        cwd: '/',
      },
    );
    expect(stdout.split('\n').map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        code: first,
        answer: expect.objectContaining({ by: 'cli', who: expect.stringMatching(/^pts\//) }),
      }),
    );
  },
  60_000,
);
