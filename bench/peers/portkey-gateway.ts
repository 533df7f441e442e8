// Portkey's gateway as it is shipped, in front of a server that is fed with frames.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lastingPort } from '../../test/support/lasting-port.ts';
import { until } from '../../test/support/until.ts';
import type { Feedable } from '../harness/fed.ts';
import type { Portkey } from './install-portkey.ts';

/** It takes a second or two. */
const startMs = 30_000;

export class PortkeyGateway implements Feedable, AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #fields: Record<'url' | 'token' | 'frames', string>;
  readonly headers: Record<string, string>;

  private constructor(child: ChildProcess, port: number, upstream: Feedable) {
    this.#child = child;
    const [token, frames] = [upstream.text('token'), upstream.text('frames')];
    this.#fields = { url: `http://127.0.0.1:${port}`, token, frames };
    this.headers = {
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `${upstream.text('url')}/v1`,
      'x-portkey-forward-headers': 'x-synthesis-session',
    };
  }

  /** @throws when it ends, or does not answer within 30 s */
  static async start(
    { script }: Portkey,
    upstream: Feedable,
    env: Record<string, string>,
  ): Promise<PortkeyGateway> {
    const port = await lastingPort();
    const args = [script, '--headless', `--port=${port}`];
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    const gateway = new PortkeyGateway(child, port, upstream);
    try {
      await until('Portkey’s gateway', () => gateway.#answers(), startMs);
    } catch (error) {
      await gateway[Symbol.asyncDispose]();
      throw error;
    }
    return gateway;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  text(field: 'url' | 'token' | 'frames'): string {
    return this.#fields[field];
  }

  /** It has nothing to write down. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }

  async #answers(): Promise<boolean> {
    if (this.#child.exitCode !== null) throw new Error(`it exited with ${this.#child.exitCode}`);
    try {
      return (await fetch(this.#fields.url)).ok;
    } catch {
      return false;
    }
  }
}
