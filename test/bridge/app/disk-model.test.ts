// Random histories of a whole bridge on a disk that fills, fails and loses power: what was acknowledged is never lost, what
// was refused never happens, and no session hangs.
import { setImmediate as breathe } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { Dispatcher, type Outcome } from '../../../src/bridge/app/dispatcher.ts';
import { react } from '../../../src/bridge/app/reactor.ts';
import { Readers } from '../../../src/bridge/app/reader/reader.ts';
import type { SqliteJournal } from '../../../src/bridge/journal/sqlite-journal.ts';
import type { Session } from '../../../src/domain/state/session.ts';
import { isSettled } from '../../../src/domain/state/turn.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { MemoryDisk } from '../../support/memory-disk.ts';
import { noTools } from '../../support/no-tools.ts';
import { runs } from '../../support/runs.ts';
import { ScriptedAgent } from '../../support/scripted-agent.ts';

const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;
const keys = ['red', 'blue'];

/** What people were told; it outlives every bridge. */
class Ledger {
  readonly taken = new Set<string>();
  readonly refused = new Set<string>();
  /** Turns that Claude was given, in order. */
  readonly given: string[] = [];
  /** Turns whose end a reader was told. */
  readonly ended = new Set<string>();
  /** Code of a question → the verdict that was acknowledged. */
  readonly verdicts = new Map<string, 'allow' | 'deny'>();
  /** Sessions whose `stop` was acknowledged, by the seq that it was stored with. */
  readonly stops: { key: string; seq: number }[] = [];
}

/** One life of a bridge. */
class Life {
  readonly agent = new ScriptedAgent();
  readonly journal: SqliteJournal;
  readonly dispatcher: Dispatcher;
  readonly #readers: Readers;
  readonly #ledger: Ledger;
  readonly #gone = new AbortController();
  /** Turns that are about to be typed. */
  readonly #typing = new Map<string, string>();
  /** Turns that Claude has and works on. */
  readonly works = new Map<string, string>();

  constructor(disk: MemoryDisk, clock: ManualClock, ledger: Ledger) {
    this.#ledger = ledger;
    this.journal = disk.journal({ clock });
    this.dispatcher = new Dispatcher({
      journal: this.journal,
      limits: { queued: 4 },
      log: silentLog,
      perform: (key, effect) => {
        const session = this.dispatcher.session(key);
        if (session && this.isAlive) react({ agent: this.agent, tools: noTools }, session, effect);
      },
      failed: () => {},
    });
    this.#readers = new Readers(this.dispatcher, clock);
    this.agent.report = (key, report) => {
      if (this.isAlive) this.dispatcher.dispatch(key, report);
    };
    // As the real one: nothing is typed before it is on disk that it may have been.
    this.agent.onPrompt = (prompt, { key }) => {
      this.agent.report(key, { type: 'agent.starting' });
      this.agent.report(key, { type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] });
      this.agent.report(key, { type: 'prompt.handing', turn: prompt.turn });
      this.#typing.set(key, prompt.turn);
      void this.#stored(() => {
        if (this.#typing.get(key) !== prompt.turn) return;
        ledger.given.push(prompt.turn);
        this.#typing.delete(key);
        this.works.set(key, prompt.turn);
        this.agent.report(key, { type: 'prompt.taken', turn: prompt.turn, prompt: `p-${prompt.turn}` });
      });
    };
    const { stop } = this.agent;
    this.agent.stop = (key) => {
      this.#leave(key);
      stop.call(this.agent, key);
    };
    this.dispatcher.load();
    for (const { key } of this.dispatcher.sessions())
      this.dispatcher.dispatch(key, { type: 'session.recover' });
  }

  get isAlive(): boolean {
    return !this.#gone.signal.aborted && this.journal.health !== 'failed';
  }

  kill(): void {
    this.#gone.abort();
  }

  /** @param held its door does not answer before it is taken: AGP */
  submit(key: string, turn: string, held = false): void {
    const command = {
      type: 'turn.submit',
      turn,
      claude: 'c',
      launch,
      ingress: 'openai',
      text: turn,
    } as const;
    const { health } = this.journal;
    const outcome = this.dispatcher.dispatch(key, command);
    if (health !== 'ok') expect(outcome.ok, `a disk that is ${health} takes no message`).toBe(false);
    if (!outcome.ok) return void this.#ledger.refused.add(turn);
    const told = (taken: boolean) => {
      if (!this.isAlive) return;
      (taken ? this.#ledger.taken : this.#ledger.refused).add(turn);
      if (taken) void this.#read(key, turn);
    };
    const took = held
      ? this.dispatcher.durable(outcome.seq).then(() => true)
      : this.dispatcher.took(key, turn, outcome.seq);
    took.then(told, () => {});
  }

  /** Claude's next step with what it has. */
  work(key: string, step: 'say' | 'ask' | 'end' | 'exit', code: string): void {
    const turn = this.works.get(key);
    if (step === 'exit') {
      const typed = this.#typing.get(key);
      const failed = {
        type: 'prompt.failed',
        code: 'start_exited',
        detail: 'it ended',
        retry: true,
      } as const;
      this.#leave(key);
      if (typed !== undefined && turn === undefined) this.agent.report(key, { ...failed, turn: typed });
      return this.agent.report(key, { type: 'agent.exited', detail: 'it ended' });
    }
    if (turn === undefined) return;
    if (step === 'say') return this.agent.say(key, turn, `${code} `, code, 0, true);
    if (step === 'ask')
      return this.agent.report(key, {
        type: 'permission.ask',
        code,
        tool: 'Bash',
        input: {},
        expires_at: 1e15,
      });
    this.works.delete(key);
    this.agent.endTurn(key, turn);
  }

  /** Its Claude is gone. */
  #leave(key: string): void {
    this.#typing.delete(key);
    this.works.delete(key);
  }

  decide(key: string): void {
    const ask = this.dispatcher.session(key)?.asks.find(({ state }) => state.name === 'asked');
    if (!ask) return;
    const { code } = ask;
    const outcome = this.dispatcher.dispatch(key, {
      type: 'permission.decide',
      code,
      verdict: 'deny',
      by: 'cli',
    });
    void this.#acknowledged(outcome, () => this.#ledger.verdicts.set(code, 'deny'));
  }

  stop(key: string): void {
    const outcome = this.dispatcher.dispatch(key, { type: 'session.stop', reason: 'stopped' });
    void this.#acknowledged(outcome, (seq) => this.#ledger.stops.push({ key, seq }));
  }

  async #acknowledged(outcome: Outcome, tell: (seq: number) => void): Promise<void> {
    if (!outcome.ok) return;
    await this.dispatcher.durable(outcome.seq).then(
      () => this.isAlive && tell(outcome.seq),
      () => {},
    );
  }

  #stored(then: () => void): Promise<void> {
    return this.dispatcher.stored().then(
      () => {
        if (this.isAlive) then();
      },
      () => {},
    );
  }

  async #read(key: string, turn: string): Promise<void> {
    const { signal } = this.#gone;
    const options = { key, target: turn, request: `r-${turn}`, signal, quietMs: 0, interactive: false };
    for await (const item of this.#readers.read(options))
      if (item.kind === 'end' && this.isAlive) this.#ledger.ended.add(turn);
  }
}

