// Random histories of questions and answers through the real parts, with a Claude that does what the real one does:
// it runs a tool when the first answer to its dialog says so, and never tells who gave it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { Deadlines } from '../../../src/bridge/app/deadlines.ts';
import { Codes } from '../../../src/bridge/app/desks/codes.ts';
import { Guesses } from '../../../src/bridge/app/desks/guesses.ts';
import { VerdictDesk } from '../../../src/bridge/app/desks/verdict-desk.ts';
import { Dispatcher } from '../../../src/bridge/app/dispatcher.ts';
import { decideAsk } from '../../../src/bridge/app/operator/operator-decide.ts';
import { OperatorError } from '../../../src/bridge/app/operator/operator-error.ts';
import { PermissionRequestHook } from '../../../src/bridge/claude/hooks/hook-schema.ts';
import { PermissionDesk } from '../../../src/bridge/claude/permission/permission-desk.ts';
import { MemoryJournal } from '../../../src/bridge/journal/memory-journal.ts';
import type { AgentReport } from '../../../src/domain/commands.ts';
import type { Voice } from '../../../src/domain/question/approvers.ts';
import { findTurn, type Session, unsettledAsks } from '../../../src/domain/state/session.ts';
import type { JournalRow, SessionEvent } from '../../../src/protocol/events/events.ts';
import type { PermissionRequest } from '../../../src/protocol/wire/wire.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { noRule } from '../../support/rulings.ts';
import { runs } from '../../support/runs.ts';

const permissionMs = 60_000;
const keys = ['red', 'blue'] as const;
type Key = (typeof keys)[number];
type Verdict = 'allow' | 'deny';

/** A dialog of Claude Code and everybody who waits at it. */
interface Dialog {
  toolUse: string;
  hook?: { abort: AbortController; written: (() => void)[] };
  relay?: PermissionRequest;
  answered: boolean;
  /** Codes under which this dialog was told to people. */
  codes: Set<string>;
}

/** The Claude Code of one session. */
interface Claude {
  dialog?: Dialog;
  desk: PermissionDesk;
  /** The channel server's side: what it would ask again, and what it passed on. */
  channel: {
    online: boolean;
    picked: Set<string>;
    open: Map<string, PermissionRequest>;
    waiting: Map<string, { verdict: Verdict; sent: () => void }>;
  };
}

interface Run {
  key: Key;
  codes: Set<string>;
  /** Rows in the journal when it ran. */
  seq: number;
  by: 'verdict' | 'terminal';
}

/** One bridge's life; the journal and what Claude did outlive it. */
class World {
  readonly clock = new ManualClock();
  readonly journal = new MemoryJournal({ clock: this.clock });
  readonly runs: Run[] = [];
  /** Verdicts that somebody gave who may. */
  readonly given: { code: string; verdict: Verdict; by: 'chat' | 'cli' }[] = [];
  #count = 0;
  codes!: Codes;
  dispatcher!: Dispatcher;
  #deadlines!: Deadlines;
  #verdicts!: VerdictDesk;
  #hooks = 0;
  #claudes!: Record<Key, Claude>;
  #unsubscribe = () => {};

  constructor() {
    this.boot();
  }

