// The stream of copies on a real nats-server, and lines to it that fail as a test says.
import type { NatsConnection } from '@nats-io/transport-node';
import { silentLog } from '../../../../src/base/log.ts';
import { CopyStore, type StoredCopy } from '../../../../src/bridge/cluster/copies/copy-store.ts';
import { FencedSubject } from '../../../../src/bridge/cluster/copies/fenced-subject.ts';
import { type Kept, readCopy } from '../../../../src/bridge/cluster/copies/read-copy.ts';
import { SessionCopy } from '../../../../src/bridge/cluster/copies/session-copy.ts';
import { readTranscript } from '../../../../src/bridge/cluster/copies/transcript-copy.ts';
import type { Command } from '../../../../src/domain/commands.ts';
import { decide } from '../../../../src/domain/decide/decide.ts';
import { evolve } from '../../../../src/domain/state/evolve.ts';
import { emptySession, type Session } from '../../../../src/domain/state/session.ts';
import { snapshotOf } from '../../../../src/domain/state/snapshot.ts';
import type { CarriedFile } from '../../../../src/protocol/cluster/carried-files.ts';
import type { CarriedState } from '../../../../src/protocol/cluster/cluster-copy.ts';
import type { SessionEvent } from '../../../../src/protocol/events/events.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { until } from '../../../support/until.ts';

let count = 0;
/** One that nobody else uses. */
export const freshStore = (connection: NatsConnection, maxBytes = 8 * 1024 * 1024): Promise<CopyStore> => {
  count += 1;
  return CopyStore.open(connection, `cluster-${count}`, { replicas: 1, maxBytes });
};

/** What lies there, oldest first. */
export async function all(store: CopyStore, subject: string): Promise<StoredCopy[]> {
  const found: StoredCopy[] = [];
  for await (const copy of store.read(subject)) found.push(copy);
  return found;
}

/** How one machine reaches the stream. */
export class Line {
  /** What does not get through: the way there, or the way back. */
  cut: 'there' | 'back' | undefined;
  /** Just before something is deleted. */
  beforeDelete: () => Promise<unknown> = async () => {};
  /** Just before something is published. */
  beforePublish: () => Promise<unknown> = async () => {};
  readonly clock = new ManualClock();
  readonly store: CopyStore;
  isAway = false;
  /** Nothing of what lies there can be read. */
  isUnread = false;
  /** Messages that were tried. */
  tried = 0;
  /** How many were erased by their numbers. */
  erased = 0;
  /** How often what lies before a message was erased. */
  swept = 0;

  constructor(real: CopyStore) {
    this.store = new Proxy(real, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target);
        if (name === 'publish' || name === 'last' || name === 'erase' || name === 'eraseEach')
          return async (...given: unknown[]) => {
            if (name === 'publish') this.tried += 1;
            if (name === 'eraseEach') this.erased += (given[0] as number[]).length;
            if (this.cut === 'there') throw new Error('timeout');
            if (name === 'erase' || name === 'eraseEach') await this.beforeDelete();
            if (name === 'publish') await this.beforePublish();
            const answer = await value.apply(target, given);
            if (name === 'erase') this.swept += 1;
            if (this.cut === 'back') throw new Error('timeout');
            return answer;
          };
        if (name === 'read' && this.isUnread) throw new Error('timeout');
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  owner(
    epoch: number,
    id = `owner ${epoch}`,
    kind: 'copy' | 'file' = 'copy',
    digest = 'digest',
  ): FencedSubject & { failed: unknown[] } {
    const failed: unknown[] = [];
    const subject = new FencedSubject({
      store: () => (this.isAway ? undefined : this.store),
      subject: (store) => store.subjectOf(kind, digest),
      epoch,
      id,
      stuck: (error) => failed.push(error),
      clock: this.clock,
    });
    return Object.assign(subject, { failed });
  }

  /** Time passes until something waits for no time any more. */
  async through<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    work.then(over, over);
    await until('it is through', () => {
      this.clock.advance(500);
      return isOver;
    });
    return await work;
  }
}

const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;

/** A conversation of one machine, and its copy. */
export class Copied {
  session = emptySession('k');
  seq = 10;
  /** What the bucket says. */
  epoch: number | undefined | Error;
  isLost = false;
  transcript: string | undefined;
  files: () => CarriedFile[] | undefined = () => undefined;
  #copy: SessionCopy | undefined;
  readonly line: Line;

  constructor(real: CopyStore, epoch = 1) {
    this.line = new Line(real);
    this.epoch = epoch;
    this.say({ type: 'turn.submit', turn: 't', claude: 'c', launch, ingress: 'openai', text: 'hello' });
  }

  begin(): SessionCopy {
    this.#copy = new SessionCopy({
      key: 'k',
      node: 'mac',
      id: `${Math.random()}`,
      digest: 'digest',
      store: () => (this.line.isAway ? undefined : this.line.store),
      own: async () => {
        if (this.epoch instanceof Error) throw this.epoch;
        return this.epoch;
      },
      seq: () => this.seq,
      now: () => ({ state: { ...snapshotOf(this.session) } as unknown as CarriedState, claude: 'c' }),
      transcript: () => this.transcript,
      files: async () => this.files(),
      lost: () => {
        this.isLost = true;
      },
      clock: this.line.clock,
      log: silentLog,
    });
    return this.#copy;
  }

  say(command: Command): void {
    const decision = decide(this.session, command, { queued: 9 });
    if ('rejection' in decision) throw new Error(`${command.type} was refused: ${decision.rejection.code}`);
    for (const event of decision.events) this.happen(event);
  }

  happen(event: SessionEvent): void {
    this.seq += 1;
    this.session = evolve(this.session, event, this.seq);
    this.#copy?.add({ seq: this.seq, at: this.seq, session: 'k', event });
  }

  label(text: string): void {
    this.happen({ type: 'session.labelled', label: text });
  }

  /** A row of another conversation. */
  other(): void {
    this.seq += 1;
  }

  get lying(): Promise<StoredCopy[]> {
    const { store } = this.line;
    return all(store, store.subjectOf('copy', 'digest'));
  }

  /** Kinds of the entries, in how many messages each event came. */
  async entries(): Promise<string[]> {
    return (await this.lying).map(({ data }) => {
      const { kind, events } = JSON.parse(Buffer.from(data).toString());
      return events ? `${events.length}` : kind;
    });
  }

  /** As another machine reads it. */
  async read(): Promise<Session | undefined> {
    return (await this.kept())?.session;
  }

  async kept(): Promise<Kept | undefined> {
    const { store } = this.line;
    return await readCopy('k', store.read(store.subjectOf('copy', 'digest')));
  }

  async readFile(): Promise<string> {
    const { store } = this.line;
    let text = Buffer.alloc(0);
    for await (const { offset, data } of readTranscript(store.read(store.subjectOf('file', 'digest')), 'c'))
      text = Buffer.concat([text.subarray(0, offset), data]);
    return text.toString();
  }
}
