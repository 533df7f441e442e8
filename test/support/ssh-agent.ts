// An ssh-agent of the test's own.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until.ts';

export class SshAgent implements AsyncDisposable {
  /** What its clients are told. */
  readonly env: { SSH_AUTH_SOCK: string };
  readonly #child: ChildProcess;

  private constructor(socket: string) {
    this.env = { SSH_AUTH_SOCK: socket };
    this.#child = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' });
  }

  /** @param keys files of private keys without a passphrase */
  static async start(folder: string, ...keys: string[]): Promise<SshAgent> {
    const socket = join(folder, 'agent.sock');
    const agent = new SshAgent(socket);
    await until('the agent', () => existsSync(socket), 10_000);
    for (const key of keys)
      execFileSync('ssh-add', ['-q', key], { env: { ...process.env, ...agent.env }, stdio: 'ignore' });
    return agent;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill();
    await once(this.#child, 'exit');
  }
}
