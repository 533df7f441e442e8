// `launchctl` for a machine that has none: what the commands of a service ask of it, with its exit codes and words.
// Behind it one process for each loaded service keeps it running, as launchd would; only what was killed is started again at once.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

interface Agent {
  Label: string;
  ProgramArguments: [string, ...string[]];
  EnvironmentVariables: Record<string, string>;
  WorkingDirectory: string;
  LimitLoadToSessionType?: string;
  KeepAlive: { SuccessfulExit: boolean };
  ThrottleInterval: number;
  StandardOutPath: string;
}

interface Loaded {
  keeper: number;
  pid: number | undefined;
  runs: number;
  last: string;
  /** It was booted out, and launchd needs to be asked so often until that is done. */
  leaving?: number;
}

/** Files here: `headless`, `<label>.disabled`, `calls`, and of each loaded service `<domain>.<label>`. */
const dir = process.env.LAUNCHD_DIR ?? '';
const [verb = '', ...rest] = process.argv.slice(2);
const uid = process.getuid?.();

const fileOf = (target: string) => join(dir, target.replaceAll('/', '.'));
const loaded = (target: string): Loaded | undefined =>
  existsSync(fileOf(target)) ? (JSON.parse(readFileSync(fileOf(target), 'utf8')) as Loaded) : undefined;

/** Loaded here only: most calls are questions. */
async function agentIn(path: string): Promise<Agent> {
  const { parse } = await import('plist');
  return parse(readFileSync(path, 'utf8')) as Agent;
}

function write(target: string, state: Loaded): void {
  writeFileSync(`${fileOf(target)}.new`, JSON.stringify(state));
  renameSync(`${fileOf(target)}.new`, fileOf(target));
}

function fail(code: number, words: string): never {
  process.stderr.write(`${words}\n`);
  process.exit(code);
}

const hasDomain = (domain: string) =>
  domain === `user/${uid}` || (domain === `gui/${uid}` && !existsSync(join(dir, 'headless')));

function print(target: string): void {
  if (hasDomain(target)) return;
  const state = loaded(target);
  if (state?.leaving === 0) rmSync(fileOf(target));
  if (!state || state.leaving === 0) fail(113, `Could not find service "${basename(target)}" in domain`);
  if (state.leaving !== undefined) write(target, { ...state, leaving: state.leaving - 1 });
  const { pid, runs, last } = state;
  const lines = [
    `state = ${pid === undefined ? 'spawn scheduled' : 'running'}`,
    `runs = ${runs}`,
    ...(pid === undefined ? [] : [`pid = ${pid}`]),
    last,
    'resource coalition = {\n\t\tstate = active\n\t}',
  ];
  process.stdout.write(`${target} = {\n${lines.map((line) => `\t${line}\n`).join('')}}\n`);
}

async function bootstrap(domain: string, path: string): Promise<void> {
  const agent = await agentIn(path);
  const target = `${domain}/${agent.Label}`;
  const session = domain.startsWith('gui/') ? 'Aqua' : 'Background';
  if (!hasDomain(domain)) fail(125, 'Bootstrap failed: 125: Domain does not support specified action');
  if (
    loaded(target) ||
    existsSync(join(dir, `${agent.Label}.disabled`)) ||
    (agent.LimitLoadToSessionType ?? 'Aqua') !== session
  )
    fail(5, 'Bootstrap failed: 5: Input/output error');
  const args = [import.meta.filename, 'keep', target, path];
  const keeper = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise((resolve) => keeper.stdout.once('data', resolve));
  keeper.stdout.destroy();
  keeper.unref();
}

/** The process behind a loaded service. */
async function keep(target: string, path: string): Promise<void> {
  const agent = await agentIn(path);
  const [program, ...args] = agent.ProgramArguments;
  const log = openSync(agent.StandardOutPath, 'a');
  let child: ChildProcess | undefined;
  let ending = false;
  let runs = 0;
  const leave = () => {
    write(target, { keeper: process.pid, pid: undefined, runs, last: 'last exit code = 0', leaving: 2 });
    process.exit();
  };
  const start = (last: string) => {
    runs += 1;
    child = spawn(program, args, {
      cwd: agent.WorkingDirectory,
      env: { HOME: process.env.HOME, ...agent.EnvironmentVariables },
      stdio: ['ignore', log, log],
      detached: true,
    });
    write(target, { keeper: process.pid, pid: child.pid, runs, last });
    child.once('exit', (code, signal) => {
      if (ending) leave();
      const how = signal === null ? `last exit code = ${code}` : 'last terminating signal = Killed: 9';
      child = undefined;
      write(target, { keeper: process.pid, pid: undefined, runs, last: how });
      if (code !== 0 && !agent.KeepAlive.SuccessfulExit)
        setTimeout(start, signal === null ? agent.ThrottleInterval * 1000 : 100, how);
    });
  };
  process.on('SIGTERM', () => {
    ending = true;
    if (child) child.kill('SIGTERM');
    else leave();
  });
  start('last exit code = (never exited)');
  process.stdout.write('started\n');
  // Nothing else keeps it while the service has ended well.
  setInterval(() => {}, 60_000);
}

function bootout(target: string): void {
  const state = loaded(target);
  if (!state) fail(3, 'Boot-out failed: 3: No such process');
  process.kill(state.keeper, 'SIGTERM');
  fail(36, 'Boot-out failed: 36: Operation now in progress');
}

if (verb !== 'keep') writeFileSync(join(dir, 'calls'), `${[verb, ...rest].join(' ')}\n`, { flag: 'a' });
const [first = '', second = ''] = rest;
const verbs: Record<string, () => void | Promise<void>> = {
  print: () => print(first),
  bootstrap: () => bootstrap(first, second),
  bootout: () => bootout(first),
  keep: () => keep(first, second),
  kickstart: () => {
    if (!loaded(first)) fail(113, `Could not find service "${basename(first)}" in domain`);
  },
  enable: () => rmSync(join(dir, `${basename(first)}.disabled`), { force: true }),
  'print-disabled': () => {
    const label = 'synthesis-agent.bridge';
    const word = existsSync(join(dir, `${label}.disabled`)) ? 'disabled' : 'enabled';
    process.stdout.write(`disabled services = {\n\t"${label}" => ${word}\n}\n`);
  },
};
await (verbs[verb] ?? (() => fail(64, `Unrecognized subcommand: ${verb}`)))();
