// A nats-server of one's own, for a trial on this machine: in the foreground, on loopback, gone with Ctrl-C.
import { hostname } from 'node:os';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { claimDirectory } from '../../../base/files/own-path.ts';
import { readPrivate, writePrivate } from '../../../base/files/private-file.ts';
import { newToken } from '../../../base/ids.ts';
import { identityOf, isAlive, readIdentity } from '../../../base/process/process-identity.ts';
import { shellWord } from '../../../base/text/plain-word.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, say } from '../../output/out.ts';
import { findProgram } from '../service/doubts.ts';

export interface ClusterUpOptions {
  state: string;
  port: number;
  /** Where the server keeps what it knows. Default: `nats` in the state folder. */
  store?: string;
}

/** Debian has it where the PATH of an ordinary user does not lead. */
const moreFolders = ['/usr/local/sbin', '/usr/sbin'];
/** Of what the server says, for when it fails. */
const lastLines = 5;

/** Runs until a signal ends it, or the server by itself. @throws CliError */
export async function clusterUp({ state, port, store }: ClusterUpOptions): Promise<number> {
  const program = findProgram('nats-server', [process.env.PATH ?? '', ...moreFolders].join(delimiter));
  if (program === undefined) throw missing;
  if (store === undefined) claimDirectory(state);
  const dir = claimDirectory(store ?? join(state, 'nats'));
  const ownFile = join(dir, 'server.json');
  const other = readIdentity(JSON.parse(readPrivate(ownFile) || 'null'));
  if (other && isAlive(other)) throw runsAlready(other.pid, dir);
  const tokenFile = join(dir, 'token');
  const token = readPrivate(tokenFile)?.trim() || newToken();
  writePrivate(tokenFile, `${token}\n`);
  const config = join(dir, 'server.conf');
  writePrivate(config, configText({ port, dir, token }));
  // The server makes its files for a group, too.
  process.umask(0o077);
  const server = execa(program, ['-c', config], { stdin: 'ignore', reject: false, buffer: false });
  if (server.pid !== undefined) writePrivate(ownFile, `${JSON.stringify(identityOf(server.pid))}\n`);
  let isStopping = false;
  // The way it ends in order; Ctrl-C tells it, too, and once more does no harm.
  const stop = () => {
    isStopping = true;
    server.kill('SIGINT');
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  const last: string[] = [];
  for await (const line of server.iterable({ from: 'stderr' })) {
    last.push(line);
    last.splice(0, last.length - lastLines);
    if (line.endsWith('Server is ready')) announce(port, tokenFile);
  }
  const { shortMessage } = await server;
  if (!isStopping) throw ended(port, last, shortMessage ?? 'It ended by itself.');
  say(
    'The nats-server has stopped. What the nodes knew of each other is kept for the next start. Bridges go on with the conversations that live with them; new ones, and those of another node, wait for it.',
  );
  return exitCodes.ok;
}

const configText = ({ port, dir, token }: { port: number; dir: string; token: string }): string =>
  `# Written by \`synthesis cluster up\` at each start.
listen: "127.0.0.1:${port}"
jetstream { store_dir: ${JSON.stringify(dir)} }
authorization { token: ${JSON.stringify(token)} }
`;

/** Lines to copy go to standard output as they are, the rest around them. */
function announce(port: number, tokenFile: string): void {
  const node = nodeName(hostname());
  const setting = (name: string) =>
    `synthesis config set cluster ${shellWord(JSON.stringify({ node: name, servers: [`nats://127.0.0.1:${port}`], tokenFile }))}`;
  say(`The nats-server is ready on 127.0.0.1:${port}, for a trial: no other machine reaches it there.`);
  say('\nTo make the bridge of this machine a node:\n');
  print(`${setting(node)}\nsynthesis up -d --replace`);
  say('\nFor a second node to try it with, on this machine as well, with files of its own:\n');
  const second = 'SYNTHESIS_HOME="$HOME/synthesis-second"';
  print(`${second} ${setting('second')}\n${second} synthesis up -d --port 18802`);
  say(
    '\nA bridge on another machine is a node of this trial for as long as SSH carries the port there, and with a copy of the token file; `synthesis docs many-machines` says how, and what to run for good.\n\nPress Ctrl-C to stop the server.',
  );
}

/** What a machine's own name makes of the name of a node. */
export const nodeName = (host: string): string =>
  host
    .toLowerCase()
    .split('.', 1)
    .join('')
    .split(/[^a-z0-9]/)
    .filter((word) => word !== '')
    .join('-')
    .slice(0, 32)
    .replace(/-$/, '') || 'first';

const missing = new CliError(
  'failure',
  'nats_missing',
  'nats-server was not found. Nothing was started.',
  'Install it: `apt install nats-server` on Debian, `brew install nats-server` on a Mac, or run the container `nats` yourself (`synthesis docs many-machines`).',
);

const runsAlready = (pid: number, dir: string) =>
  new CliError(
    'already_running',
    'nats_runs',
    `The nats-server of this trial runs already (pid ${pid}, files in ${dir}). Nothing was changed.`,
    `Ctrl-C where it was started ends it, or \`kill ${pid}\`.`,
  );

function ended(port: number, last: readonly string[], how: string): CliError {
  const said = last.map((line) => line.replace(/^\[\d+\] \S+ \S+ /, ''));
  if (said.some((line) => line.includes('address already in use')))
    return new CliError(
      'failure',
      'port_in_use',
      `Port ${port} on 127.0.0.1 is in use, perhaps by another nats-server. Nothing was started.`,
      'Choose another one: `synthesis cluster up --port <n>`.',
    );
  return new CliError(
    'failure',
    'nats_failed',
    `The nats-server ended: ${said.join(' / ') || how}`,
    'What it kept is still there, and bridges go on with the conversations that live with them. Mend what it says, and run the same command again.',
  );
}
