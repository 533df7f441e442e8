// What `stand-in-launchctl.sh` starts for a load: `<domain> <file>`. It leaves one process behind, which keeps the service
// running as launchd would; only what was killed is started again at once.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'plist';

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

const dir = process.env.LAUNCHD_DIR ?? '';
const [domain = '', path = '', isKeeper] = process.argv.slice(2);
const agent = parse(readFileSync(path, 'utf8')) as Agent;
const target = join(dir, domain, agent.Label);

function say(pid: number | undefined, runs: number, last: string): void {
  const lines = [
    `state = ${pid === undefined ? 'spawn scheduled' : 'running'}`,
    `runs = ${runs}`,
    ...(pid === undefined ? [] : [`pid = ${pid}`]),
    last,
    'resource coalition = {\n\t\tstate = active\n\t}',
  ];
  const text = lines.map((line) => `\t${line}\n`).join('');
  writeFileSync(`${target}.new`, `${domain}/${agent.Label} = {\n${text}}\n`);
  renameSync(`${target}.new`, `${target}.said`);
}

async function load(): Promise<void> {
  const session = domain.startsWith('gui/') ? 'Aqua' : 'Background';
  if (!existsSync(join(dir, `${domain}.said`)))
    fail(125, 'Bootstrap failed: 125: Domain does not support specified action');
  if (
    existsSync(`${target}.said`) ||
    existsSync(join(dir, `${agent.Label}.disabled`)) ||
    (agent.LimitLoadToSessionType ?? 'Aqua') !== session
  )
    fail(5, 'Bootstrap failed: 5: Input/output error');
  const args = [import.meta.filename, domain, path, 'keep'];
  const keeper = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise((resolve) => keeper.stdout.once('data', resolve));
  keeper.stdout.destroy();
  keeper.unref();
}

function fail(code: number, words: string): never {
  process.stderr.write(`${words}\n`);
  process.exit(code);
}

/** The process behind a loaded service. */
function keep(): void {
  const [program, ...args] = agent.ProgramArguments;
  const log = openSync(agent.StandardOutPath, 'a');
  let child: ChildProcess | undefined;
  let ending = false;
  let runs = 0;
  const leave = () => {
    writeFileSync(`${target}.leaving`, '2');
    say(undefined, runs, 'last exit code = 0');
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
    say(child.pid, runs, last);
    child.once('exit', (code, signal) => {
      if (ending) leave();
      const how = signal === null ? `last exit code = ${code}` : 'last terminating signal = Killed: 9';
      child = undefined;
      say(undefined, runs, how);
      if (code !== 0 && !agent.KeepAlive.SuccessfulExit)
        setTimeout(start, signal === null ? agent.ThrottleInterval * 1000 : 100, how);
    });
  };
  process.on('SIGTERM', () => {
    ending = true;
    if (child) child.kill('SIGTERM');
    else leave();
  });
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(`${target}.keeper`, String(process.pid));
  start('last exit code = (never exited)');
  process.stdout.write('started\n');
  // Nothing else keeps it while the service has ended well.
  setInterval(() => {}, 60_000);
}

if (isKeeper) keep();
else await load();
