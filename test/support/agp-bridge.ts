import { randomUUID } from 'node:crypto';
import type { TokenSource } from '../../src/base/files/token-source.ts';
import { newId } from '../../src/base/ids.ts';
import { type Log, silentLog } from '../../src/base/log.ts';
import { type Clock, systemClock } from '../../src/base/time/clock.ts';
import { Codes } from '../../src/bridge/app/desks/codes.ts';
import { Guesses } from '../../src/bridge/app/desks/guesses.ts';
import { QueueDesk } from '../../src/bridge/app/desks/queue-desk.ts';
import { VerdictDesk } from '../../src/bridge/app/desks/verdict-desk.ts';
import { Dispatcher } from '../../src/bridge/app/dispatcher.ts';
import type { Masks } from '../../src/bridge/app/masking.ts';
import { MessageGate } from '../../src/bridge/app/message-gate.ts';
import type { JournalPort } from '../../src/bridge/app/ports.ts';
import { react } from '../../src/bridge/app/reactor.ts';
import { Readers } from '../../src/bridge/app/reader/reader.ts';
import { AgpIngress } from '../../src/bridge/ingress/agp/agp-ingress.ts';
import { type AgpDial, type AgpSocket, dialGateway } from '../../src/bridge/ingress/agp/dial.ts';
import { keyOf } from '../../src/bridge/ingress/agp/parse.ts';
import { MemoryJournal } from '../../src/bridge/journal/memory-journal.ts';
import type { MessageLimits } from '../../src/domain/message/message-limits.ts';
import type { PanicRecord } from '../../src/protocol/panic.ts';
import type { QueueMode } from '../../src/protocol/settings/queue-mode.ts';
import { noMasks } from './no-masks.ts';
import { noTools } from './no-tools.ts';
import { ScriptedAgent } from './scripted-agent.ts';

export interface AgpBridgeOptions {
  url: string;
  journal?: JournalPort;
  clock?: Clock;
  log?: Log;
  token?: TokenSource;
  dial?: AgpDial;
  approvers?: string[];
  queueMode?: QueueMode;
  masks?: Masks;
  queued?: number;
  limits?: MessageLimits;
  reconnectMs?: number;
  heartbeatMs?: number;
  maxAttempts?: number;
  /** The run of a Claude Code that is still alive; without one sessions recover. */
  alive?: string;
}

/** The bridge's inside with a real AGP connection: everything but the journal's disk and Claude Code. */
export class AgpBridge implements AsyncDisposable {
  readonly agent = new ScriptedAgent();
  readonly dispatcher: Dispatcher;
  readonly journal: JournalPort;
  readonly ingress: AgpIngress;
  readonly states: string[] = [];
  /** Set while everything is stopped. */
  panic: PanicRecord | undefined;
  readonly #options: AgpBridgeOptions;
  readonly #unsubscribe: () => void;
  readonly #sockets: AgpSocket[] = [];
  #dead = false;

  constructor(options: AgpBridgeOptions) {
    this.#options = options;
    const { clock = systemClock, log = silentLog, dial = dialGateway } = options;
    this.journal = options.journal ?? new MemoryJournal();
    this.dispatcher = new Dispatcher({
      journal: this.#mortalJournal(),
      log,
      limits: { queued: options.queued ?? 100 },
      panic: () => this.panic,
      perform: (key, effect) => {
        const session = this.dispatcher.session(key);
        if (session && !this.#dead) react({ agent: this.agent, tools: noTools }, session, effect);
      },
      failed: (error) => log.error('not stored', { error }),
    });
    this.agent.report = (key, report) => {
      if (!this.#dead) this.dispatcher.dispatch(key, report);
    };
    const codes = new Codes();
    this.ingress = new AgpIngress({
      url: options.url,
      token: options.token ?? (() => ({ ok: true, token: 'secret-of-the-test' })),
      reconnectMs: options.reconnectMs ?? 5,
      maxAttempts: options.maxAttempts ?? 0,
      heartbeatMs: options.heartbeatMs ?? 20_000,
      clock,
      log,
      dial: this.#mortalDial(dial),
      random: () => 0,
      dispatcher: this.dispatcher,
      readers: new Readers(this.dispatcher, clock),
      masks: options.masks ?? noMasks,
      verdicts: new VerdictDesk({
        dispatcher: this.dispatcher,
        guesses: new Guesses(clock),
        codes,
        approversFor: () => options.approvers ?? [],
      }),
      gate: new MessageGate(
        clock,
        options.limits ?? { messagesPerMinute: 10_000, messageCharacters: 100_000 },
      ),
      queue: new QueueDesk({
        dispatcher: this.dispatcher,
        queueModeFor: () => options.queueMode ?? 'queue',
        approversFor: () => options.approvers ?? [],
      }),
      newTurnId: () => newId('t'),
      newClaudeId: randomUUID,
      newMessageId: randomUUID,
      launchFor: () => ({ cwd: '/w', permissionMode: 'manual', delivery: 'auto' }),
      changed: ({ state }) => void this.states.push(state),
    });
    this.dispatcher.load((row) => codes.observe(row));
    this.#unsubscribe = this.journal.subscribe((row) => {
      codes.observe(row);
      this.ingress.observe(row);
    });
    const { alive: run } = options;
    for (const { key } of this.dispatcher.sessions())
      this.dispatcher.dispatch(
        key,
        run === undefined ? { type: 'session.recover' } : { type: 'session.adopt', run, pid: 2, typed: true },
      );
  }

  start(): this {
    this.ingress.start();
    return this;
  }

  key(session: string): string {
    return keyOf(this.#options.url, session);
  }

  /** Ends at once, like kill -9, with a successor on the same journal: nothing more is stored, sent or heard. */
  killed(more: Pick<AgpBridgeOptions, 'alive' | 'journal'> = {}): AgpBridge {
    this.#dead = true;
    this.#unsubscribe();
    for (const socket of this.#sockets) socket.close();
    void this.ingress.close();
    return new AgpBridge({ ...this.#options, journal: this.journal, ...more });
  }

  #mortalJournal(): JournalPort {
    const { journal } = this;
    return {
      origin: 0,
      append: (session, events) => {
        if (this.#dead) throw new Error('this process is dead');
        return journal.append(session, events);
      },
      durable: (seq) => journal.durable(seq),
      kept: (seq) => journal.kept(seq),
      health: journal.health,
      read: (after, limit) => journal.read(after, limit),
      subscribe: (listener) => journal.subscribe(listener),
      get last() {
        return journal.last;
      },
      close: () => journal.close(),
    };
  }

  #mortalDial(dial: AgpDial): AgpDial {
    return (url, events) => {
      const alive = (tell: () => void) => {
        if (!this.#dead) tell();
      };
      const socket = dial(url, {
        open: () => alive(() => events.open()),
        text: (text) => alive(() => events.text(text)),
        pong: (payload) => alive(() => events.pong(payload)),
        closed: (end) => alive(() => events.closed(end)),
      });
      this.#sockets.push(socket);
      return {
        send: (text) => alive(() => socket.send(text)),
        ping: (payload) => alive(() => socket.ping(payload)),
        close: () => socket.close(),
      };
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    await this.ingress.close();
  }
}
