// What the operator's control socket offers: method → params and result. Types only, so that commands start in a blink.
// docs/reference/control.md says the same in words.
import type { Envelope } from '../../protocol/envelope.ts';
import type { JournalRow } from '../../protocol/events/events.ts';
import type { Provider } from '../../protocol/settings/provider.ts';
import type { VaultChoice } from '../../protocol/settings/vault.ts';
import type { AuditVerdict } from './audit/audit.ts';
import type { ClusterMethods } from './cluster.ts';
import type { JournalStats } from './journal.ts';
import type { Leftover, PruneResult } from './prune.ts';
import type { AskRow } from './session/ask-row.ts';
import type { CostDay, SessionCost } from './session/session-cost.ts';
import type { SessionRow } from './session/session-row.ts';
import type { TurnRow } from './session/turn-row.ts';
import type { TurnWait } from './session/turn-wait.ts';
import type { BoardSnapshot } from './snapshot.ts';
import type { ProviderDetail, ProviderView } from './tools.ts';

export interface BridgeNotice {
  code: string;
  words: string;
  /** What to do about it; of most, `doctor` knows that by the code. */
  suggestion?: string;
  /** No answer can be given like this. */
  failed?: true;
}

export interface BridgeStatus {
  version: string;
  pid: number;
  url: string;
  state_dir: string;
  /** The folder that sessions work in, where no profile says otherwise. */
  cwd: string;
  started_at: string;
  sessions: number;
  live: number;
  status: 'healthy' | 'degraded' | 'unavailable';
  /** What is wrong with the bridge itself. */
  notices: BridgeNotice[];
  /** That, and what is wrong with its sessions. */
  health: (BridgeNotice & { info?: boolean })[];
  connections: GatewayStatus[];
  /** Those of the configuration, in its order. */
  providers: ProviderView[];
  /** Set while everything is stopped. */
  panic: PanicView | null;
}

/** Since when, by whom and why everything is stopped. */
export interface PanicView {
  since: string;
  by: string;
  reason: string | null;
}

/** What `synthesis panic` did. The stable `--json` shape. */
export interface PanicResult extends PanicView, EndedAll {
  /** It held before; the counts say what was still found at work. */
  already: boolean;
  /** It holds after a restart of the bridge, too. False when the disk refused to keep it. */
  kept: boolean;
  /** Turns. */
  interrupted: number;
  /** Permission questions. */
  denied: number;
  /** Tool calls of hubs. */
  dropped: number;
  /** Messages that wait for `resume`. */
  waiting: number;
}

/** What was ended besides, and what was not. */
export interface EndedAll {
  ended: EndedWork[];
  /** What could not be ended, in words such as `sudo (1234) belongs to another user`. */
  alive: string[];
  /** What may go on because nothing here can tell whose it is, in words. */
  unseen: string[];
}

/** What ran for one session when everything was stopped. */
export interface EndedWork {
  /** Null where nothing tells it. */
  session: string | null;
  /** How many processes were ended, Claude Code among them. */
  processes: number;
  /** The first of them, such as `sh (1234)`. */
  commands: string[];
}

/** What `synthesis resume` did. The stable `--json` shape. */
export interface ResumeResult {
  /** False when nothing was stopped. */
  resumed: boolean;
  /** What held until now. */
  panic: PanicView | null;
  /** Messages that go on now. */
  waiting: number;
}

/** One connection to a gateway: a WeChat gateway that speaks AGP, or OpenClaw's own. */
export interface GatewayStatus {
  kind: 'agp' | 'openclaw';
  url: string;
  state: 'disconnected' | 'connecting' | 'connected' | 'reconnecting';
  /** Attempts that failed in a row. */
  attempt: number;
  /** Why there is no connection, in words. */
  reason: string | null;
  /** When it got into this state. */
  since: string;
}

/** How a turn that was sent by an operator ended. */
export interface SendResult {
  turn: string;
  outcome: 'completed' | 'failed' | 'cancelled' | 'expired' | 'accepted';
  code: string | null;
  /** What a chat user would be told. */
  words: string | null;
}

/** Everything known of one session. The stable `--json` shape of `synthesis inspect`. */
export interface SessionDetail extends SessionRow {
  /** Folder of its memory; null where it uses Claude Code's own one of its working folder. */
  memory?: string | null;
  /** Files of it that do not go along to another machine, each in words; absent where there are none. */
  stays?: string[];
  /** What Claude's terminal shows now; null when it does not run. */
  screen: string[] | null;
  /** What Claude Code's status line said last: model, cost, context, limits. */
  status: Record<string, unknown> | null;
  /** What it cost on which day, oldest first. */
  cost_days: CostDay[];
  /** Oldest first; the newest few are kept. */
  turns: TurnRow[];
  asks: AskRow[];
}

