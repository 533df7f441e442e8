// version 1 of the journal. Events are facts: appended, never edited; replaying them gives the live state.
import { z } from 'zod';
import { Ingress } from '../ingress.ts';
import { PanicRecord } from '../panic.ts';
import { Quote } from '../quote.ts';
import { ContainMode } from '../settings/contain.ts';
import { Delivery } from '../settings/delivery.ts';
import { PermissionMode } from '../settings/permission-mode.ts';
import { SandboxMode } from '../settings/sandbox.ts';
import { ToolSpec } from '../tool-spec.ts';
import { compactionEvents } from './compaction-events.ts';
import { FailureCode } from './failures.ts';
import { forgetEvents } from './forget-events.ts';
import { permissionEvents } from './permission-events.ts';
import { responseEvents } from './response-events.ts';
import { taskEvents } from './task-events.ts';
import { toolEvents } from './tool-events.ts';

/** What the key of a conversation rests on. `fingerprint` is a guess and is to be shown as one. */
export const IdentitySource = z.enum([
  'explicit',
  'plugin',
  'cache_key',
  'runtime',
  'inbound_meta',
  'user',
  'fingerprint',
]);
export type IdentitySource = z.infer<typeof IdentitySource>;

/** OpenClaw's own name for a conversation, from `prompt_cache_key` (`<id>:<generation>`) or its `Runtime:` line. */
export const HubLink = z.object({
  id: z.string().optional(),
  generation: z.number().int().optional(),
  source: IdentitySource.optional(),
});
export type HubLink = z.infer<typeof HubLink>;

/** Who wrote a text, as the ingress could prove it. `id` is authoritative, `name` is a label. */
export const Sender = z.object({ id: z.string().optional(), name: z.string().optional() });
export type Sender = z.infer<typeof Sender>;

/**
 * What made Claude begin a turn by itself: something it left running has ended or spoken, a time it set has come, or a
 * Stop hook of the user's, or a member of its team, sent it on.
 */
export const OriginKind = z.enum(['task', 'wakeup', 'continued']);
export type OriginKind = z.infer<typeof OriginKind>;

/** What Claude left behind in a turn, by the name under which it hears of it again. */
export const Errand = z.object({
  by: OriginKind,
  /** Of a task: its tool use. */
  name: z.string(),
  /** Claude Code's own name for the task, which is told where the tool use is not. */
  task: z.string().optional(),
});
export type Errand = z.infer<typeof Errand>;

/** Of a turn that Claude began by itself: for whom. All of it is that of the turn which left the task or set the time. */
export const Origin = z.object({
  by: OriginKind,
  ingress: Ingress,
  sender: Sender.optional(),
  meta: z.record(z.string(), z.string()).default({}),
});
export type Origin = z.infer<typeof Origin>;

/** What a Claude Code process is started with. Kept: a resume uses the same, but for what was tightened meanwhile. */
export const LaunchOptions = z.object({
  cwd: z.string(),
  permissionMode: PermissionMode,
  /** `match` of the profile that says the mode; absent: the top level of the configuration does. */
  permissionProfile: z.string().optional(),
  /** Absent: `off`. */
  sandbox: SandboxMode.optional(),
  /** Absent: `off`. */
  contain: ContainMode.optional(),
  delivery: z.enum(['auto', 'channel', 'terminal']),
  model: z.string().optional(),
});
export type LaunchOptions = z.infer<typeof LaunchOptions>;

/** A reason why something works otherwise than it could, in words. `info`: it is so by choice, nothing is wrong. */
export const Health = z.object({ code: z.string(), words: z.string(), info: z.boolean().optional() });
export type Health = z.infer<typeof Health>;

const turn = z.string();

