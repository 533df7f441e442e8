// Random histories that get deep: every command and every report there is, aimed at what the session holds just then.
import fc from 'fast-check';
import type { Command } from '../../src/domain/commands.ts';
import { decide } from '../../src/domain/decide/decide.ts';
import { evolve } from '../../src/domain/state/evolve.ts';
import {
  currentTurn,
  emptySession,
  joiningTurns,
  owedReplies,
  queuedTurns,
  type Session,
  unsettledAsks,
} from '../../src/domain/state/session.ts';
import { snapshotOf } from '../../src/domain/state/snapshot.ts';
import type { SessionEvent } from '../../src/protocol/events/events.ts';
import type { PanicRecord } from '../../src/protocol/panic.ts';
import { letThrough } from '../support/rulings.ts';
import { runs } from '../support/runs.ts';
import { shown } from '../support/shown.ts';

/** When a command is made. */
interface Moment {
  session: Session;
  /** Names what is new: ids and codes never come twice. */
  n: number;
  pick: number;
}

const limits = { queued: 3 };
const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;

const one = <T>(all: readonly T[], pick: number): T | undefined => all[pick % Math.max(1, all.length)];
const current = ({ session }: Moment) => currentTurn(session)?.id ?? 'none';
/** Mostly the turn in flight or the one that was queued last. */
const turn = (at: Moment) => {
  if (at.pick < 5) return current(at);
  return (at.pick < 7 ? queuedTurns(at.session).at(-1) : one(at.session.turns, at.pick))?.id ?? 'none';
};
const prompt = (at: Moment) => `prompt of ${turn(at)}`;
const call = ({ session, pick }: Moment) => one(session.calls, pick)?.call ?? 'none';
/** Mostly a question that is open. */
const code = ({ session, pick }: Moment) =>
  one(pick < 8 ? unsettledAsks(session) : session.asks, pick)?.code ?? 'none';
const toolUse = ({ pick }: Moment) => (pick < 3 ? {} : { tool_use: `use ${pick % 3}` });
const isOdd = ({ pick }: Pick<Moment, 'pick'>) => pick % 2 === 1;