type Step = { name: string } & (
  | { name: 'submit'; key: string; held: boolean }
  | { name: 'decide' | 'stop'; key: string }
  | { name: 'work'; key: string; step: 'say' | 'ask' | 'end' | 'exit' }
  | { name: 'fill'; room: number }
  | { name: 'free' | 'tick' | 'crash' | 'power cut' }
  | { name: 'fail'; stored: boolean }
);

const key = fc.constantFrom(...keys);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ name: fc.constant('submit' as const), key, held: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({
      name: fc.constant('work' as const),
      key,
      step: fc.constantFrom('say' as const, 'ask' as const, 'end' as const, 'end' as const, 'exit' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ name: fc.constant('decide' as const), key }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('stop' as const), key }) },
  {
    weight: 3,
    arbitrary: fc.record({ name: fc.constant('fill' as const), room: fc.integer({ min: 0, max: 12 }) }),
  },
  { weight: 2, arbitrary: fc.constant({ name: 'free' as const }) },
  { weight: 2, arbitrary: fc.constant({ name: 'tick' as const }) },
  { weight: 1, arbitrary: fc.constant({ name: 'crash' as const }) },
  { weight: 1, arbitrary: fc.constant({ name: 'power cut' as const }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('fail' as const), stored: fc.boolean() }) },
);

class World {
  readonly disk = new MemoryDisk();
  readonly clock = new ManualClock();
  readonly ledger = new Ledger();
  life = new Life(this.disk, this.clock, this.ledger);
  #count = 0;

  /** @param calm whether what is under way may come to rest before the next step */
  async run(step: Step, calm: boolean): Promise<void> {
    this.#act(step);
    if (calm) for (let n = 0; n < 4; n += 1) await breathe();
    if (this.life.journal.health === 'failed') this.restart();
  }

  restart(): void {
    this.life.kill();
    if (this.disk.trouble === 'failed') this.disk.trouble = undefined;
    this.life = new Life(this.disk, this.clock, this.ledger);
  }

