import type { Host, HostedHooks } from '../../../src/bridge/claude/host-port.ts';

/** A host of which only the hooks are there. */
export class NoHost implements Host {
  readonly hooksUrl = '';
  readonly memo = new Uint8Array();
  hooks: HostedHooks | undefined;
  /** In order. */
  readonly answers: [n: number, body: unknown][] = [];
  readonly kept: string[] = [];
  /** What Claude Code's MCP client was told. */
  readonly notices: unknown[] = [];
  #count = 0;

  start(): never {
    throw new Error('nothing is started here');
  }

  /** A hook comes, and waits for its answer. @returns its number */
  hooked(
    event: string,
    fields: object,
    more: { request?: 'none' | 'open' | 'written' | 'gone'; n?: number } = {},
  ): number {
    const { request = 'open', n = this.#count + 1 } = more;
    this.#count = n;
    const body = Buffer.from(JSON.stringify({ hook_event_name: event, ...fields }));
    this.hooks?.came({ n, event, body, request });
    return n;
  }

  attach(hooks: HostedHooks): void {
    this.hooks = hooks;
  }

  answer(n: number, body: string): void {
    this.answers.push([n, body === '' ? undefined : JSON.parse(body)]);
  }

  notify(message: string): void {
    this.notices.push(JSON.parse(message));
  }

  acknowledge(n: number): void {
    this.kept.push(`heard ${n}`);
  }

  done(n: number): void {
    this.kept.push(`done ${n}`);
  }

  lease(ms: number | undefined): void {
    this.kept.push(`lease ${ms}`);
  }

  remember = () => {};
  keep = () => {};
  leave = () => {};
  quit = async () => {};
}
