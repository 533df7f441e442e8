import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../../src/base/log.ts';
import { type Clock, systemClock } from '../../../src/base/time/clock.ts';
import { Operator } from '../../../src/bridge/app/operator/operator.ts';
import { Readers } from '../../../src/bridge/app/reader/reader.ts';
import type { ClusterDesk, OpenView, ToolsDesk } from '../../../src/bridge/control/control-ports.ts';
import { type ControlLimits, ControlServer } from '../../../src/bridge/control/control-server.ts';
import type { Guard } from '../../../src/bridge/control/guard.ts';
import { controlHandlers } from '../../../src/bridge/control/handlers.ts';
import { tail } from '../../../src/bridge/journal/read/tail.ts';
import type { BridgeStatus, ErasedOnServers } from '../../../src/domain/views/control.ts';
import { journalStats } from '../../../src/domain/views/journal.ts';
import { FillingJournal } from '../../support/filling-journal.ts';
import { operatorGuard } from '../../support/operator-guard.ts';
import { SmallBridge } from '../../support/small-bridge.ts';

/** The inside of a bridge with a real control socket, and a state directory that says where it is. */
export class SmallControl implements AsyncDisposable {
  /** State directory for `callBridge`. */
  readonly dir = mkdtempSync(join(tmpdir(), 'control-'));
  readonly path = join(this.dir, 'c.sock');
  readonly journal: FillingJournal;
  readonly bridge: SmallBridge;
  readonly stops: string[] = [];
  /** Of the next socket. */
  limits: Partial<ControlLimits> = {};
  /** Of the next connection. */
  guard: () => Guard = operatorGuard;
  /** Tells one bridge from the next; of the next socket. */
  startedAt = 'the first start';
  /** How often its status was asked for. */
  asked = 0;
  /** The other machines; of the next socket. */
  cluster: ClusterDesk | undefined;
  /** Joins a terminal; tests replace it. */
  openView: OpenView = () => undefined;
  readonly #operator: Operator;
  /** What became of what nats-servers keep of a removed session. */
  erased: ErasedOnServers | undefined;
  #server: ControlServer | undefined;

  private constructor(bridge: SmallBridge, journal: FillingJournal, clock: Clock) {
    this.journal = journal;
    this.bridge = bridge;
    this.#operator = new Operator({
      dispatcher: bridge.dispatcher,
      readers: new Readers(bridge.dispatcher, systemClock),
      clock,
      startMs: 5_000,
      newClaudeId: () => 'claude-x',
      launchFor: () => ({ cwd: '/w', permissionMode: 'manual', delivery: 'auto' }),
      queueModeFor: () => bridge.queueMode,
      words: (turn) => (turn.phase.name === 'settled' && turn.phase.code ? `told: ${turn.phase.code}` : ''),
      forgotten: async () => 0,
      erased: async () => this.erased,
      screen: () => ['row 1'],
      memoryOf: (key) => `/state/memory/${key}`,
      staysOf: async () => ['memory/large.md: in words'],
    });
  }

  static async start(clock: Clock = systemClock): Promise<SmallControl> {
    const journal = new FillingJournal();
    const control = new SmallControl(await SmallBridge.start({ journal }), journal, clock);
    chmodSync(control.dir, 0o700);
    await control.listen();
    return control;
  }

  /** What the socket offers of providers. */
  tools: ToolsDesk = {
    list: () => [],
    inspect: () => Promise.reject(new Error('none')) as never,
    call: () => Promise.reject(new Error('none')),
    set: async () => [],
  };

  /** Opens the socket, again after `hangUp`, and says where it is. */
  async listen(): Promise<void> {
    await this.open();
    this.announce();
  }

  /** As a bridge that is not ready yet: the file is that of the one before. */
  async open(): Promise<void> {
    const { journal, path, startedAt } = this;
    this.#server = new ControlServer(
      controlHandlers({
        cluster: this.cluster,
        operator: this.#operator,
        panic: this.bridge.panic,
        pruner: () => ({ look: async () => [], prune: async () => ({ deleted: [], archive: 0 }) }),
        tools: this.tools,
        journal: {
          get last() {
            return journal.last;
          },
          origin: 0,
          durable: (seq) => journal.durable(seq),
          read: (after, limit, session) => journal.read(after, limit, session),
          tail: (request) => tail(journal, request),
        },
        audit: {
          stats: () => journalStats({ origin: 0, last: journal.last, bytes: 4096 }, []),
          verify: () => Promise.reject(new Error('no chain')),
          anchor: async () => 'an anchor',
        },
        openView: (key, output, ended) => this.openView(key, output, ended),
        status: () => {
          this.asked += 1;
          return { status: 'healthy', started_at: startedAt } as BridgeStatus;
        },
        metrics: { text: async () => '# none\n' },
        shutdown: (reason) => this.stops.push(reason),
      }),
      silentLog,
      this.guard,
      this.limits,
    );
    await this.#server.listen(path);
  }

  announce(): void {
    const file = { pid: 1, url: '', control: this.path, started_at: this.startedAt };
    writeFileSync(join(this.dir, 'bridge.json'), JSON.stringify(file));
  }

  /** As when the bridge ends: everybody is hung up on. */
  async hangUp(): Promise<void> {
    await this.#server?.close();
    this.#server = undefined;
  }

  /** Submits a message without waiting for anything. */
  say(session: string, text: string): void {
    this.bridge.dispatcher.dispatch(session, {
      type: 'turn.submit',
      turn: `t${this.journal.last}`,
      claude: 'claude-x',
      launch: { cwd: '/w', permissionMode: 'manual', delivery: 'auto' },
      ingress: 'operator',
      text,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.hangUp();
    await this.bridge[Symbol.asyncDispose]();
    rmSync(this.dir, { recursive: true });
  }
}