export interface ControlMethods extends ClusterMethods {
  'bridge.status': { params: Record<string, never>; result: BridgeStatus };
  /** In the text format of Prometheus. */
  'bridge.metrics': { params: Record<string, never>; result: { text: string } };
  /**
   * `keep`: its Claude Codes go on for the next bridge, else they are ended. `live`: how many there are. `agents`: how many
   * of theirs were at work and end with them.
   */
  'bridge.stop': {
    params: { keep?: boolean; why?: 'down' | 'replace' };
    result: { stopping: true; live: number; agents: number };
  };
  /** Answers once it is on disk, every question is denied and every turn is being interrupted. */
  'bridge.panic': { params: { reason?: string; door?: 'cli' | 'tui' }; result: PanicResult };
  'bridge.resume': { params: { door?: 'cli' | 'tui' }; result: ResumeResult };
  /** Lets whoever has no terminal decide on this connection, by the secret of a token of scope `operate`. */
  'caller.prove': { params: { token: string }; result: { proven: true } };
  'session.list': { params: Record<string, never>; result: SessionRow[] };
  /** All when none is named. */
  'session.costs': { params: { sessions?: string[] }; result: SessionCost[] };
  'session.inspect': { params: { session: string }; result: SessionDetail };
  /** All sessions as they are after row `seq`: fold what `events.subscribe {from: seq}` brings onto it (`Board`). */
  'session.snapshot': { params: Record<string, never>; result: BoardSnapshot };
  /** While it runs, `answer` notifications carry the text, `status`, `question` and `decided` what it waits for; with `follow: false` it returns once the message is stored. */
  'session.send': {
    params: { session: string; text: string; create: boolean; follow: boolean };
    result: SendResult;
  };
  'session.interrupt': { params: { session: string }; result: { interrupted: true } };
  /** `agents`: how many were at work and end with it. */
  'session.stop': { params: { session: string }; result: { stopping: true; agents: number } };
  /** Ends Claude Code if it runs and starts it again on the same conversation, as the bridge is configured; answers when it is ready. `agents` as above. */
  'session.restart': {
    params: { session: string };
    result: { restarted: true; pid: number; permission_mode: string | null; agents: number };
  };
  /** Answers when its text is deleted, or after some seconds: it is once its Claude Code has ended and nobody reads it. */
  'session.remove': { params: { session: string; keep?: boolean }; result: RemoveResult };
  /** Gives it a name of the operator's own; null, or nothing in it, takes it away. `name_in_use` says whose it is. */
  'session.rename': { params: { session: string; label: string | null }; result: RenameResult };
  /** Answers when nothing runs or waits in the session any more; `timeout` when that took longer than `timeout_ms`. */
  'session.wait': { params: { session: string; timeout_ms?: number }; result: WaitResult };
  'permission.list': { params: Record<string, never>; result: AskRow[] };
  /** One question that waits. `no_such_code`, or `already_answered` with who was faster. */
  'permission.show': { params: { code: string }; result: AskRow };
  'permission.decide': {
    params: {
      code: string;
      verdict: 'allow' | 'deny';
      /** Why not; Claude is told. */
      reason?: string;
      scope?: 'once' | 'session';
      /** What was chosen when Claude asked a question (AskUserQuestion): a number, several, or own words; in a dialog a number. */
      answer?: string;
      /** `digest` of the question that was shown; an `allow` without it is refused with `not_shown`. */
      shown?: string;
      /** Which door it came through; `cli` when left out. */
      door?: 'cli' | 'tui';
    };
    result: { code: string; verdict: 'allow' | 'deny'; session: string; tool: string };
  };
  /**
   * Journal rows as `event` notifications: what is stored first, then one `live`, then what comes. `gap` says which
   * rows a slow reader missed (`slow: 'skip'` only). The result comes with the end: `call.cancel`, or `follow: false`.
   */
  'events.subscribe': { params: EventsParams; result: { seq: number } };
  /**
   * Joins Claude's own terminal: one `terminal.snapshot`, then `terminal.data`, `terminal.resized` and
   * `terminal.lease` notifications. The result comes with the end. `not_running` when Claude Code does not run.
   */
  'terminal.attach': { params: AttachParams; result: { reason: 'exited' | 'cancelled' } };
  /** Keys of the driver. `not_driving` for everybody else. `call` is the id of the `terminal.attach` request. */
  'terminal.input': { params: { call: CallId; data: string }; result: Record<string, never> };
  /** The driver's size is Claude's; a viewer's is only remembered, and applied when it takes the lease. */
  'terminal.resize': { params: { call: CallId; cols: number; rows: number }; result: { applied: boolean } };
  /** Takes or gives back the lease of an attached terminal. `driven` when somebody else holds it. */
  'terminal.drive': { params: { call: CallId; drive: boolean }; result: { driving: boolean } };
  /** Walks the whole journal with the key; `anchors` are lines of `audit.anchor` that were kept elsewhere. */
  'audit.verify': { params: { anchors: string[] }; result: AuditVerdict };
  /** One line that says how far the journal on disk goes. */
  'audit.anchor': { params: Record<string, never>; result: { line: string } };
  /** What nothing needs any more: of sessions that were removed and kept, and of accidents. */
  'prune.look': { params: Record<string, never>; result: Leftover[] };
  'prune.delete': { params: { items: Pick<Leftover, 'kind' | 'name'>[] }; result: PruneResult };
  /** How much there is, and how much of it in the archive. */
  'journal.stats': { params: Record<string, never>; result: JournalStats };
  /** Providers of tools, in the order of the configuration. */
  'tools.list': { params: Record<string, never>; result: ProviderView[] };
  /** `no_such_provider` when there is none of that name. */
  'tools.inspect': { params: { provider: string }; result: ProviderDetail };
  /** As Claude would call it, but for the policy: whoever may use this socket is asked nothing. Every failure is an envelope. */
  'tools.call': {
    params: { provider: string; tool: string; args: Record<string, unknown> };
    result: Envelope;
  };
  /** From now on these are the providers. One that is as before goes on; answers when those that are new have been tried. */
  'tools.set': {
    params: { providers: Provider[]; vaults?: VaultChoice | undefined };
    result: ProviderView[];
  };
  /** Ends a call that still runs on this connection: its result or error comes as always. */
  'call.cancel': { params: { call: CallId }; result: { cancelled: boolean } };
}

