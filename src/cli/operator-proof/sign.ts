// Signs a decision with the operator's own SSH key: `ssh-keygen` does it, with the agent or a file of `~/.ssh`.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../base/process/run-program.ts';
import { proofNamespace } from '../../domain/views/operator-proof.ts';
import { CliError } from '../cli-error.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface SignOptions {
  text: string;
  /** Public keys, a line each: whichever is there first signs. */
  keys: readonly string[];
  env: Env;
  /** Gives it up. */
  signal: AbortSignal;
  /** May ask for a passphrase at the terminal; otherwise it has none. */
  hasTerminal: boolean;
}

/** For the agent to say which keys it has, ms. */
const agentMs = 5_000;
const maxOutput = 16 * 1024;

/** Returns the armoured signature. @throws CliError in words */
export async function signDecision(options: SignOptions): Promise<string> {
  const { keys, env } = options;
  if (env.SYNTHESIS_SSH_KEY) return await run(options, ['-f', env.SYNTHESIS_SSH_KEY]);
  const inAgent = await keyInAgent(keys, env);
  if (inAgent !== undefined) return await withKeyFile(inAgent, (file) => run(options, ['-U', '-f', file]));
  const file = keyFile(keys, env);
  if (file === undefined) throw noKey(env);
  return await run(options, ['-f', file]);
}

/** What tells two keys apart: the comment does not. */
const coreOf = (line: string): string => line.trim().split(/\s+/).slice(0, 2).join(' ');

async function keyInAgent(keys: readonly string[], env: Env): Promise<string | undefined> {
  if (!env.SSH_AUTH_SOCK) return undefined;
  const listed = await runProgram({ command: ['ssh-add', '-L'], timeoutMs: agentMs, env });
  const there = listed.ok ? listed.stdout.split('\n').map(coreOf) : [];
  return keys.find((key) => there.includes(coreOf(key)));
}

/** The private half lies beside the public one. */
function keyFile(keys: readonly string[], env: Env): string | undefined {
  const folder = join(env.HOME || homedir(), '.ssh');
  if (!existsSync(folder)) return undefined;
  const wanted = keys.map(coreOf);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.pub'))
    .map((name) => join(folder, name))
    .find((path) => wanted.includes(coreOf(textOf(path))) && existsSync(path.slice(0, -'.pub'.length)))
    ?.slice(0, -'.pub'.length);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** `ssh-keygen` takes the name of a file for a key that the agent has. */
async function withKeyFile<T>(key: string, use: (file: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'synthesis-key-'));
  const file = join(folder, 'key.pub');
  try {
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
    return await use(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run({ text, env, signal, hasTerminal }: SignOptions, key: readonly string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = spawn('ssh-keygen', ['-Y', 'sign', '-n', proofNamespace, ...key], {
    env: { ...env },
    stdio: ['pipe', 'pipe', hasTerminal ? 'inherit' : 'pipe'],
    // Without a terminal of its own it cannot draw into a screen that somebody else has.
    detached: !hasTerminal,
    killSignal: 'SIGKILL',
    signal,
  });
  const told = { out: '', err: '' };
  const keep = (name: 'out' | 'err') => (chunk: Buffer) => {
    told[name] = (told[name] + chunk.toString('utf8')).slice(0, maxOutput);
  };
  child.stdout?.on('data', keep('out'));
  child.stderr?.on('data', keep('err'));
  child.on('error', (error: NodeJS.ErrnoException) =>
    reject(error.name === 'AbortError' ? givenUp() : failed(error.code)),
  );
  child.on('close', (code) => {
    if (code === 0 && told.out !== '') resolve(told.out);
    else reject(notSigned(told.err));
  });
  // One that ends without reading is told by its exit code.
  child.stdin?.on('error', () => {});
  child.stdin?.end(text);
  return promise;
}

const unchanged = 'Nothing was decided.';

export const givenUp = (): CliError =>
  new CliError(
    'failure',
    'cancelled',
    `No proof was given. ${unchanged}`,
    'Run it again when you have your key at hand.',
  );

const failed = (code: string | undefined): CliError =>
  code === 'ENOENT'
    ? new CliError(
        'denied',
        'no_ssh_keygen',
        `\`ssh-keygen\` was not found, and a decision is signed with it. ${unchanged}`,
        'Install OpenSSH (the package `openssh-client` on Debian), then run it again.',
      )
    : new CliError(
        'denied',
        'not_signed',
        `\`ssh-keygen\` could not be started (${code ?? 'unknown error'}). ${unchanged}`,
        'Check that it can be run, then try again.',
      );

const noKey = (env: Env): CliError =>
  new CliError(
    'denied',
    'no_key',
    `None of the keys of \`operator.secret\` is ${env.SSH_AUTH_SOCK ? 'in your ssh-agent or ' : ''}in ~/.ssh${env.SSH_AUTH_SOCK ? '' : ', and no ssh-agent runs'}. ${unchanged}`,
    'Add it with `ssh-add`, or name its file in SYNTHESIS_SSH_KEY.',
  );

const notSigned = (words: string): CliError => {
  // Its own words, without what could move a cursor.
  const said =
    words
      .replace(/[^\x20-\x7e\n]/g, '')
      .trim()
      .split('\n')
      .at(-1)
      ?.slice(0, 200) ?? '';
  return new CliError(
    'denied',
    'not_signed',
    `\`ssh-keygen\` did not sign.${said === '' ? '' : ` It says: ${said.replace(/\.?$/, '.')}`} ${unchanged}`,
    'Unlock or touch your key, and run it again.',
  );
};