  /** A crash takes everything in memory, and every Claude with it. */
  boot(): void {
    this.#unsubscribe();
    this.#deadlines?.close();
    this.codes = new Codes();
    this.dispatcher = this.#newDispatcher();
    this.#verdicts = new VerdictDesk({
      dispatcher: this.dispatcher,
      guesses: new Guesses(this.clock),
      codes: this.codes,
      approversFor: () => [],
    });
    const deadlines = new Deadlines({
      clock: this.clock,
      cancelMs: 10_000,
      deliverMs: 100_000,
      turnMs: 10_000_000,
      unattendedMs: 1000,
      tasksMs: 1000,
      dispatch: (key, command) => void this.dispatcher.dispatch(key, command),
    });
    this.#deadlines = deadlines;
    this.#claudes = { red: this.#newClaude('red'), blue: this.#newClaude('blue') };
    this.dispatcher.load((row) => this.codes.observe(row));
    this.#unsubscribe = this.journal.subscribe((row) => deadlines.observe(row));
    for (const { key } of this.dispatcher.sessions())
      this.dispatcher.dispatch(key, { type: 'session.recover' });
  }

  #newDispatcher(): Dispatcher {
    const dispatcher: Dispatcher = new Dispatcher({
      journal: this.journal,
      limits: { queued: 10 },
      log: silentLog,
      perform: (key, effect) => {
        // A bridge that was killed performs nothing any more.
        if (this.dispatcher !== dispatcher) return;
        if (effect.type === 'answer_permission') this.#claudes[key as Key].desk.answer(effect);
        if (effect.type === 'deliver')
          dispatcher.dispatch(key, { type: 'prompt.taken', turn: effect.turn, prompt: `p-${effect.turn}` });
      },
      failed: (error) => {
        throw error;
      },
    });
    return dispatcher;
  }

  #newClaude(key: Key): Claude {
    const channel: Claude['channel'] = {
      online: true,
      picked: new Set(),
      open: new Map(),
      waiting: new Map(),
    };
    const deliver = (code: string) => {
      const verdict = channel.waiting.get(code);
      if (!channel.online || !verdict) return;
      verdict.sent();
      if (!channel.open.delete(code)) return;
      if (claude.dialog?.relay?.request_id === code) this.#answered(key, claude, verdict.verdict);
    };
    const desk = new PermissionDesk({
      clock: this.clock,
      permissionMs,
      openQuestions: 100,
      refused: () => {},
      report: (report) => this.#report(key, claude, report),
      claimCode: (wanted) => this.codes.claim(wanted),
      judge: () => noRule,
      relays: true,
      relay: (code, verdict, sent) => {
        channel.waiting.set(code, { verdict, sent });
        deliver(code);
      },
      dialogShown: () => claude.dialog !== undefined,
      forget: (code) => void channel.waiting.delete(code),
    });
    const claude: Claude = { desk, channel };
    return claude;
  }

  #report(key: Key, claude: Claude, report: AgentReport): void {
    if (report.type === 'permission.ask') claude.dialog?.codes.add(report.code);
    this.dispatcher.dispatch(key, report);
  }

  /** The first answer counts; Claude goes on. */
  #answered(key: Key, claude: Claude, verdict: Verdict, by: Run['by'] = 'verdict'): void {
    const { dialog } = claude;
    if (!dialog || dialog.answered) return;
    dialog.answered = true;
    delete claude.dialog;
    if (verdict === 'deny') return;
    this.runs.push({ key, codes: dialog.codes, seq: this.journal.last, by });
    this.#report(key, claude, {
      type: 'tool.activity',
      tool_use: dialog.toolUse,
      tool: 'Bash',
      phase: 'succeeded',
    });
    claude.desk.toolRan(dialog.toolUse, 'Bash');
  }

  session(key: Key): Session | undefined {
    return this.dispatcher.session(key);
  }

  /** Claude wants to use a tool: one dialog at a time. */
  ask(key: Key, roads: 'hook' | 'relay' | 'both', relayFirst: boolean, wanted: string, input: string): void {
    const claude = this.#claudes[key];
    if (claude.dialog) return;
    this.#message(key);
    this.#count += 1;
    const dialog: Dialog = { toolUse: `toolu_${this.#count}`, answered: false, codes: new Set() };
    claude.dialog = dialog;
    const steps = [
      ...(roads === 'relay' ? [] : [() => this.#hold(key, claude, dialog, input)]),
      ...(roads === 'hook' ? [] : [() => this.#relay(claude, dialog, wanted, input)]),
    ];
    for (const step of relayFirst ? steps.reverse() : steps) step();
    this.clock.advance(300);
  }

  #hold(key: Key, claude: Claude, dialog: Dialog, input: string): void {
    const hook = { abort: new AbortController(), written: [] as (() => void)[] };
    dialog.hook = hook;
    const request = PermissionRequestHook.parse({
      hook_event_name: 'PermissionRequest',
      tool_name: 'Bash',
      tool_input: { command: input },
    });
    const client = {
      signal: hook.abort.signal,
      onWritten: (listener: () => void) => void hook.written.push(listener),
    };
    this.#hooks += 1;
    void claude.desk.hold(this.#hooks, request, dialog.toolUse, client).then((answer) => {
      if (hook.abort.signal.aborted || this.#claudes[key] !== claude) return;
      for (const listener of hook.written) listener();
      const { hookSpecificOutput: said } = answer as {
        hookSpecificOutput?: { decision: { behavior: Verdict } };
      };
      if (said && claude.dialog === dialog) this.#answered(key, claude, said.decision.behavior);
    });
  }

  #relay(claude: Claude, dialog: Dialog, wanted: string, input: string): void {
    // One Claude does not pick a code twice; another one, or the next, may pick the same.
    const request_id = claude.channel.picked.has(wanted)
      ? `${letterOf(this.#count / 25)}${letterOf(this.#count)}ddd`
      : wanted;
    claude.channel.picked.add(request_id);
    const frame: PermissionRequest = {
      type: 'permission_request',
      request_id,
      tool: 'Bash',
      args: { command: input },
      rationale: '',
    };
    dialog.relay = frame;
    claude.channel.open.set(request_id, frame);
    if (claude.channel.online) claude.desk.relayed(frame);
  }

  /** A running turn that the approver started. */
  #message(key: Key): void {
    const running = this.session(key)?.turns.some((turn) => turn.phase.name !== 'settled');
    if (running) return;
    this.#count += 1;
    this.dispatcher.dispatch(key, {
      type: 'turn.submit',
      turn: `t${this.#count}`,
      claude: 'uuid',
      launch: { cwd: '/w', permissionMode: 'manual', delivery: 'auto' },
      ingress: 'openai',
      text: 'go',
      sender: { id: 'approver' },
    });
    if (this.session(key)?.agent.name === 'stopped') {
      this.dispatcher.dispatch(key, { type: 'agent.starting' });
      this.dispatcher.dispatch(key, { type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] });
    }
    const turn = this.session(key)?.turns.at(-1)?.id ?? '';
    this.dispatcher.dispatch(key, { type: 'prompt.taken', turn, prompt: `p-${turn}` });
  }

  chat(key: Key, text: string, voice: Voice, intended: { code: string; verdict: Verdict }): void {
    const session = this.session(key);
    if (!session) return;
    const before = this.#verdictRows();
    const taken = this.#verdicts.take(session, text, voice, undefined);
    if (taken?.kind === 'decided') this.given.push({ ...intended, by: 'chat' });
    // Nobody but the one who asked, nothing but a whole verdict on this session's open question.
    if (taken?.kind !== 'decided')
      expect(
        this.#verdictRows()
          .slice(before.length)
          .filter(({ by }) => by === 'chat'),
      ).toEqual([]);
    else expect(voice).toBe(voices.approver);
  }

  #verdictRows(): { by: string }[] {
    return rowsOf(this.journal, 'permission.decided');
  }

  operator(code: string, verdict: Verdict): void {
    try {
      decideAsk(this.dispatcher, { code, verdict });
      this.given.push({ code, verdict, by: 'cli' });
    } catch (error) {
      expect(error).toBeInstanceOf(OperatorError);
    }
  }

  terminal(key: Key, verdict: Verdict): void {
    const claude = this.#claudes[key];
    const { dialog } = claude;
    if (!dialog) return;
    this.#answered(key, claude, verdict, 'terminal');
    if (verdict === 'allow') return;
    dialog.hook?.abort.abort();
    claude.desk.turnEnded('the turn was interrupted');
    this.dispatcher.dispatch(key, { type: 'turn.idle', interrupted: true });
  }

  /** Claude ends its turn; with a dialog on the screen it cannot. */
  stop(key: Key): void {
    const claude = this.#claudes[key];
    if (claude.dialog) return;
    this.dispatcher.dispatch(key, { type: 'turn.rest' });
    claude.desk.turnEnded('the turn ended');
  }

  exit(key: Key): void {
    const claude = this.#claudes[key];
    claude.dialog?.hook?.abort.abort();
    claude.desk.close();
    this.#claudes[key] = this.#newClaude(key);
    this.dispatcher.dispatch(key, { type: 'agent.exited', detail: 'killed', failure: 'exited' });
  }

  channel(key: Key, online: boolean): void {
    const { channel, desk } = this.#claudes[key];
    channel.online = online;
    if (!online) return;
    for (const [code, { verdict, sent }] of [...channel.waiting]) {
      sent();
      const passed = channel.open.delete(code);
      const claude = this.#claudes[key];
      if (passed && claude.dialog?.relay?.request_id === code) this.#answered(key, claude, verdict);
    }
    for (const frame of [...channel.open.values()]) desk.relayed(frame, true);
    this.clock.advance(1100);
  }

  get dialogs(): Dialog[] {
    return keys.flatMap((key) => this.#claudes[key].dialog ?? []);
  }
}