const moves = {
  submit: ({ n, pick }) => ({
    type: 'turn.submit',
    turn: `turn ${n}`,
    claude: `claude ${n}`,
    launch,
    ingress: 'openai',
    text: `text ${n}`,
    ...(pick < 2 && { meta: { unattended: 'heartbeat' } }),
    ...(pick > 6 && { reply: { id: `reply ${n}`, meta: {} } }),
  }),
  steer: ({ n, pick }) => ({
    type: 'turn.submit',
    turn: `turn ${n}`,
    claude: `claude ${n}`,
    launch,
    ingress: 'openai',
    text: `text ${n}`,
    mode: pick < 7 ? 'steer' : 'interrupt',
  }),
  joining: ({ session, n, pick }) => ({
    type: 'prompt.joining',
    turn: queuedTurns(session)[0]?.id ?? 'none',
    ...(pick < 5 && { hook: n }),
  }),
  joined: ({ session }) => ({ type: 'prompt.joined', turn: joiningTurns(session)[0]?.id ?? 'none' }),
  parted: ({ session }) => ({ type: 'prompt.parted', turn: joiningTurns(session)[0]?.id ?? 'none' }),
  handing: (at) => ({ type: 'prompt.handing', turn: turn(at) }),
  taken: (at) => ({ type: 'prompt.taken', turn: turn(at), ...(isOdd(at) && { prompt: prompt(at) }) }),
  notTaken: (at) => ({
    type: 'prompt.failed',
    turn: turn(at),
    code: 'delivery_failed',
    detail: 'x',
    retry: isOdd(at),
  }),
  held: (at) => ({ type: 'prompt.held', turn: turn(at), code: 'hooks_off', detail: 'x' }),
  open: () => ({ type: 'agent.open' }),
  typed: ({ n }) => ({ type: 'prompt.foreign', turn: `turn ${n}`, prompt: `prompt of turn ${n}`, text: 'x' }),
  delta: ({ pick }) => ({
    type: 'message.delta',
    message: `message ${pick % 2}`,
    index: pick % 3,
    text: `piece ${pick}`,
    final: pick % 3 === 2,
  }),
  stopped: () => ({ type: 'turn.rest' }),
  failed: (at) => ({ type: 'turn.failed', prompt: prompt(at), code: 'rate_limited', detail: '429' }),
  idle: (at) => ({ type: 'turn.idle', interrupted: isOdd(at) }),
  cancel: (at) => ({ type: 'turn.cancel', turn: turn(at), by: 'test' }),
  expire: (at) => ({ type: 'turn.expire', turn: turn(at), code: 'expired' }),
  read: (at) => ({
    type: 'reader.close',
    turn: turn(at),
    request: `request ${at.n}`,
    start: 0,
    offset: 0,
    why: 'finished',
  }),
  call: (at) => ({
    type: 'tool.call',
    call: `call ${at.n}`,
    tool: 'exec',
    args: {},
    ruling: letThrough,
    ...toolUse(at),
    ...(isOdd(at) && { provider: 'notes' }),
  }),
  answer: (at) => ({ type: 'tool.answer', call: call(at), ok: isOdd(at), content: 'x' }),
  progress: (at) => ({ type: 'tool.progress', call: call(at), text: `${at.pick % 3} of 3` }),
  dropCall: (at) => ({ type: 'tool.cancel', call: call(at) }),
  activity: (at) => ({
    type: 'tool.activity',
    tool_use: `use ${at.pick % 3}`,
    tool: 'Bash',
    phase: isOdd(at) ? 'started' : 'succeeded',
  }),
  ask: (at) => ({
    type: 'permission.ask',
    code: `code ${at.n}`,
    tool: 'Bash',
    input: {},
    expires_at: 0,
    ...toolUse(at),
  }),
  decide: (at) => ({
    type: 'permission.decide',
    code: code(at),
    verdict: isOdd(at) ? 'allow' : 'deny',
    by: 'chat',
    ...(at.pick !== 5 && shown(at.session, code(at))),
  }),
  show: (at) => ({ type: 'permission.show', code: code(at), part: 2 + (at.pick % 2) }),
  expireAsk: (at) => ({ type: 'permission.expire', code: code(at) }),
  guess: () => ({ type: 'permission.guess' }),
  tell: (at) => ({ type: 'permission.tell', code: code(at), what: isOdd(at) ? 'question' : 'outcome' }),
  sent: (at) => ({ type: 'permission.sent', code: code(at) }),
  ran: (at) => ({ type: 'permission.ran', code: code(at) }),
  withdraw: (at) => ({ type: 'permission.withdrawn', code: code(at), detail: 'x' }),
  starting: ({ n, pick }) => ({ type: 'agent.starting', ...(pick < 7 && { run: `run ${n}` }) }),
  ready: () => ({ type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] }),
  dialog: () => ({ type: 'agent.dialog', dialog: 'trust', screen: '', failure: 'folder_untrusted' }),
  exited: (at) => ({ type: 'agent.exited', detail: 'x', ...(isOdd(at) && { failure: 'exited' }) }),
  status: () => ({ type: 'agent.status', status: {} }),
  cleared: ({ n }) => ({ type: 'agent.session', claude: `claude ${n}` }),
  switched: (at) => ({ type: 'agent.mode', mode: isOdd(at) ? 'plan' : 'default' }),
  configure: ({ pick }) => ({
    type: 'session.configure',
    launch: { ...launch, permissionMode: pick < 5 ? 'plan' : 'auto' },
    take: pick % 5 === 0 ? 'all' : 'safe',
  }),
  start: () => ({ type: 'session.start', by: 'test' }),
  stop: () => ({ type: 'session.stop', reason: 'test' }),
  remove: (at) => ({ type: 'session.remove', keep: isOdd(at) }),
  depart: () => ({ type: 'session.leave', node: 'box' }),
  arrive: ({ session }) => ({
    type: 'session.arrive',
    node: 'box',
    state: { ...snapshotOf(session) },
    launch,
  }),
  hold: (at) => ({ type: 'session.hold', node: 'mac', ...(isOdd(at) && { ends: true }) }),
  house: ({ pick }) => ({ type: 'session.house', ...(pick < 8 && { held: true }) }),
  recover: ({ pick }) => ({ type: 'session.recover', ...(pick < 5 && { lost: 'box' }) }),
  adopt: ({ session, n, pick }) => ({
    type: 'session.adopt',
    run: (pick < 8 && session.run) || 'another run',
    pid: n,
    typed: isOdd({ pick }),
  }),
  panic: () => ({ type: 'session.rest' }),
  resume: () => ({ type: 'session.proceed' }),
  renew: ({ n }) => ({ type: 'session.renew', claude: `claude ${n}`, launch }),
  link: ({ n }) => ({ type: 'session.link', link: { id: 'hub', generation: n } }),
  owe: (at) => ({ type: 'reply.owe', reply: `reply ${at.n}`, turn: turn(at), meta: {} }),
  sendReply: ({ session, pick }) => ({
    type: 'reply.sent',
    reply: one(owedReplies(session), pick)?.id ?? 'none',
  }),
  drive: ({ pick }) => ({ type: 'lease.take', lease: `lease ${pick % 2}`, by: 'test' }),
  leave: ({ pick }) => ({ type: 'lease.release', lease: `lease ${pick % 2}`, why: 'test' }),
  lend: ({ pick }) => ({
    type: 'catalog.set',
    tools: pick < 5 ? [] : [{ name: 'exec', description: '', parameters: {} }],
  }),
} satisfies Record<string, (at: Moment) => Command>;

