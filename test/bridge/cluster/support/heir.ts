// One machine whose conversations another may take over, without its bridge: a journal, homes and copies at a real
// nats-server, and Claude Code's folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../../../src/base/log.ts';
import { Dispatcher } from '../../../../src/bridge/app/dispatcher.ts';
import { MoveDesk } from '../../../../src/bridge/app/moves/move-desk.ts';
import { memoryFolder } from '../../../../src/bridge/claude/launch/memory-folder.ts';
import { transcriptFor, transcriptOf } from '../../../../src/bridge/claude/transcripts.ts';
import type { Bucket } from '../../../../src/bridge/cluster/bucket.ts';
import { Copies } from '../../../../src/bridge/cluster/copies/copies.ts';
import type { CopyStore } from '../../../../src/bridge/cluster/copies/copy-store.ts';
import { ConversationFiles } from '../../../../src/bridge/cluster/files/conversation-files.ts';
import { Homes } from '../../../../src/bridge/cluster/homes.ts';
import { Custody } from '../../../../src/bridge/cluster/takeover/custody.ts';
import { Takeover } from '../../../../src/bridge/cluster/takeover/takeover.ts';
import { MemoryJournal } from '../../../../src/bridge/journal/memory-journal.ts';
import type { Command } from '../../../../src/domain/commands.ts';
import { Line } from './copies.ts';

const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;

export class Heir implements Disposable {
  readonly claude = mkdtempSync(join(tmpdir(), 'heir-'));
  readonly files = new ConversationFiles({
    folders: (key) => ({ memory: this.memoryOf(key) }),
    isOwn: (key) => !key.startsWith('shared'),
    log: silentLog,
  });
  readonly line: Line;
  readonly dispatcher: Dispatcher;
  readonly homes: Homes;
  readonly copies: Copies;
  readonly custody: Custody;
  readonly takeover: Takeover;
  /** Nodes that have lost what they had. */
  readonly gone = new Set<string>();
  /** What was performed of it, in order. */
  readonly effects: string[] = [];
  readonly leases: [string, number][] = [];
  refusal: string | undefined;
  isArriving = false;

  constructor(node: string, bucket: Bucket, real: CopyStore) {
    this.line = new Line(real);
    const journal = new MemoryJournal();
    const { line } = this;
    const { clock } = line;
    const log = silentLog;
    const store = () => (line.isAway ? undefined : line.store);
    const has = (key: string) => this.dispatcher.session(key)?.removed === false;
    this.dispatcher = new Dispatcher({
      journal,
      log,
      limits: { queued: 9 },
      copies: () => this.copies,
      perform: (_, { type }) => this.effects.push(type),
      failed: () => {},
    });
    const desk = new MoveDesk({ dispatcher: this.dispatcher, clock, launchFor: () => launch });
    this.homes = new Homes({
      node,
      bucket: () => (line.isAway ? undefined : bucket),
      pinOf: () => undefined,
      has,
      clock,
    });
    this.copies = new Copies({
      node,
      instance: `${node} ${Math.random()}`,
      store,
      own: (key) => this.homes.own(key, true),
      session: (key) => this.dispatcher.session(key),
      seq: () => this.dispatcher.seq,
      transcript: (id) => transcriptOf(this.claude, id),
      files: (key) => this.files.read(key),
      lost: (key) => void this.custody.lost(key),
      clock,
      log,
    });
    this.custody = new Custody({
      node,
      copies: this.copies,
      homes: this.homes,
      seq: () => this.dispatcher.seq,
      port: {
        wants: (key) => !key.startsWith('local'),
        keys: () => this.dispatcher.sessions().map(({ key }) => key),
        isHeld: (key) => this.dispatcher.session(key)?.move?.as === 'held',
        hold: (key, ends) => desk.hold(key, node, ends),
        house: (key, held) => desk.house(key, held),
        gone: (key) => desk.gone(key),
        lease: (key, ms) => this.leases.push([key, ms]),
      },
      log,
    });
    this.takeover = new Takeover({
      node,
      homes: this.homes,
      store,
      gone: () => this.gone,
      files: this.files,
      port: {
        refusal: () => this.refusal,
        has,
        free: (key) => desk.free(key, new AbortController().signal),
        transcriptFor: (_, id) => this.fileOf(id),
        arrive: async (key, from, state) => {
          this.isArriving = true;
          await desk.arrive(key, from, state);
          desk.recover(key, from);
          this.isArriving = false;
        },
        house: (key) => this.custody.house(key),
      },
      clock,
      log,
    });
    journal.subscribe((row) => {
      if (!this.isArriving) this.custody.observe(row);
    });
  }

  memoryOf(key: string): string {
    return join(this.claude, memoryFolder(key));
  }

  fileOf(id: string): string {
    return transcriptFor(this.claude, id, launch.cwd);
  }

  /** @throws what is refused */
  say(key: string, command: Command): number {
    const outcome = this.dispatcher.dispatch(key, command);
    if (!outcome.ok) throw new Error(outcome.rejection.code);
    return outcome.seq;
  }

  /** A message. Resolves when it is acknowledged. */
  async send(key: string, text: string): Promise<void> {
    const turn = `turn ${text}`;
    const seq = this.say(key, {
      type: 'turn.submit',
      turn,
      claude: `claude of ${key}`,
      launch,
      ingress: 'openai',
      text,
    });
    await this.dispatcher.durable(seq, key);
  }

  /** Its messages, and what became of them. */
  turns(key: string): Record<string, string> | undefined {
    const session = this.dispatcher.session(key);
    if (!session || session.removed) return undefined;
    return Object.fromEntries(
      session.turns.map(({ text, phase }) => [text, 'code' in phase ? `${phase.code}` : phase.name]),
    );
  }

  move(key: string): string | undefined {
    return this.dispatcher.session(key)?.move?.as;
  }

  /** It stops where it is, and nobody hears of it any more. */
  dies(): void {
    this.line.isAway = true;
    this.copies.close();
  }

  [Symbol.dispose](): void {
    this.dies();
    rmSync(this.claude, { recursive: true, force: true });
  }
}
