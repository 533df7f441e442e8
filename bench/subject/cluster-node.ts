// A node of a cluster without its bridge: a journal on the disk, what Claude Code keeps, and real nats-servers that have all
// of it, too.
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { silentLog } from '../../src/base/log.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import { Dispatcher } from '../../src/bridge/app/dispatcher.ts';
import { MoveDesk } from '../../src/bridge/app/moves/move-desk.ts';
import { transcriptFor, transcriptOf } from '../../src/bridge/claude/transcripts.ts';
import { Bucket } from '../../src/bridge/cluster/bucket.ts';
import { Copies } from '../../src/bridge/cluster/copies/copies.ts';
import { CopyStore } from '../../src/bridge/cluster/copies/copy-store.ts';
import { Homes } from '../../src/bridge/cluster/homes.ts';
import { Custody } from '../../src/bridge/cluster/takeover/custody.ts';
import { Takeover } from '../../src/bridge/cluster/takeover/takeover.ts';
import type { SqliteJournal } from '../../src/bridge/journal/sqlite-journal.ts';
import { openJournal } from '../../src/bridge/journal/start/open-journal.ts';
import type { Command } from '../../src/domain/commands.ts';
import { toServers } from '../../test/bridge/cluster/support/nodes.ts';
import { until } from '../../test/support/until.ts';

const cwd = '/work';
const launch = { cwd, permissionMode: 'manual', delivery: 'terminal' } as const;

export interface ClusterNodeOptions {
  node: string;
  /** Of the cluster. */
  name: string;
  servers: string[];
  /** Empty, of its own. */
  dir: string;
}

export class ClusterNode implements AsyncDisposable {
  readonly node: string;
  readonly connection: NatsConnection;
  readonly dispatcher: Dispatcher;
  readonly copies: Copies;
  readonly #name: string;
  readonly #claude: string;
  readonly #journal: SqliteJournal;
  readonly #takeover: Takeover;
  #gone: ReadonlySet<string> = new Set();

  private constructor(
    { node, name, dir }: ClusterNodeOptions,
    { connection, bucket, store }: { connection: NatsConnection; bucket: Bucket; store: CopyStore },
  ) {
    this.node = node;
    this.connection = connection;
    this.#name = name;
    this.#claude = join(dir, 'claude');
    this.#journal = openJournal({ dir }).journal;
    this.dispatcher = new Dispatcher({
      journal: this.#journal,
      log: silentLog,
      limits: { queued: 3 },
      copies: () => this.copies,
      perform: () => {},
      failed: (error) => {
        throw error;
      },
    });
    const { dispatcher } = this;
    const desk = new MoveDesk({ dispatcher, clock: systemClock, launchFor: () => launch });
    const has = (key: string) => dispatcher.session(key)?.removed === false;
    const homes = new Homes({ node, bucket: () => bucket, pinOf: () => undefined, has, clock: systemClock });
    const seq = () => dispatcher.seq;
    this.copies = new Copies({
      node,
      instance: randomUUID(),
      store: () => store,
      own: (key) => homes.own(key, true),
      session: (key) => dispatcher.session(key),
      seq,
      transcript: (id) => transcriptOf(this.#claude, id),
      files: async () => [],
      lost: (key) => {
        throw new Error(`${key} was lost`);
      },
      clock: systemClock,
      log: silentLog,
    });
    const custody = new Custody({
      node,
      copies: this.copies,
      homes,
      seq,
      log: silentLog,
      port: {
        wants: () => true,
        keys: () => dispatcher.sessions().map(({ key }) => key),
        isHeld: (key) => dispatcher.session(key)?.move?.as === 'held',
        hold: (key, ends) => desk.hold(key, node, ends),
        house: (key, held) => desk.house(key, held),
        gone: (key) => desk.gone(key),
        lease: () => {},
      },
    });
    const arriving = new Set<string>();
    this.#takeover = new Takeover({
      node,
      homes,
      store: () => store,
      gone: () => this.#gone,
      files: { write: async () => {} },
      clock: systemClock,
      log: silentLog,
      port: {
        refusal: () => undefined,
        free: async () => {},
        has,
        transcriptFor: (_, id) => transcriptFor(this.#claude, id, cwd),
        arrive: async (key, from, state) => {
          arriving.add(key);
          await desk.arrive(key, from, state);
          desk.recover(key, from);
          arriving.delete(key);
        },
        house: (key) => custody.house(key),
      },
    });
    this.#journal.subscribe((row) => {
      if (!arriving.has(row.session)) custody.observe(row);
    });
  }

  static async start(options: ClusterNodeOptions): Promise<ClusterNode> {
    const { servers, name } = options;
    const connection = await toServers(servers);
    const replicas = servers.length;
    // Servers that have just begun agree within seconds on who leads them.
    const open = async () => ({
      connection,
      bucket: await Bucket.open(connection, name, replicas),
      store: await CopyStore.open(connection, name, { replicas, maxBytes: 4 * 1024 ** 3 }),
    });
    return new ClusterNode(options, await until('a quorum', () => open().catch(() => undefined), 60_000));
  }

  get keys(): string[] {
    return this.dispatcher.sessions().map(({ key }) => key);
  }

  /** The stream in which others find its conversations. */
  get stream(): string {
    return `COPY_${this.#name}`;
  }

  /** @returns seq of the last row of it @throws when it is refused */
  say(key: string, command: Command): number {
    const outcome = this.dispatcher.dispatch(key, command);
    if (!outcome.ok) throw new Error(`${command.type} was refused: ${outcome.rejection.code}`);
    return outcome.seq;
  }

  /** A message and its answer. @param kept so many bytes more that Claude Code knows of it then */
  async turn(key: string, text: string, kept = 0): Promise<void> {
    const turn = this.begin(key, text);
    const claude = this.dispatcher.session(key)?.claude?.id ?? '';
    const path = transcriptFor(this.#claude, claude, cwd);
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, kept > 0 ? `${'x'.repeat(kept - 1)}\n` : '');
    this.say(key, { type: 'turn.rest', prompt: turn, last: `You said: ${text}` });
    const last = this.say(key, { type: 'turn.stopped' });
    await this.dispatcher.durable(last, key);
  }

  /** A message that Claude is about to answer. @returns its turn and prompt */
  begin(key: string, text: string): string {
    const turn = randomUUID();
    const isNew = this.dispatcher.session(key) === undefined;
    this.say(key, { type: 'turn.submit', turn, claude: randomUUID(), launch, ingress: 'openai', text });
    if (isNew) {
      this.say(key, { type: 'agent.starting' });
      this.say(key, { type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] });
    }
    this.say(key, { type: 'prompt.handing', turn });
    this.say(key, { type: 'prompt.taken', turn, prompt: turn });
    return turn;
  }

  /** What Claude writes in an answer, one text after the other. @returns resolves when the servers have the next one, too */
  async answer(key: string): Promise<(text: string) => Promise<void>> {
    await this.turn(key, 'hello');
    const prompt = this.begin(key, 'go on');
    let index = 0;
    return async (text) => {
      const seq = this.say(key, { type: 'message.delta', prompt, message: 'm', text, final: false, index });
      index += 1;
      await this.copies.durable(key, seq);
    };
  }

  /** Nothing more of it comes to the servers, as of a machine that is gone. */
  vanish(): void {
    this.copies.close();
  }

  /** Resolves when all that it had lives here. @returns milliseconds */
  async takeOver(node: string): Promise<number> {
    this.#gone = new Set([node]);
    const from = performance.now();
    await this.#takeover.look();
    return performance.now() - from;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.copies.close();
    await this.#journal.close();
    await this.connection.close();
  }
}