type Move = keyof typeof moves;

const all = Object.keys(moves) as Move[];
/** What a conversation is made of, and so what leads to the states in which the rest matters. */
const usual: readonly Move[] = [
  'submit',
  'steer',
  'joining',
  'taken',
  'stopped',
  'ask',
  'call',
  'typed',
  'resume',
  'house',
];
const move = fc.oneof(fc.constantFrom(...all), fc.constantFrom(...usual));

/** One command and what came of it. */
export interface Step {
  command: Command;
  /** Everything is stopped, from this step on or since before. */
  panic: boolean;
  before: Session;
  after: Session;
  events: SessionEvent[];
  /** Each event with the sessions before and behind it. */
  each: { before: Session; event: SessionEvent; after: Session }[];
}

function take(before: Session, command: Command, at: number, panic: PanicRecord | undefined): Step {
  const decision = decide(before, command, { ...limits, ...(panic && { panic }) });
  const decided = 'events' in decision ? decision.events : [];
  const last = decided.at(-1);
  // As the dispatcher does: every report of a hook says how far they were heard.
  const events = last && at % 2 === 0 ? decided.with(-1, { ...last, heard: at }) : decided;
  let after = before;
  const each = events.map((event) => {
    const was = after;
    after = evolve(was, event, at);
    return { before: was, event, after };
  });
  return { command, panic: panic !== undefined, before, after, events, each };
}

/** @param check called anew for each history; what it returns sees every step of it. */
export function forEachDeepHistory(check: () => (step: Step) => void): void {
  const history = fc.array(fc.tuple(move, fc.nat(9)), { maxLength: 120, size: 'max' });
  fc.assert(
    fc.property(history, (made) => {
      const see = check();
      let session = emptySession('k');
      let panic: PanicRecord | undefined;
      let n = 0;
      for (const [name, pick] of made) {
        if (name === 'panic') panic ??= { since: n, by: 'test' };
        if (name === 'resume') panic = undefined;
        const commands: Command[] = [moves[name]({ session, n, pick })];
        // As the bridge does: what waits goes on with that.
        if (name === 'house') commands.push({ type: 'session.proceed' });
        for (const command of commands) {
          const step = take(session, command, n, panic);
          see(step);
          session = step.after;
          n += 1;
        }
      }
    }),
    { numRuns: runs(200) },
  );
}