function rowsOf<T extends SessionEvent['type']>(
  journal: MemoryJournal,
  type: T,
): (Extract<SessionEvent, { type: T }> & { seq: number })[] {
  return [...journal.read(0)]
    .filter(
      (row): row is JournalRow & { event: Extract<SessionEvent, { type: T }> } => row.event.type === type,
    )
    .map(({ event, seq }) => ({ ...event, seq }));
}

const letterOf = (count: number) => 'abcdefghijkmnopqrstuvwxyz'[Math.trunc(count) % 25] ?? 'a';

/** Lets promises and effects run. */
const breathe = () => new Promise((resolve) => setImmediate(resolve));

type Step = (world: World) => void;

const key = fc.constantFrom(...keys);
const verdict = fc.constantFrom<Verdict>('allow', 'deny');
const letters = fc.constantFrom('aaaaa', 'bbbbb', 'ccccc');
/** Which code somebody types: of the newest question, an older one, another session's, or none. */
const aim = fc.constantFrom('newest', 'newest', 'newest', 'older', 'foreign', 'wrong');

function codeOf(world: World, at: Key, which: string): string {
  const own = world.session(at)?.asks ?? [];
  const foreign = world.session(at === 'red' ? 'blue' : 'red')?.asks ?? [];
  const found = { newest: own.at(-1), older: own.at(-2), foreign: foreign.at(-1), wrong: undefined }[which];
  return found?.code ?? 'zzzzz';
}