const Fact = z.discriminatedUnion('type', [
  // the session map
  z.object({ type: z.literal('session.opened'), ingress: Ingress, guessed: z.boolean().optional() }),
  z.object({
    type: z.literal('session.claude'),
    /** Claude Code's session id (UUID). A new one under the same key starts a conversation without history. */
    claude: z.string(),
    launch: LaunchOptions,
  }),
  /** The configuration changed: what Claude Code is started with from here on. */
  z.object({
    type: z.literal('session.configured'),
    launch: LaunchOptions,
    /** What the configuration says, where that grants more: it waits for the operator's restart. */
    waiting: LaunchOptions.optional(),
  }),
  /** Which transcript of the hub it is bound to: OpenClaw's session id, and how often that transcript began anew. */
  z.object({ type: z.literal('session.linked'), link: HubLink }),
  /** What the operator calls it from now on; nothing when absent. */
  z.object({ type: z.literal('session.labelled'), label: z.string().optional() }),
  /** What is known of it cannot be true, so its Claude Code is started afresh. `reports`: what came last, without texts. */
  z.object({ type: z.literal('session.broken'), rule: z.string(), reports: z.array(z.string()) }),
  /** Without `forget` its rows stay, as in journals from before there was forgetting. */
  z.object({ type: z.literal('session.removed'), forget: z.literal(true).optional() }),
  /**
   * It goes to another machine, and nothing new is begun in it here. Without `node`: it lives here, as it has come, or does
   * not go.
   */
  z.object({ type: z.literal('session.housed'), node: z.string().optional() }),
  /** Whether it still lives on this machine, `node`, is not known; nothing new is begun in it until it is. */
  z.object({ type: z.literal('session.held'), node: z.string() }),
  z.object({ type: z.literal('catalog.changed'), tools: z.array(ToolSpec) }),

  // the process
  /** The operator wants Claude Code to run although no message waits. */
  z.object({ type: z.literal('agent.wanted'), by: z.string() }),
  z.object({
    type: z.literal('agent.starting'),
    /** Names its host, for ever. Absent: it ends with the bridge. */
    run: z.string().optional(),
  }),
  z.object({
    type: z.literal('agent.dialog'),
    /** Known dialog id, or `unknown`. */
    dialog: z.string(),
    screen: z.string(),
    failure: FailureCode,
    /** A question about it follows. */
    asked: z.boolean().optional(),
  }),
  z.object({
    type: z.literal('agent.ready'),
    pid: z.number().int(),
    delivery: Delivery,
    health: z.array(Health),
  }),
  /** The bridge was started anew and found it alive, with all that it knows. */
  z.object({ type: z.literal('agent.adopted'), pid: z.number().int() }),
  z.object({ type: z.literal('agent.stopping'), reason: z.string() }),
  z.object({ type: z.literal('agent.exited'), detail: z.string(), failure: FailureCode.optional() }),
  /** Claude Code says that it is in another permission mode than was known. */
  z.object({ type: z.literal('agent.mode'), mode: z.string() }),
  z.object({ type: z.literal('agent.status'), status: z.record(z.string(), z.unknown()) }),

  // the turn
  z.object({
    type: z.literal('turn.queued'),
    turn,
    ingress: Ingress,
    text: z.string(),
    sender: Sender.optional(),
    /** Equal for every repeat of the same user message; a repeat never prompts twice. */
    dedup: z.string().optional(),
    /** Hashes of the messages it was made of, where its text is not one of them as it came. */
    parts: z.array(z.string()).optional(),
    /** What came with it and is not its writer's own. */
    quotes: z.array(Quote).optional(),
    meta: z.record(z.string(), z.string()).default({}),
    /** Claude is to get it in the turn it is at, if that is possible. */
    steer: z.literal(true).optional(),
    /** `traceparent` of the request, version 00. */
    trace: z.string().max(55).optional(),
  }),
  z.object({
    type: z.literal('turn.adopted'),
    turn,
    text: z.string(),
    prompt: z.string().optional(),
    /** Absent: typed in Claude's terminal, or nobody knows. */
    origin: Origin.optional(),
    /** Claude Code itself told its beginning. */
    told: z.literal(true).optional(),
  }),
  z.object({ type: z.literal('turn.delivering'), turn, attempt: z.number().int() }),
  /** It goes to Claude now: from here on it cannot be ruled out that Claude has seen it. */
  z.object({ type: z.literal('turn.handed'), turn }),
  /** Comes again for each further prompt that Claude Code takes as part of it. */
  z.object({ type: z.literal('turn.running'), turn, prompt: z.string().optional() }),
  /** Claude Code said Stop. The rest of its last message, or what another Stop hook makes of it, may follow. */
  z.object({ type: z.literal('turn.rested'), turn, last: z.string().optional() }),
  /** It went on behind its Stop. */
  z.object({ type: z.literal('turn.resumed'), turn }),
  z.object({
    type: z.literal('turn.cancelling'),
    turn,
    by: z.string(),
    /** Everything was stopped then, epoch ms. */
    panic: z.number().optional(),
  }),
  /** It was on its way, Claude cannot have seen it, and everything was stopped: it waits in its old place again. */
  z.object({ type: z.literal('turn.requeued'), turn }),
  /**
   * It was on its way, Claude cannot have seen it, and cannot be given it now: it waits in its old place, and nothing
   * behind it goes first, until whatever keeps it is gone.
   */
  z.object({ type: z.literal('turn.held'), turn, code: FailureCode, detail: z.string() }),
  /** The disk was full, and its sender was told that nothing was taken: it is as if it had never come. */
  z.object({ type: z.literal('turn.withdrawn'), turn }),
  /** It goes into the turn that runs, now: from here on it cannot be ruled out that Claude has seen it. */
  z.object({
    type: z.literal('turn.joining'),
    turn,
    into: turn,
    /** Number of the hook whose answer carries it. */
    hook: z.number().int().optional(),
    /** Claude Code has it in its own queue, and runs it in that turn or behind it. */
    queued: z.literal(true).optional(),
  }),
  /** Somebody typed it while Claude worked: Claude Code has it in its own queue. */
  z.object({ type: z.literal('prompt.held'), text: z.string() }),
  /** Claude certainly did not get it that way: it waits in its old place again. */
  z.object({ type: z.literal('turn.parted'), turn }),
  z.object({
    type: z.literal('turn.settled'),
    turn,
    outcome: z.enum(['completed', 'failed', 'cancelled', 'expired']),
    code: FailureCode.optional(),
    detail: z.string().optional(),
    /** Claude got it in this turn: its answer is there. */
    into: turn.optional(),
  }),

  // what Claude writes and does
  z.object({
    type: z.literal('answer.delta'),
    turn,
    /** Claude's message id: one turn may hold several messages. */
    message: z.string(),
    /** Position within the message, from 0. Rows may be out of order; the fold puts them right. */
    index: z.number().int().nonnegative(),
    text: z.string(),
    final: z.boolean(),
    /** Nothing came between this message and the one before: what it repeats of that is said already. */
    straight: z.literal(true).optional(),
  }),
  /** What the deltas missed, found by comparing with Claude Code's own last message: appended at the turn's end. */
  z.object({ type: z.literal('answer.repaired'), turn, text: z.string() }),
  z.object({
    type: z.literal('activity'),
    turn: z.string().optional(),
    tool_use: z.string(),
    tool: z.string(),
    phase: z.enum(['started', 'succeeded', 'failed']),
    input: z.unknown().optional(),
    output: z.string().optional(),
    errand: Errand.optional(),
    /** The agent that does it; absent: the main thread. */
    agent: z.string().optional(),
  }),

  ...taskEvents,
  ...toolEvents,

  ...permissionEvents,

  // Claude's own terminal: many may look, one may type
  z.object({ type: z.literal('lease.taken'), lease: z.string(), by: z.string() }),
  z.object({ type: z.literal('lease.released'), lease: z.string(), why: z.string() }),

  // readers of the answer
  z.object({
    type: z.literal('reader.closed'),
    turn,
    /** Names the request, so that a repeat of it reads from the same place. */
    request: z.string(),
    /** What was handed out: from `start` up to `offset`, UTF-16 code units of the answer. */
    start: z.number().int().nonnegative(),
    offset: z.number().int().nonnegative(),
    /** `kept`: the bridge stopped, and the turn goes on with the next one. */
    why: z.enum(['finished', 'tool_calls', 'question', 'kept']),
  }),

  ...responseEvents,

  // replies that a hub must get, whatever happens to its connection or to the bridge
  z.object({
    type: z.literal('reply.owed'),
    /** Equal for every repeat of the request that it answers. */
    reply: z.string(),
    /** The turn whose answer it carries. */
    turn: z.string().optional(),
    /** What it says where no turn is involved. */
    words: z.string().optional(),
    /** What the ingress needs for sending it. */
    meta: z.record(z.string(), z.string()).default({}),
  }),
  /** The hub has it. */
  z.object({ type: z.literal('reply.sent'), reply: z.string() }),

  // of the whole house: rows of these belong to no session, and their key is empty
  z.object({ type: z.literal('bridge.panicked'), ...PanicRecord.shape }),
  z.object({ type: z.literal('bridge.resumed'), by: z.string() }),
  /** Whoever called may not do that. */
  z.object({
    type: z.literal('bridge.refused'),
    /** Of the control socket, or a path of the port. */
    method: z.string(),
    caller: z.enum(['operator', 'claude', 'unattended', 'unknown']),
    why: z.string(),
    /** Terminal and programs that it runs below. */
    from: z.string(),
    /** Key of the session whose Claude Code has started it. */
    of: z.string().optional(),
  }),
  /** Somebody has proven with the operator secret that they decide this. */
  z.object({
    type: z.literal('bridge.proven'),
    method: z.string(),
    /** `ssh-ed25519 SHA256:…`, or `code`. */
    by: z.string(),
    from: z.string(),
  }),
  /** Another operator secret holds from this start on than before; null for none. Names of them, no secrets. */
  z.object({ type: z.literal('bridge.secret'), now: z.string().nullable(), was: z.string().nullable() }),

  ...compactionEvents,
  ...forgetEvents,
]);

/** `heard`: what hooks of the running Claude up to this number said is in the journal, with this row. */
export const SessionEvent = Fact.and(z.object({ heard: z.number().int().optional() }));
export type SessionEvent = z.infer<typeof SessionEvent>;

/** One row of the journal. */
export interface JournalRow {
  /** Position in the journal, from 1, without gaps. */
  seq: number;
  /** Wall clock when it was appended, epoch ms. */
  at: number;
  /** Session key; `house` for what is about all of them. */
  session: string;
  event: SessionEvent;
}

export type HouseEvent = Extract<SessionEvent, { type: `bridge.${string}` }>;