export type CallId = number | string;

export interface EventsParams {
  /** Seq of the last row the reader has; 0 for everything. Without `from` and `since`: from now on. */
  from?: number;
  /** Rows appended at this time or later, epoch ms. Not together with `from`. */
  since?: number;
  /** That many of the newest rows that are wanted. Neither together with `from` nor with `since`. */
  last?: number;
  /** Name, id, key, or a unique prefix of one. */
  session?: string;
  /** Event types; `turn.*` stands for all of a kind. */
  types?: string[];
  /** False: ends where the journal ends now. Default true. */
  follow?: boolean;
  /** What happens to a reader that does not keep up. `reread` (default): it gets all, late. `skip`: a gap. */
  slow?: 'reread' | 'skip';
}

export interface AttachParams {
  session: string;
  cols: number;
  rows: number;
  /** Take the lease: only its holder types and sets the size. `driven` when somebody else holds it. */
  drive: boolean;
  /** Who this is, for others to see, e.g. `pid 4711 on /dev/pts/3`. */
  who?: string;
}

export interface ErasedOnServers {
  /** `pending`: as soon as the nats-servers can be reached, by this bridge or a later one. */
  servers: 'erased' | 'pending';
  /** Names of servers that were away or behind when it was erased, and may keep it in their files. */
  servers_behind: string[];
}

/** What is said of servers is absent where these keep nothing of the conversation. */
export interface RemoveResult extends Partial<ErasedOnServers> {
  removed: true;
  /** `soon`: as soon as its Claude Code has ended and nobody reads it, at the next start at the latest. */
  text: 'deleted' | 'soon' | 'kept';
  /** Files of the archive that are still being cleaned of it. */
  archive: number;
}

export interface RenameResult {
  /** Its key. */
  session: string;
  label: string | null;
}

export interface WaitResult {
  /** Its key. */
  session: string;
  idle: true;
  state: SessionRow['state'];
}

/** Notifications: each names the call it belongs to. */
export interface ControlNotifications {
  answer: { call: CallId; text: string };
  /** Claude asks for permission in the turn that is followed, and waits for `permission.decide`. */
  question: { call: CallId; code: string; text: string };
  /** That question does not wait any more; `words` say how it was answered. */
  decided: { call: CallId; code: string; words: string };
  /** What the message that is followed waits for, at each change. The first one comes once the message is stored. */
  status: { call: CallId } & TurnWait;
  event: { call: CallId; row: JournalRow };
  gap: { call: CallId; from: number; to: number };
  /** Everything up to `seq` that was asked for has been sent; what follows is new. */
  live: { call: CallId; seq: number };
  /** Escape sequences that draw the screen on an empty terminal of this size. Comes again after a slow moment. */
  'terminal.snapshot': { call: CallId; cols: number; rows: number; data: string; driver: string | null };
  'terminal.data': { call: CallId; data: string };
  'terminal.resized': { call: CallId; cols: number; rows: number };
  /** Who may type now; null for nobody. `mine` when it is this call. */
  'terminal.lease': { call: CallId; driver: string | null; mine: boolean };
}

export type ControlMethod = keyof ControlMethods;
export type ControlNotification = keyof ControlNotifications;
