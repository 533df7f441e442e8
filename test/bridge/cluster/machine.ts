// One machine of a cluster without its bridge: conversations in a journal, homes at a real nats-server, and a line to the
// other machine that can be cut.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Duplex, duplexPair } from 'node:stream';
import { silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { Dispatcher } from '../../../src/bridge/app/dispatcher.ts';
import { MoveDesk } from '../../../src/bridge/app/moves/move-desk.ts';
import { memoryFolder } from '../../../src/bridge/claude/launch/memory-folder.ts';
import { transcriptFor, transcriptOf } from '../../../src/bridge/claude/transcripts.ts';
import type { Bucket } from '../../../src/bridge/cluster/bucket.ts';
import { ConversationFiles } from '../../../src/bridge/cluster/files/conversation-files.ts';
import { Homes } from '../../../src/bridge/cluster/homes.ts';
import { type MovePort, Moves } from '../../../src/bridge/cluster/move/moves.ts';
import { receiveParcel } from '../../../src/bridge/cluster/move/receive-parcel.ts';
import { MemoryJournal } from '../../../src/bridge/journal/memory-journal.ts';

const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;

/** Where it dies: everything it does from there on fails, and nobody hears of it. */
export type Death =
  | 'before the parcel'
  | 'with the parcel half sent'
  | 'with the parcel kept'
  | 'with the home given';

export class Machine implements Disposable {
  readonly node: string;
  readonly claude = mkdtempSync(join(tmpdir(), 'machine-'));
  readonly files = new ConversationFiles({
    folders: (key) => ({ memory: this.memoryOf(key) }),
    isOwn: () => true,
    log: silentLog,
  });
  readonly #bucket: Bucket;
  readonly journal = new MemoryJournal();
  dispatcher!: Dispatcher;
  desk!: MoveDesk;
  moves!: Moves;
  homes!: Homes;
  other!: Machine;
  dies: Death | undefined;
  /** It knows nothing of files that come with a conversation. */
  isEarlier = false;
  /** What happens while its Claude Code ends. */
  beforeEnd = () => {};
  /** What happens once the other machine has all of it. */
  beforeGive = async () => {};

  constructor(node: string, bucket: Bucket) {
    this.node = node;
    this.#bucket = bucket;
    this.begin();
  }

  /** A bridge that starts on what is on the disk. */
  begin(): void {
    this.dies = undefined;
    this.dispatcher = new Dispatcher({
      journal: this.journal,
      log: silentLog,
      limits: { queued: 3 },
      perform: (key, effect) => {
        if (effect.type !== 'stop') return;
        this.beforeEnd();
        this.dispatcher.dispatch(key, { type: 'agent.exited', detail: 'ended' });
      },
      failed: (error) => {
        throw error;
      },
    });
    this.dispatcher.load();
    this.desk = new MoveDesk({ dispatcher: this.dispatcher, clock: systemClock, launchFor: () => launch });
    this.homes = new Homes({
      node: this.node,
      bucket: () => this.#bucket,
      pinOf: () => undefined,
      has: (key) => this.dispatcher.session(key)?.removed === false,
      clock: systemClock,
    });
    const homes = this.#dying(this.homes, { give: 'with the parcel kept', keep: undefined });
    this.moves = new Moves({
      node: this.node,
      homes,
      port: this.#port(),
      files: this.files,
      dial: async () => this.#line(),
      log: silentLog,
    });
  }

  /** A conversation with one turn that is over, and its Claude Code alive. */
  talk(key: string, text: string): void {
    const say = (command: Parameters<Dispatcher['dispatch']>[1]) => {
      const outcome = this.dispatcher.dispatch(key, command);
      if (!outcome.ok) throw new Error(`${command.type} was refused: ${outcome.rejection.code}`);
    };
    const turn = randomUUID();
    say({ type: 'turn.submit', turn, claude: randomUUID(), launch, ingress: 'openai', text });
    say({ type: 'agent.starting' });
    say({ type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] });
    say({ type: 'prompt.handing', turn });
    say({ type: 'prompt.taken', turn, prompt: turn });
    say({ type: 'turn.rest', prompt: turn, last: `said of ${text}` });
    say({ type: 'turn.stopped' });
  }

  memoryOf(key: string): string {
    return join(this.claude, memoryFolder(key));
  }

  /** What was said in a conversation that lives here; undefined when none of this name does. */
  texts(key: string): string[] | undefined {
    const session = this.dispatcher.session(key);
    return session && !session.removed && !session.move ? session.turns.map(({ text }) => text) : undefined;
  }

  [Symbol.dispose](): void {
    rmSync(this.claude, { recursive: true, force: true });
  }

  #port(): MovePort {
    const { desk, claude } = this;
    const port: MovePort = {
      get onTheWay() {
        return desk.onTheWay;
      },
      leave: (key, node, ms, signal) => desk.leave(key, node, ms, signal),
      house: (key) => desk.house(key),
      gone: (key) => desk.gone(key),
      transcript: (id) => transcriptOf(claude, id),
    };
    return this.#dying(port, { gone: 'with the home given', house: undefined });
  }

  /** @param deaths what is not done any more, and in which case it is the first thing not to be done */
  #dying<T extends object>(whole: T, deaths: { [K in keyof T]?: Death | undefined }): T {
    return new Proxy(whole, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target);
        if (!(name in deaths) || typeof value !== 'function')
          return typeof value === 'function' ? value.bind(target) : value;
        return async (...given: unknown[]) => {
          const at = deaths[name as keyof T];
          if (this.dies !== undefined && (at === undefined || at === this.dies))
            throw new Error('the machine died');
          if (name === 'give') await this.beforeGive();
          return value.apply(target, given);
        };
      },
    });
  }

  #line(): Duplex {
    if (this.dies === 'before the parcel') throw new Error('the machine died');
    const [near, far] = duplexPair();
    const { other } = this;
    void receiveParcel(other.isEarlier ? withoutFiles(far) : far, {
      transcriptFor: (_, id) => transcriptFor(other.claude, id, '/w'),
      files: other.files,
      expect: () => {
        if (this.dies === 'with the parcel half sent') far.destroy();
      },
      arrive: ({ session, from, state }) => other.desk.arrive(session, from, state),
      look: (key) => other.moves.look(key),
    });
    return near;
  }
}

/** What a release that knows nothing of files reads of a conversation. */
function withoutFiles(far: Duplex): Duplex {
  const [near, end] = duplexPair();
  const lines = createInterface({ input: far });
  lines.on('line', (line) => near.write(`${JSON.stringify({ ...JSON.parse(line), files: undefined })}\n`));
  lines.on('close', () => near.end());
  near.pipe(far);
  return end;
}