  #act(step: Step): void {
    const { life, disk } = this;
    this.#count += 1;
    switch (step.name) {
      case 'submit':
        return life.submit(step.key, `t${this.#count}`, step.held);
      case 'work':
        return life.work(step.key, step.step, `code${this.#count}`);
      case 'decide':
        return life.decide(step.key);
      case 'stop':
        return life.stop(step.key);
      case 'fill':
        disk.trouble = 'full';
        disk.room = step.room;
        return;
      case 'free':
        disk.trouble = undefined;
        return void this.clock.advance(1000);
      case 'tick':
        return void this.clock.advance(1000);
      case 'fail':
        disk.trouble = 'failed';
        disk.storesAllTheSame = step.stored;
        return;
      case 'crash':
        return this.restart();
      case 'power cut':
        disk.loseWhatIsNotSynced();
        return this.restart();
    }
  }

  /** There is room, and Claude ends what it works on. */
  async comeToRest(): Promise<void> {
    if (this.disk.trouble === 'failed') this.restart();
    this.disk.trouble = undefined;
    for (let round = 0; round < 12; round += 1) {
      this.clock.advance(1000);
      for (let n = 0; n < 4; n += 1) await breathe();
      for (const each of keys) this.life.work(each, 'end', 'last');
    }
  }

  sessions(): Session[] {
    return this.life.dispatcher.sessionsEver();
  }

  stored(): SessionEvent[] {
    return this.disk.rows.map(({ body }) => JSON.parse(body) as SessionEvent);
  }
}

function check({ ledger, disk, life }: World, stored: SessionEvent[], sessions: Session[]): void {
  const of = <T extends SessionEvent['type']>(type: T) =>
    stored.filter((event): event is Extract<SessionEvent, { type: T }> => event.type === type);
  const queued = new Set(of('turn.queued').map(({ turn }) => turn));
  const withdrawn = new Set(of('turn.withdrawn').map(({ turn }) => turn));
  const settled = new Set(of('turn.settled').map(({ turn }) => turn));
  expect(
    disk.rows.map(({ seq }) => seq),
    'no hole',
  ).toEqual(disk.rows.map((_, index) => index + 1));
  for (const turn of ledger.taken) {
    expect([turn, queued.has(turn), withdrawn.has(turn)], 'taken is stored').toEqual([turn, true, false]);
    expect([turn, settled.has(turn)], 'taken has an end').toEqual([turn, true]);
  }
  for (const turn of ledger.refused) {
    expect([turn, ledger.given.includes(turn)], 'refused is never given').toEqual([turn, false]);
    expect([turn, queued.has(turn) && !withdrawn.has(turn)], 'refused is not kept').toEqual([turn, false]);
  }
  expect(ledger.given, 'nothing is given twice').toEqual([...new Set(ledger.given)]);
  for (const turn of ledger.ended)
    expect([turn, settled.has(turn)], 'an end that was told').toEqual([turn, true]);
  const decided = new Map(of('permission.decided').map(({ code, verdict }) => [code, verdict]));
  for (const [code, verdict] of ledger.verdicts)
    expect([code, decided.get(code)], 'an acknowledged verdict').toEqual([code, verdict]);
  expect(of('permission.decided'), 'one verdict a question').toHaveLength(decided.size);
  for (const { key: stopped, seq } of ledger.stops) {
    const row = disk.rows[seq - 1];
    expect(row && JSON.parse(row.session), 'an acknowledged stop').toBe(stopped);
  }
  expect(life.journal.health).toBe('ok');
  for (const { turns, asks } of sessions) {
    expect(
      turns.filter((turn) => !isSettled(turn)).map(({ id, phase }) => [id, phase.name]),
      'wedged',
    ).toEqual([]);
    expect(asks.filter(({ state }) => state.name === 'asked')).toEqual([]);
  }
}

test('what was acknowledged is kept, what was refused never happens, and no session hangs', async () => {
  const steps = fc.array(fc.tuple(step, fc.boolean()), { minLength: 1, maxLength: 30, size: 'max' });
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const world = new World();
      for (const [each, calm] of history) await world.run(each, calm);
      await world.comeToRest();
      check(world, world.stored(), world.sessions());
      // The next message of each is answered, and so it is by the next bridge.
      for (const again of ['again', 'and again']) {
        for (const each of keys) world.life.submit(each, `${each} ${again}`);
        await world.comeToRest();
        for (const each of keys) expect(world.ledger.ended).toContain(`${each} ${again}`);
        world.restart();
        await world.comeToRest();
      }
      check(world, world.stored(), world.sessions());
      world.life.kill();
    }),
    { numRuns: runs(Number(process.env.DISK_RUNS ?? 400)) },
  );
});
