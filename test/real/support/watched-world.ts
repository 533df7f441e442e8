// A world, and what is known of its chats: by the bridge's journal, and by Claude Code's own transcripts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorSocket, type Row } from '../../support/operator-socket.ts';
import { until } from '../../support/until.ts';
import type { MessagesApi } from './messages-api.ts';
import { World, type WorldOptions } from './world.ts';

export class WatchedWorld implements AsyncDisposable {
  readonly #world: World;
  readonly #operator: OperatorSocket;

  private constructor(world: World, operator: OperatorSocket) {
    this.#world = world;
    this.#operator = operator;
  }

  static async start(name: string, options?: WorldOptions): Promise<WatchedWorld> {
    await using stack = new AsyncDisposableStack();
    const world = stack.use(await World.start(name, options));
    const operator = await OperatorSocket.open(world.stateDir);
    stack.move();
    return new WatchedWorld(world, operator);
  }

  get api(): MessagesApi {
    return this.#world.api;
  }

  get home(): World['home'] {
    return this.#world.home;
  }

  /** Working directory of the sessions. */
  get cwd(): string {
    return this.#world.cwd;
  }

  /** Sends one message of a chat and returns the whole answer. */
  ask(chat: string, text: string): Promise<string> {
    return this.#world.bridge.ask(chat, text);
  }

  /** As `Bridge.command`. */
  command(...args: string[]): Promise<string> {
    return this.#world.bridge.command(...args);
  }

  /** As `OperatorSocket.press`. */
  press(chat: string, drawn: string, keys: string): Promise<void> {
    return this.#operator.press(chat, drawn, keys);
  }

  /** Codes of what is wrong with the only chat, as `ps` has it. */
  async health(): Promise<string[]> {
    const rows = JSON.parse(await this.command('ps', '--json')) as { health: { code: string }[] }[];
    return (rows[0]?.health ?? []).map(({ code }) => code);
  }

  events(chat: string, type: string): Row['event'][] {
    return this.#operator.rows
      .filter(({ session, event }) => session === chat && event.type === type)
      .map(({ event }) => event);
  }

  /** All that Claude has said in a chat, or in one turn of it, as the journal has it. */
  said(chat: string, turn?: unknown): string {
    const messages = Map.groupBy(
      [...this.events(chat, 'answer.delta'), ...this.events(chat, 'answer.repaired')].filter(
        (event) => turn === undefined || event.turn === turn,
      ),
      ({ message }) => message,
    );
    return [...messages.values()]
      .map((parts) => parts.sort((a, b) => Number(a.index ?? 0) - Number(b.index ?? 0)))
      .map((parts) => parts.map(({ text }) => text).join(''))
      .join('\n');
  }

  /** Waits until Claude has said these words in a chat. */
  says(chat: string, words: string): Promise<unknown> {
    const what = () =>
      `"${words}" in the journal:\n${this.said(chat)}\nClaude Code's transcript has:\n${this.written(chat).join('\n')}`;
    return until(what, () => this.said(chat).includes(words), 30_000);
  }

  /** Waits until every turn of a chat has ended. */
  async rests(chat: string): Promise<void> {
    const open = () => {
      const begun = [...this.events(chat, 'turn.queued'), ...this.events(chat, 'turn.adopted')];
      const over = new Set(this.events(chat, 'turn.settled').map(({ turn }) => turn));
      return begun.filter(({ turn }) => !over.has(turn));
    };
    await until(
      () => `the end of ${JSON.stringify(open())}`,
      () => open().length === 0,
      30_000,
    );
  }

  /** Whatever Claude said in a chat, text by text, by its own transcript; not what Claude Code puts in for it. */
  written(chat: string): string[] {
    return this.#transcript(chat).flatMap(({ type, message }) =>
      type === 'assistant' && message?.model !== '<synthetic>'
        ? (message?.content ?? []).flatMap(({ text }) => text ?? [])
        : [],
    );
  }

  /** How often Claude Code put something in line for Claude: a report of an agent, for example. */
  enqueued(chat: string): number {
    return this.#transcript(chat).filter(({ operation }) => operation === 'enqueue').length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#operator[Symbol.asyncDispose]();
    await this.#world[Symbol.asyncDispose]();
    const broken = this.#operator.rows.find(({ event }) => event.type === 'session.broken');
    if (broken) throw new Error(`the bridge lost track: ${JSON.stringify(broken)}`);
  }

  #transcript(chat: string): Line[] {
    const projects = join(this.#world.home.path, '.claude/projects');
    const claude = this.events(chat, 'session.claude').at(-1)?.claude;
    // Those of its agents lie in a folder of their own.
    const file = readdirSync(projects, { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith(`${claude}.jsonl`),
    );
    if (!file) return [];
    const lines = readFileSync(join(projects, file), 'utf8').split('\n');
    // The last one may be half written.
    return lines.slice(0, -1).map((line) => JSON.parse(line) as Line);
  }
}

interface Line {
  type: string;
  operation?: string;
  message?: { model?: string; content: { text?: string }[] };
}