const voices: Record<string, Voice> = {
  approver: { proven: true, sender: 'approver', channel: 'telegram', group: false },
  stranger: { proven: true, sender: 'stranger', channel: 'telegram', group: false },
  forwarder: { proven: true, sender: 'approver', channel: 'telegram', group: false, forwarded: true },
  nobody: { proven: true, group: false },
};

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record({
        at: key,
        roads: fc.constantFrom('hook' as const, 'relay' as const, 'both' as const),
        relayFirst: fc.boolean(),
        wanted: letters,
        input: fc.constantFrom('ls', 'rm x'),
      })
      .map(
        ({ at, roads, relayFirst, wanted, input }): Step =>
          (world) =>
            world.ask(at, roads, relayFirst, wanted, input),
      ),
  },
  {
    weight: 5,
    arbitrary: fc
      .record({
        at: key,
        given: verdict,
        which: aim,
        who: fc.constantFrom('approver', 'approver', ...Object.keys(voices)),
        times: fc.integer({ min: 1, max: 6 }),
      })
      .map(
        ({ at, given, which, who, times }): Step =>
          (world) => {
            const code = codeOf(world, at, which);
            const voice = voices[who];
            if (!voice) return;
            for (let time = 0; time < times; time += 1)
              world.chat(at, `${given === 'allow' ? 'yes' : 'No'} ${code}`, voice, { code, verdict: given });
          },
      ),
  },
  {
    weight: 3,
    arbitrary: fc.record({ at: key, given: verdict, which: aim }).map(
      ({ at, given, which }): Step =>
        (world) =>
          world.operator(codeOf(world, at, which), given),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(key, verdict).map(
      ([at, given]): Step =>
        (world) =>
          world.terminal(at, given),
    ),
  },
  {
    weight: 2,
    arbitrary: key.map(
      (at): Step =>
        (world) =>
          world.stop(at),
    ),
  },
  {
    weight: 1,
    arbitrary: key.map(
      (at): Step =>
        (world) =>
          world.exit(at),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(key, fc.boolean()).map(
      ([at, up]): Step =>
        (world) =>
          world.channel(at, up),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Step>((world) => world.boot()) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(1000, permissionMs + 1).map(
      (ms): Step =>
        (world) =>
          world.clock.advance(ms),
    ),
  },
);

/** What must hold after every step. */
function check(world: World): void {
  const asked = rowsOf(world.journal, 'permission.asked');
  const decided = rowsOf(world.journal, 'permission.decided');
  const settled = rowsOf(world.journal, 'permission.settled');
  const codes = asked.map(({ code }) => code);
  expect(new Set(codes).size, 'no code comes twice').toBe(codes.length);
  for (const rows of [decided, settled]) {
    const closed = rows.map(({ code }) => code);
    expect(new Set(closed).size, 'one verdict and one end per question').toBe(closed.length);
  }
  for (const { code, verdict: said, by } of decided) {
    if (by === 'expiry' || by === 'bridge') expect(said, 'only people allow').toBe('deny');
    else expect(world.given, 'a verdict is somebody’s').toContainEqual({ code, verdict: said, by });
  }
  for (const run of world.runs) {
    if (run.by === 'terminal') continue;
    const allowed = decided.some(
      ({ code, verdict: said, seq }) => run.codes.has(code) && said === 'allow' && seq <= run.seq,
    );
    expect(allowed, 'a tool runs after an allow that is on record').toBe(true);
  }
  for (const name of keys) {
    const session = world.session(name);
    if (!session) continue;
    for (const ask of unsettledAsks(session)) {
      const turn = ask.turn === undefined ? undefined : findTurn(session, ask.turn);
      expect(turn?.phase.name, 'an open question belongs to a running turn').not.toBe('settled');
    }
  }
}

/** Everything comes back, time passes, Claude ends its turns: then nothing may be left. */
async function drain(world: World): Promise<void> {
  for (const name of keys) world.channel(name, true);
  await breathe();
  // One that comes again behind a reconnect is looked at for some seconds before it is told.
  world.clock.advance(permissionMs + 6_000);
  await breathe();
  for (const name of keys) world.channel(name, true);
  await breathe();
  expect(world.dialogs, 'expiry reaches every dialog that waits').toEqual([]);
  for (const name of keys) world.stop(name);
  await breathe();
  check(world);
  const asked = rowsOf(world.journal, 'permission.asked').map(({ code }) => code);
  const settled = rowsOf(world.journal, 'permission.settled').map(({ code }) => code);
  expect(settled.toSorted(), 'every question has an end').toEqual(asked.toSorted());
}

test('one verdict per question, nothing runs without an allow, and no question is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), async (steps) => {
      const world = new World();
      for (const act of steps) {
        act(world);
        await breathe();
        check(world);
      }
      await drain(world);
      // What the journal says is what is known: a bridge that reads it again decides the same.
      const live = keys.map((name) => world.session(name)?.asks.map(({ code, state }) => ({ code, state })));
      const again = new Dispatcher({
        journal: world.journal,
        limits: { queued: 10 },
        log: silentLog,
        perform: () => {},
        failed: () => {},
      });
      again.load();
      expect(
        keys.map((name) => again.session(name)?.asks.map(({ code, state }) => ({ code, state }))),
      ).toEqual(live);
    }),
    { numRuns: runs(300) },
  );
}, 30_000);
